/** The manifests that were recorded from a real site, asked for here over the same records. */
import { describe, expect, it } from '@jest/globals';
import { bodyOf, cookie, visit } from '../../support/requests.ts';
import type { TestAtoll } from '../../support/atoll.ts';
import { createStarter, fileOf, mediaOf, nodeOf, put, recordingsOf, target, termOf } from '../recorded-site.ts';

const imageServer = 'https://127.0.0.1:8080/cantaloupe/iiif/2';
const withSettings = (settings: object): Promise<TestAtoll> =>
  createStarter((living) => ({
    ...living,
    manifests: { ...living.manifests, image_server: imageServer, ...settings },
  }));

const atoll = await withSettings({});

const [original, service, hocr] = [3, 5, 950];
const image = { field_model: target(13) };
const page = (id: number, title: string, weight?: number) =>
  nodeOf(id, title, {
    ...{ ...image, field_member_of: target(104) },
    ...(weight === undefined ? {} : { field_weight: [{ value: weight }] }),
  });
const mediaPair = (first: number, node: number, size: readonly [number, number], read?: readonly [number, number]) => {
  const tiff = fileOf(first + 100, `fedora://b/${node}.tif`, 'image/tiff', read);
  const png = fileOf(first + 101, `public://2026-11/${node}-Service File.png`, 'image/png', size);
  return [tiff, png, mediaOf(first, node, original, tiff), mediaOf(first + 1, node, service, png, size)];
};

const book = (read?: readonly [number, number]) => [
  nodeOf(104, 'The Book', { field_model: target(14) }),
  ...[
    page(105, 'Page two', 2),
    page(106, 'Page one', 1),
    page(107, 'Page without a weight'),
    page(108, 'Page three', 3),
  ],
  ...mediaPair(44, 105, [30, 40], read),
  ...mediaPair(46, 106, [20, 30], read),
  ...mediaPair(48, 107, [11, 12], read),
  ...mediaPair(50, 108, [50, 60], read),
];

const hidden = fileOf(200, 'private://2026-11/x-Service File.png', 'image/png', [7, 7]);
const stored = fileOf(201, 'fedora://o/s.png', 'image/png', [70, 71]);
const text = fileOf(202, 'public://hocr/2026-11/105-hOCR.xml', 'text/vnd.hocr+html');
const others = [
  ...[nodeOf(109, 'Image object', image), hidden, mediaOf(52, 109, service, hidden, [7, 7])],
  nodeOf(110, 'Image original only', image),
];
const later = [stored, mediaOf(54, 110, service, stored, [70, 71])];
const withText = [
  termOf(hocr, 'islandora_media_use', 'hOCR', { field_external_uri: [{ uri: 'https://discoverygarden.ca/use#hocr' }] }),
  ...[text, mediaOf(55, 105, hocr, text)],
];

/** What happens between the recorded requests besides them, by their notes. */
const before: Readonly<Record<string, () => Promise<unknown>>> = {
  'service file in the fedora scheme': () => put(atoll, later),
  'page two has a media with use hOCR': () => put(atoll, withText),
};

/** Recorded while the caches of the real site still had the settings before. The recordings of settings show what they do. */
const cached = new Set([
  'show_title none',
  'show_title view',
  'show_title node',
  'use_relative_paths true',
  'no iiif_server set',
]);

/** A deliberate difference, or one of the answers that are not the manifest's. */
const otherStatus: Readonly<Record<string, number>> = {
  // A page that fails in the real site: there is no such node.
  'node that does not exist': 404,
  'no number': 404,
};

describe('The recorded manifests', () => {
  it('are answered alike, in their order', async () => {
    await atoll.reset();
    await put(atoll, [...book(), ...others]);
    const session = await cookie(atoll, 'admin');
    for (const { note, request, answer } of recordingsOf('iiif-manifests')) {
      if (cached.has(note) || note.startsWith('image server answers')) continue;
      await before[note]?.();
      const response = await (
        request.as === 'admin by session'
          ? visit(atoll, session, request.method, request.path)
          : atoll.send(request.method, request.path, request.as === 'anonymous' ? undefined : request.as)
      )
        .set({ ...(request.body === undefined ? {} : { 'Content-Type': 'application/json' }), ...request.headers })
        .send(request.body === undefined || request.method === 'GET' ? undefined : JSON.stringify(request.body));
      const status = otherStatus[note] ?? answer.status;
      expect([request.method, request.path, note, response.status]).toEqual([
        request.method,
        request.path,
        note,
        status,
      ]);
      const isJson = typeof answer.body === 'object' && answer.body !== null;
      if (isJson && response.status !== 405) expect([note, response.body]).toEqual([note, answer.body]);
    }
  });
});

describe.each(
  recordingsOf('iiif-settings')
    .filter(({ note }) => note !== 'no iiif_server set')
    .map(({ note, request: { path }, answer: { body } }) => ({ note, path, body })),
)('With "$note"', ({ note, path, body }) => {
  const settings: Readonly<Record<string, object>> = {
    'show_title none': { label: 'none' },
    'show_title view': { label: 'view' },
    'show_title of another value': { label: 'fixed' },
    'use_relative_paths true': { relative_paths: true },
  };
  const server = JSON.stringify(body).includes('https://images.example')
    ? { image_server: 'https://images.example/iiif/2/' }
    : {};

  it(`GET ${path} answers 200 as recorded`, async () => {
    const other = await withSettings({ ...server, ...settings[note] });
    await put(other, [...book([3000, 4000]), ...withText]);
    expect(await bodyOf(other.send('GET', path).expect(200))).toEqual(body);
  });
});
