/** Before a run of tests in a service worker: bundles the engine, and says where Chromium is. */
import { join } from 'node:path';
import { stop } from 'esbuild';
import { bundleBrowser } from '../../../scripts/bundle-browser.mjs';
import beforeAll from '../before-all.mjs';
import { chromiumFile } from '../chromium.mjs';

export default async () => {
  await beforeAll();
  const root = join(import.meta.dirname, '../../..');
  await bundleBrowser(join(root, 'coverage/in-service-worker'), {
    engine: 'test/browser/in-service-worker/serve-tests.ts',
  });
  await stop();
  // The processes of jest take over the environment of this one.
  process.env.ATOLL_TEST_BROWSER = chromiumFile;
};
