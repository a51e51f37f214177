/** Builds the console into static files that can be served below any address. */
import { defineConfig } from 'vite';

// Vite reads its configuration from a default export.
export default defineConfig({
  root: import.meta.dirname,
  base: './',
  oxc: { jsx: { runtime: 'automatic' } },
  build: {
    outDir: '../dist/console',
    emptyOutDir: true,
    target: 'es2022',
    // Vite would put small files into the style sheet and the scripts as `data:` addresses.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      // A busy machine is no fault of the sources.
      checks: { bundlerTimings: false },
      onLog: (level, log, report) => {
        // Radix marks its modules for servers that render React. There is none here.
        if (log.code !== 'MODULE_LEVEL_DIRECTIVE') report(level, log);
      },
    },
  },
});
