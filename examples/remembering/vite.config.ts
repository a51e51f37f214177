/** The page in development. */
import { defineConfig } from 'vite';

export default defineConfig({ esbuild: { jsx: 'automatic' } });
