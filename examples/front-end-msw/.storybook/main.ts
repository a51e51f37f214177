/** Storybook over Vite, with MSW's worker beside the stories. */
import type { StorybookConfig } from '@storybook/react-vite';

const config: StorybookConfig = {
  framework: '@storybook/react-vite',
  stories: ['../stories/*.stories.tsx'],
  staticDirs: ['../mocks'],
  core: { disableTelemetry: true, disableWhatsNewNotifications: true },
  // The page's own index.html and worker are none of Storybook's files.
  viteFinal: (vite) => ({ ...vite, publicDir: false }),
};
export default config;
