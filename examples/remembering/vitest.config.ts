/** The tests of the page, in Node. The server is that of `atoll exec`. */
import { defineConfig } from 'vitest/config';

export default defineConfig({ esbuild: { jsx: 'automatic' }, test: { environment: 'jsdom', testTimeout: 60_000 } });
