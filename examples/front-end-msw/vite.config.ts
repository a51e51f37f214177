/** The page. MSW's worker is a file of the development server, and of no build. */
import { defineConfig } from 'vite';

export default defineConfig(({ command }) => ({
  esbuild: { jsx: 'automatic' },
  publicDir: command === 'serve' ? 'mocks' : false,
}));
