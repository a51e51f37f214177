/** Hostile files, uploaded to the built program: everybody else is answered meanwhile, each file ends, and so does the server. */
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { deflateSync } from 'node:zlib';
import type { components } from '../../../src/core/generated/control.ts';
import {
  packedPdf,
  packedZeros,
  pngOf,
  nestedPdf,
  nestedTiff,
  noisyJpeg,
  scannedJpeg,
} from '../../support/hostile-files.ts';
import { pngBytes } from '../../support/png.ts';
import { type RunningProgram, startProgram } from '../../support/program.ts';

type Reaction = components['schemas']['Reaction'];

const models = { image: 13, document: 12 };
const originalFile = 3;

/** What is uploaded: to which bundle, as what. */
type Kind = { readonly model: number; readonly bundle: string; readonly type: string; readonly ending: string };

const kinds = {
  png: { model: models.image, bundle: 'image', type: 'image/png', ending: 'png' },
  jpeg: { model: models.image, bundle: 'image', type: 'image/jpeg', ending: 'jpg' },
  tiff: { model: models.image, bundle: 'file', type: 'image/tiff', ending: 'tif' },
  pdf: { model: models.document, bundle: 'document', type: 'application/pdf', ending: 'pdf' },
} satisfies Readonly<Record<string, Kind>>;

const authorization = `Basic ${Buffer.from('admin:islandora').toString('base64')}`;

const upload = async ({ url }: RunningProgram, { model, bundle, type, ending }: Kind, bytes: Uint8Array) => {
  const created = await fetch(`${url}/node?_format=json`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    body: JSON.stringify({
      ...{ type: [{ target_id: 'islandora_object' }], title: [{ value: 'A title' }] },
      field_model: [{ target_id: model }],
    }),
  });
  const { nid } = (await created.json()) as { readonly nid: readonly [{ readonly value: number }] }; // a node has one
  const stored = await fetch(`${url}/node/${nid[0].value}/media/${bundle}/${originalFile}`, {
    method: 'PUT',
    headers: { authorization, 'content-type': type, 'content-location': `public://a-${nid[0].value}.${ending}` },
    body: new Uint8Array(bytes),
  });
  expect(stored.status).toBe(201);
  return nid[0].value;
};

/** All reactions, when none waits. The server answers after a while also when some do. */
const settledReactions = async ({ url }: RunningProgram): Promise<readonly Reaction[]> => {
  for (;;) {
    const reply = await fetch(`${url}/_atoll/reactions?settled=true`);
    const { settled, reactions } = (await reply.json()) as components['schemas']['Reactions']; // the document says so
    if (settled) return reactions;
  }
};

/** The derivatives of a node, when all are there. Health is asked all the time, and answers. */
const derivativesOf = async (server: RunningProgram, node: number): Promise<readonly Reaction[]> => {
  const watching = new AbortController();
  const settled = settledReactions(server).finally(() => watching.abort());
  while (!watching.signal.aborted) {
    const health = await fetch(`${server.url}/_atoll/health`, { signal: AbortSignal.timeout(5000) });
    expect(health.status).toBe(200);
    await sleep(20);
  }
  return (await settled).filter(({ about, name }) => about === `node:${node}` && name.startsWith('make '));
};

/** Of the process and of those that it has started, in bytes; what it had at most. Linux tells it. */
const mostMemory = ({ child }: RunningProgram): number => {
  const [, kilobytes = '0'] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) * 1024;
};

describe('A hostile file', () => {
  let server: RunningProgram;
  beforeAll(async () => {
    server = await startProgram(['--memory', '--site', 'starter-site', '--fixture', 'empty']);
  });
  afterAll(async () => {
    expect(await server.stop()).toBe(0);
  });

  /** What is said of its thumbnail or text: why it is a placeholder, or nothing. */
  const rows: readonly (readonly [string, Kind, () => Uint8Array, RegExp | undefined])[] = [
    ['a TIFF of directories that lead to the next one', kinds.tiff, () => nestedTiff(0x8769), /do not read this form/],
    ['a PNG of one pixel whose data are 1 GiB', kinds.png, () => pngOf(1, 1, packedZeros(1024)), undefined],
    [
      'a PNG whose header claims 900 million pixels',
      kinds.png,
      () => pngOf(30_000, 30_000, deflateSync('')),
      /16 million/,
    ],
    ['a picture of a phone', kinds.jpeg, () => noisyJpeg(4000, 3000), undefined],
    ['a JPEG of 5,000 scans', kinds.jpeg, () => scannedJpeg(1600, 1200, 5000), /64 scans/],
    ['a PDF of forms that draw the next one ten times', kinds.pdf, () => nestedPdf(8), /more than 10 s/],
    ['a PDF whose page is 1 GiB', kinds.pdf, () => packedPdf(Buffer.alloc(1024 * 1024 * 1024, ' ')), /640 MiB|10 s/],
    ['a PNG of which the half is missing', kinds.png, () => pngBytes(400, 300).subarray(0, 150), /damaged/],
    ['a PDF that is a picture', kinds.pdf, () => pngBytes(4, 4), /recognise no text/],
  ];
  it.each(rows)('%s: 201, health answers meanwhile, and the next file is read', async (_name, kind, bytes, reason) => {
    const node = await upload(server, kind, bytes());
    const made = await derivativesOf(server, node);
    expect(made.map(({ state }) => state)).toEqual(made.map(() => 'done'));
    const messages = made.flatMap(({ message }) => message ?? []);
    if (reason === undefined) expect(messages).toEqual([]);
    else expect(messages).toContainEqual(expect.stringMatching(reason));
    const good = await upload(server, kinds.png, pngBytes());
    const next = await derivativesOf(server, good);
    expect(next.length).toBeGreaterThan(0);
    expect(next.flatMap(({ message }) => message ?? [])).toEqual([]);
  });

  it('leaves the memory of the server as it was', () => {
    expect(mostMemory(server)).toBeLessThan(400 * 1024 * 1024);
  });
});

describe('A server that reads a file', () => {
  it('ends with SIGTERM at once, and with exit code 0', async () => {
    const server = await startProgram(['--memory', '--site', 'starter-site', '--fixture', 'empty']);
    await upload(server, kinds.pdf, nestedPdf(12));
    const began = Date.now();
    expect(await server.stop()).toBe(0);
    expect(Date.now() - began).toBeLessThan(8000);
  });
});
