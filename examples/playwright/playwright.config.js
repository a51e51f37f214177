/** Four workers, one Atoll (`atoll exec` has started it), one server for the page. */
import { defineConfig } from '@playwright/test';

const page = `http://localhost:${process.env.PAGE_PORT ?? 4173}`;

export default defineConfig({
  testDir: 'tests',
  fullyParallel: true,
  workers: 4,
  reporter: [['list'], ['junit', { outputFile: 'report/tests.junit.xml' }]],
  use: {
    baseURL: page,
    launchOptions: {
      // A browser of the system in place of one that Playwright would download.
      executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
      args: ['--no-sandbox'],
    },
  },
  webServer: { command: 'node page/server.mjs', url: page },
});
