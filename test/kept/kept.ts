/** The kept samples: copies to work on, the site that they were made with, and the reviewed answers. `README.md` says what they are. */
import { appendFile, cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect } from '@jest/globals';
import { parse } from 'yaml';
import { startAtoll, type Atoll, type AtollOptions } from '../../src/cli/entries/atoll.ts';
import { digest } from '../../src/basics/secrets/digest.ts';
import { readLinkLine } from '../../src/exchange/exchange-target.ts';
import { root } from '../support/atoll.ts';
import { basic } from '../support/requests.ts';
import { testSigningKey } from '../support/signing-key.ts';

export const keptFolder = join(root, 'test/kept');

const folder = await mkdtemp(join(tmpdir(), 'atoll-kept-'));
afterAll(() => rm(folder, { recursive: true }));

let copies = 0;
/** A path that is not there yet, below a folder that goes with the test file. */
export const newPath = (name: string): string => {
  copies += 1;
  return join(folder, `${copies}-${name}`);
};

/** A copy of a sample. No test changes the sample itself. */
export const copyOf = async (sample: string): Promise<string> => {
  const copy = newPath(sample.replaceAll('/', '-'));
  await cp(join(keptFolder, sample), copy, { recursive: true });
  return copy;
};

/** Changes a text in a file, which must hold it. */
export const change = async (file: string, from: string, to: string): Promise<void> => {
  const text = await readFile(file, 'latin1');
  expect(text).toContain(from);
  await writeFile(file, text.replace(from, to), 'latin1');
};

/** The document and the handlers of the samples that have records of a collection. They are served alone. */
export const notes = {
  document: join(keptFolder, 'notes/notes.yaml'),
  handlers: join(keptFolder, 'notes/handlers'),
};

/** The default site of this program with the lines of `site/` added: the site of all samples but `data-1`. */
export const keptSite = async (): Promise<string> => {
  const site = newPath('site');
  await cp(join(root, 'data/site'), site, { recursive: true });
  for (const name of ['site.yml', 'living.yml']) {
    await appendFile(join(site, name), await readFile(join(keptFolder, 'site', name)));
  }
  return site;
};

type Answer = {
  readonly get?: string;
  readonly post?: string;
  readonly json?: object;
  readonly as?: string;
  readonly status: number;
  readonly members?: object;
  readonly links?: readonly { readonly rel: string; readonly title?: string; readonly path: string }[];
  readonly location?: string;
  readonly text?: string;
  readonly sha256?: string;
};

/** The parts of `answers.yml`. */
type Answers =
  'format-1' | 'format-2' | 'format-3' | 'fixture' | 'recording' | 'after-clean' | 'after-snapshot' | 'trial';

const answersOf = async (name: Answers): Promise<readonly Answer[]> => {
  const all = parse(await readFile(join(keptFolder, 'answers.yml'), 'utf8')) as Record<Answers, readonly Answer[]>; // a reviewed file
  return all[name];
};

type Ask = (path: string, init: RequestInit) => Promise<Response>;

/** Compares what `ask` answers with the reviewed answers. `only: 'reads'` leaves out the writes at their end. */
export const expectAnswers = async (ask: Ask, name: Answers, only: 'all' | 'reads' = 'all'): Promise<void> => {
  for (const answer of await answersOf(name)) {
    const { get, post, json, as, status } = answer;
    const path = get ?? post ?? '';
    if (get === undefined && only === 'reads') continue;
    const response = await ask(path, {
      ...{ method: get === undefined ? 'POST' : 'GET', redirect: 'manual' },
      headers: {
        ...(as === undefined ? {} : basic(as).headers),
        ...(json === undefined ? {} : { 'Content-Type': 'application/json' }),
      },
      ...(json === undefined ? {} : { body: JSON.stringify(json) }),
    });
    const bytes = Buffer.from(await response.arrayBuffer());
    const label = `${path} as ${as ?? 'anonymous'}`;
    expect([label, seen(response, bytes, answer)]).toMatchObject([label, { status, ...expected(answer) }]);
  }
};

const expected = ({ members, links, location, text, sha256 }: Answer) => ({
  ...(members === undefined ? {} : { members }),
  ...(links === undefined ? {} : { links: expect.arrayContaining(links.map((link) => expect.objectContaining(link))) }),
  ...(location === undefined ? {} : { location }),
  ...(text === undefined ? {} : { text }),
  ...(sha256 === undefined ? {} : { sha256 }),
});

const seen = ({ status, headers }: Response, bytes: Buffer, { members }: Answer) => ({
  status,
  members: members === undefined ? undefined : (JSON.parse(bytes.toString()) as object), // compared with the reviewed one
  links: readLinkLine(headers.get('Link') ?? '').links.map(({ rel, title, target }) => ({
    rel,
    title,
    path: pathOf(target),
  })),
  location: pathOf(headers.get('Location') ?? ''),
  text: bytes.toString(),
  sha256: digest('sha256', bytes, 'hex'),
});

/** Without the origin of the server. */
const pathOf = (address: string): string => address.replace(/^https?:\/\/[^/]+/, '');

/** Starts the program in this process, calls back with it, and stops it. Nothing may go wrong meanwhile, and no warning be given. */
export const withAtoll = async (options: AtollOptions, use: (atoll: Atoll) => Promise<void>): Promise<void> => {
  const errors: unknown[] = [];
  const onError = (error: unknown): void => void errors.push(error);
  const atoll = await startAtoll({ port: false, jwtKey: testSigningKey, onError, ...options });
  try {
    await use(atoll);
  } finally {
    await atoll.close();
  }
  expect(errors).toEqual([]);
};
