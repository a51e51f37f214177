/**
 * Sends files by a seed to the built program, damaged ones and grown ones, and asks of all: they are taken, their derivatives are made or
 * stand for them, health answers, and a good file is read at the end. `FILES_SEED` chooses another seed, `FILES_COUNT` another number.
 */
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parseDocument } from 'yaml';
import { root } from '../../support/atoll.ts';
import {
  createObject,
  isDerivative,
  type KindName,
  type Reaction,
  settledReactions,
  uploadOriginal,
} from '../../support/originals.ts';
import { pngBytes } from '../../support/png.ts';
import { type RunningProgram, startProgram, withDirectory } from '../../support/program.ts';
import { createRandomSource } from '../../support/random-source.ts';
import { nextFile } from './made-files.ts';

const count = Number(process.env['FILES_COUNT'] ?? (process.env['SUITE'] === 'files' ? 20_000 : 500));
const seed = process.env['FILES_SEED'] ?? 'files';

/** As many as are uploaded before their derivatives are awaited. */
const together = 20;

/** The starter site with one derivative of each file: a thumbnail of a picture, the text of a document. */
const writeSite = (folder: string): string => {
  const site = join(folder, 'site');
  cpSync(join(root, 'data/sites/starter-site'), site, { recursive: true });
  const file = join(site, 'living.yml');
  const document = parseDocument(readFileSync(file, 'utf8'));
  const { contexts } = (document.toJS() as { derivatives: { contexts: { id: string }[] } }).derivatives; // that site's
  const wanted: Readonly<Record<string, string>> = {
    image_original_file: 'image_generate_a_thumbnail_from_an_original_file',
    pdf_original_file: 'get_ocr_from_image',
  };
  const kept = contexts
    .filter(({ id }) => Object.hasOwn(wanted, id))
    .map((context) => ({ ...context, derivative: [wanted[context.id]] }));
  document.setIn(['derivatives', 'contexts'], kept);
  writeFileSync(file, document.toString());
  return site;
};

/** Resolves with the derivatives that have ended since the last call, when none waits. */
const createReader = (url: string) => {
  let last = 0;
  return async (): Promise<readonly Reaction[]> => {
    const health = await fetch(`${url}/_atoll/health`, { signal: AbortSignal.timeout(10_000) });
    expect(health.status).toBe(200);
    const reactions = await settledReactions(url);
    const ended = reactions.filter((reaction) => reaction.id > last && isDerivative(reaction));
    last = Math.max(last, ...reactions.map(({ id }) => id));
    return ended;
  };
};

describe(`${count} files by the seed "${seed}"`, () => {
  let server: RunningProgram;
  beforeAll(async () => {
    const started = await new Promise<RunningProgram>((resolve, reject) => {
      withDirectory(async (folder) => {
        const running = await startProgram(['--memory', '--site', writeSite(folder), '--fixture', 'empty']);
        resolve(running);
        await new Promise((ended) => running.child.once('exit', ended));
      }).catch(reject);
    });
    server = started;
  });
  afterAll(async () => {
    expect(await server.stop()).toBe(0);
  });

  it('are taken, and each has its derivative or a placeholder', async () => {
    const random = createRandomSource(seed);
    const readReactions = createReader(server.url);
    const nodes = new Map<KindName, number>();
    const found = new Map<string, number>();
    const note = (what: string): void => void found.set(what, (found.get(what) ?? 0) + 1);
    const upload = async (kind: KindName, bytes: Uint8Array): Promise<number> => {
      const node = nodes.get(kind) ?? (await createObject(server.url, kind));
      nodes.set(kind, node);
      return uploadOriginal(server.url, node, kind, bytes);
    };
    const gather = async (): Promise<readonly Reaction[]> => {
      const ended = await readReactions();
      for (const { state, message } of ended)
        note(state === 'done' ? (message ?? 'a derivative') : `${state}: ${message}`);
      return ended;
    };
    for (let at = 0; at < count; at += 1) {
      const { kind, bytes } = nextFile(random);
      note(`answered ${await upload(kind, bytes)}`);
      if (at % together === together - 1) await gather();
    }
    await gather();
    expect(await upload('png', pngBytes(80, 60, at(random)))).toBe(204);
    const last = await gather();
    expect(last.length).toBeGreaterThan(0);
    expect(last.filter(({ state, message }) => state !== 'done' || message !== undefined)).toEqual([]);
    process.stdout.write(`${[...found].map(([what, often]) => `${String(often).padStart(7)}  ${what}`).join('\n')}\n`);
    const unexpected = [...found.keys()].filter(
      (what) => !/^(?:answered 20[14]|a derivative|A placeholder: .*)$/.test(what),
    );
    expect(unexpected).toEqual([]);
    expect(found.get('a derivative')).toBeGreaterThan(count / 20);
  });
});

/** A shade of grey that no file before had. */
const at = (random: () => number): number => 1 + Math.floor(random() * 200);
