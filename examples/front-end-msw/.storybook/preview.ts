/** Gives every story a world of its own: `parameters: { atoll: { from, clock, faults, prepare } }`. */
import { createAtoll } from 'atoll-server/browser';
import { site } from 'atoll-server/browser/default-site';
import { createStoryWorlds, type StoryWorlds } from 'atoll-server/msw';
import { setupWorker } from 'msw/browser';
import type { Preview } from '@storybook/react-vite';
import { address } from '../stories/address.ts';

const start = async (): Promise<StoryWorlds> => {
  const stories = createStoryWorlds(await createAtoll({ site, baseUrl: address }));
  await setupWorker(...stories.handlers).start({ serviceWorker: { url: './mockServiceWorker.js' }, quiet: true });
  return stories;
};
const started = start();

const preview: Preview = { loaders: [async (context) => (await started).loader(context)] };
export default preview;
