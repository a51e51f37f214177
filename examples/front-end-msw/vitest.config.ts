/** The tests of components, in Node. */
import { defineConfig } from 'vitest/config';

export default defineConfig({ esbuild: { jsx: 'automatic' }, test: { environment: 'jsdom', testTimeout: 60_000 } });
