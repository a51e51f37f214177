/** The 224 recorded exchanges again: each answer is equal to the recorded one, or a row of data/differences.yml explains it. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { exchanges, observedFiles, type ObservedFile } from './exchanges.ts';
import { startReplay, type Replay } from './replay.ts';
import { given } from './states.ts';

const recordings = observedFiles.map((file) => ({ file, recorded: exchanges(`observed-${file}`) }));
const counts = { equal: 0, explained: 0, known: 0 };

type Places = Readonly<Record<number, readonly string[]>>;

/** That file was stored at a path outside of every scheme, which Atoll refuses. */
const outsideOfSchemes = ['/body/thumbnail/0/url'];
/** The thumbnail was an older file at the same location. */
const olderThumbnail = ['/body/thumbnail/0/target_id'];

/** What follows from the state or the set-up of the recorded site, by number. No row of the data can have such a cause. */
const consequences: Readonly<Partial<Record<ObservedFile, Places>>> = {
  'media-and-file': {
    ...Object.fromEntries([17, 18, 22, 23].map((number) => [number, outsideOfSchemes])),
    // Its owner may patch a file there. A row for that would hide a server that lets everybody.
    44: ['/status'],
  },
  'upload-endpoint': { 12: olderThumbnail, 15: olderThumbnail },
  // Stale hits of the page cache: the node and the file were deleted before.
  'deletes-dangling-unpublished': {
    6: [
      '/headers/Link',
      ...['type', 'uuid'].map((name) => `/body/field_media_of/0/target_${name}`),
      '/body/field_media_of/0/url',
    ],
    9: ['/headers/Link', '/body/@graph/0/@id'],
  },
  // The recorded site had no RDF mapping of resource types.
  'link-headers': { 4: ['/body/@graph/3/@type'] },
  // It had no issuer of tokens.
  'terms-login-cookie-fileupload': { 27: ['/status'] },
};

describe.each(recordings)('$file, replayed', ({ file, recorded }) => {
  let replay: Replay;
  beforeAll(async () => {
    replay = await startReplay(recorded, given[file]);
  });
  afterAll(() => replay.close());

  const numbered = recorded.map((exchange, at) => ({ number: at + 1, label: exchange.label.trim() }));
  it.each(numbered)('$number $label is answered as it was, or differs as the rows say', async ({ number }) => {
    const differences = await replay.send(number);
    const left = differences.filter((one) => one.class === 'new');
    const known = consequences[file]?.[number] ?? [];
    // What is not needed any more has to go.
    expect(left.filter(({ place }) => !known.includes(place))).toEqual([]);
    expect(left.map(({ place }) => place)).toEqual(known);
    counts[differences.length === 0 ? 'equal' : left.length === 0 ? 'explained' : 'known'] += 1;
  });
});

describe('The recorded exchanges', () => {
  it('are 224, equal, explained or known', () => {
    process.stdout.write(`\nReplay: ${JSON.stringify(counts)}\n`);
    expect(counts.equal + counts.explained + counts.known).toBe(224);
  });
});
