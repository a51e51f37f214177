/** Lists the modules behind the entries of the package. The modules of sites are written by the build. */

/** The public entries for Node, by the names of their files in `dist/`. */
export const publicNodeEntries = {
  atoll: 'src/cli/entries/atoll.ts',
  client: 'src/client/client.ts',
  'file-source': 'src/client/file-source.ts',
  verify: 'src/cli/entries/provider-testing.ts',
  jest: 'src/cli/testing/jest.ts',
  vitest: 'src/cli/testing/vitest.ts',
  playwright: 'src/cli/testing/playwright.ts',
};

/** The entries that are imported by name from the package, by the names of their files in `dist/browser/`. */
export const publicBrowserEntries = {
  browser: 'src/browser/create-atoll.ts',
  msw: 'src/browser/msw.ts',
  'start-service-worker': 'src/browser/service-worker/register.ts',
  'serve-repository': 'src/browser/service-worker/serve-repository.ts',
};
