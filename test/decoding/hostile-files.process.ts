/** Hostile files, uploaded to the built program: everybody else is answered meanwhile, each file ends, and so does the server. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { deflateSync } from 'node:zlib';
import { bundle } from '../../scripts/bundle.mjs';
import { root } from '../support/atoll.ts';
import {
  packedPdf,
  packedZeros,
  pngOf,
  nestedPdf,
  nestedTiff,
  noisyJpeg,
  scannedJpeg,
} from '../support/hostile-files.ts';
import {
  createObject,
  isDerivative,
  type KindName,
  type Reaction,
  settledReactions,
  uploadOriginal,
} from '../support/originals.ts';
import { pngBytes } from '../support/png.ts';
import { type RunningProgram, startProgram } from '../support/program.ts';

const upload = async ({ url }: RunningProgram, kind: KindName, bytes: Uint8Array): Promise<number> => {
  const node = await createObject(url, kind);
  expect(await uploadOriginal(url, node, kind, bytes)).toBe(201);
  return node;
};

/** The derivatives of a node, when all are there. Health is asked all the time, and answers. */
const derivativesOf = async (server: RunningProgram, node: number): Promise<readonly Reaction[]> => {
  const watching = new AbortController();
  const settled = settledReactions(server.url).finally(() => watching.abort());
  while (!watching.signal.aborted) {
    const health = await fetch(`${server.url}/_atoll/health`, { signal: AbortSignal.timeout(5000) });
    expect(health.status).toBe(200);
    await sleep(20);
  }
  return (await settled).filter((reaction) => reaction.about === `node:${node}` && isDerivative(reaction));
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
  const rows: readonly (readonly [string, KindName, () => Uint8Array, RegExp | undefined])[] = [
    ['a TIFF of directories that lead to the next one', 'tiff', () => nestedTiff(0x8769), /do not read this form/],
    ['a PNG of one pixel whose data are 1 GiB', 'png', () => pngOf(1, 1, packedZeros(1024)), undefined],
    ['a PNG whose header claims 900 million pixels', 'png', () => pngOf(30_000, 30_000, deflateSync('')), /16 million/],
    ['a picture of a phone', 'jpeg', () => noisyJpeg(4000, 3000), undefined],
    ['a JPEG of 5,000 scans', 'jpeg', () => scannedJpeg(1600, 1200, 5000), /64 scans/],
    ['a PDF of forms that draw the next one ten times', 'pdf', () => nestedPdf(8), /more than 10 s/],
    ['a PDF whose page is 1 GiB', 'pdf', () => packedPdf(Buffer.alloc(1024 * 1024 * 1024, ' ')), /640 MiB|10 s/],
    ['a PNG of which the half is missing', 'png', () => pngBytes(400, 300).subarray(0, 150), /damaged/],
    ['a PDF that is a picture', 'pdf', () => pngBytes(4, 4), /recognise no text/],
  ];
  it.each(rows)('%s: 201, health answers meanwhile, and the next file is read', async (_name, kind, bytes, reason) => {
    const node = await upload(server, kind, bytes());
    const made = await derivativesOf(server, node);
    expect(made.map(({ state }) => state)).toEqual(made.map(() => 'done'));
    const messages = made.flatMap(({ message }) => message ?? []);
    if (reason === undefined) expect(messages).toEqual([]);
    else expect(messages).toContainEqual(expect.stringMatching(reason));
    const good = await upload(server, 'png', pngBytes());
    const next = await derivativesOf(server, good);
    expect(next.length).toBeGreaterThan(0);
    expect(next.flatMap(({ message }) => message ?? [])).toEqual([]);
  });

  it('leaves the memory of the server as it was', () => {
    expect(mostMemory(server)).toBeLessThan(400 * 1024 * 1024);
  });
});

describe('A program that is one file', () => {
  it('has what reads files in it', async () => {
    const file = join(root, 'coverage/one-file.mjs');
    await bundle(file);
    const server = await startProgram(
      ['--memory', '--site', 'starter-site', '--fixture', 'empty'],
      0,
      undefined,
      undefined,
      file,
    );
    const made = await derivativesOf(server, await upload(server, 'png', pngBytes()));
    expect(made.map(({ state, message }) => [state, message])).toEqual(made.map(() => ['done', undefined]));
    expect(made.length).toBeGreaterThan(0);
    expect(await server.stop()).toBe(0);
  });
});

describe('A server that reads a file', () => {
  it('ends with SIGTERM at once, and with exit code 0', async () => {
    const server = await startProgram(['--memory', '--site', 'starter-site', '--fixture', 'empty']);
    await upload(server, 'pdf', nestedPdf(12));
    const began = Date.now();
    expect(await server.stop()).toBe(0);
    expect(Date.now() - began).toBeLessThan(8000);
  });
});
