/**
 * Uses the client with the globals of jsdom or of happy-dom in the place of those of Node, as test runners do it, first with MSW and
 * then with a server, and prints the outcomes. Arguments: the folder of the packages, `jsdom` or `happy-dom`, the server's address.
 */
import { createRequire } from 'node:module';
import { runInNewContext } from 'node:vm';

const [folder, name, serverUrl] = process.argv.slice(2);
const packages = createRequire(`${folder}/`);
const url = 'http://localhost:3000/';
const isHappy = name === 'happy-dom';
const window = isHappy
  ? new (packages(name).Window)({ url })
  : new (packages(name).JSDOM)('<!doctype html>', { url }).window;
// jsdom has no fetch, so what belongs to it stays those of Node. That of happy-dom is its own.
const ofFetch = ['Request', 'Response', 'Headers', 'URL', 'URLSearchParams', 'AbortController', 'AbortSignal'];
const kept = new Set([
  ...runInNewContext('Object.getOwnPropertyNames(globalThis)'),
  ...['console', 'performance'],
  ...(isHappy ? [] : ofFetch),
]);
for (const each of Object.getOwnPropertyNames(window).filter((one) => !kept.has(one))) {
  if (!/^[A-Z]/.test(each) && each in globalThis && each !== 'fetch') continue;
  const value = each === 'fetch' ? window.fetch.bind(window) : window[each];
  Object.defineProperty(globalThis, each, { value, configurable: true, writable: true });
}
globalThis.window = globalThis;

const { setupServer } = await import('msw/node');
const { createAtoll } = await import('./browser.js');
const { site } = await import('./default-site.js');
const { atollHandlers } = await import('./msw.js');
const { basic, bodyOf, createClient, plainOf, upload, uploadFile } = await import('./client.js');

const must = (isSo, what) => {
  if (!isSo) throw new Error(what);
};
const bytes = Uint8Array.from({ length: 5000 }, (_, index) => index % 251);
const stream = () =>
  new ReadableStream({
    start: (controller) => {
      controller.enqueue(bytes);
      controller.close();
    },
  });

/** Each has a name and a body, and perhaps wants to hear of the progress. */
const uploads = [
  ['a Blob', () => new Blob([bytes], { type: 'text/plain' })],
  ['a File', () => new File([bytes], 'a.txt', { type: 'text/plain' })],
  ['a File, with its progress', () => new File([bytes], 'a.txt', { type: 'text/plain' }), true],
  ['bytes', () => bytes],
  ['a stream', stream],
  ['a source', () => ({ stream, size: bytes.length })],
];

const steps = (baseUrl) => {
  const client = createClient({ baseUrl, authentication: basic('admin', 'islandora') });
  const send = async (body, isProgressWanted) => {
    const made = await client.POST('/node', {
      body: bodyOf('node', { type: 'islandora_object', title: 'U', field_model: 24 }),
    });
    const seen = [];
    const onProgress = isProgressWanted === true ? { onProgress: (step) => seen.push(step) } : {};
    const to = { node: plainOf(made.data).nid, mediaType: 'file', use: 17 };
    const { media } = await upload(client, {
      ...{ to, body, location: `public://${crypto.randomUUID()}.txt`, type: 'text/plain', ...onProgress },
    });
    if (isProgressWanted === true) must(seen.at(-1)?.sent === bytes.length, JSON.stringify(seen));
    const content = await client.follow(await client.open({ target: media, rel: 'related' }), 'describes');
    const answer = await fetch(content.url ?? content.response.url);
    const read = new Uint8Array(await answer.arrayBuffer());
    must(read.join() === bytes.join(), `The bytes are others: ${read.length} of them.`);
  };
  return [
    ...uploads.map(([what, body, isProgressWanted]) => [what, () => send(body(), isProgressWanted)]),
    [
      'a file without a media',
      async () => {
        const to = { entityType: 'media', bundle: 'file', field: 'field_media_file' };
        const { data } = await uploadFile(client, { to, body: new File([bytes], 'harbour.txt') });
        must(plainOf(data).filesize === bytes.length, JSON.stringify(plainOf(data)));
      },
    ],
  ];
};

const outcomes = [];
const take = async (where, list) => {
  for (const [what, check] of list) {
    try {
      await check();
      outcomes.push({ name: `${where}: ${what}` });
    } catch (error) {
      outcomes.push({ name: `${where}: ${what}`, error: String(error?.stack ?? error) });
    }
  }
};

await take('a server', steps(serverUrl));
const atoll = await createAtoll({ site, baseUrl: 'http://repository.test' });
await take('the engine', [
  [
    'a world',
    async () => {
      const world = await atoll.world();
      must((await world.fetch('/node/1?_format=json')).status === 200, 'The world has no node.');
      await world.drop();
    },
  ],
]);
const mock = setupServer(...atollHandlers(atoll));
mock.listen({ onUnhandledRequest: 'bypass' });
await take('MSW', steps('http://repository.test'));
mock.close();
await atoll.close();
console.log(JSON.stringify(outcomes));
process.exit();
