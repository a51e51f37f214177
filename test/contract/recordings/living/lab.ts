/** The recordings of the living repository as exchanges, and the site that they were recorded on. No tests here. */
import { join } from 'node:path';
import { isRecord, type JsonObject } from '../../../../src/basics/json.ts';
import { loadSiteFolder } from '../../../../src/repository/repository-sites.ts';
import type { Site } from '../../../../src/repository/repository.ts';
import { wholeBody } from '../../../../src/exchange/exchange-target.ts';
import type { HeaderLine, WireExchange } from '../../../../src/exchange/exchange.ts';
import { loadLiving } from '../../../../src/repository/repository-content.ts';
import { diskFolder } from '../../../../src/application/application-disk.ts';
import { type Recorded, recordingsOf } from '../../../living/recorded-site.ts';
import { termOf } from '../../../living/starter-site.ts';
import { root } from '../../../support/atoll.ts';
import type { Case } from './cases.ts';
import { redPicture } from '../second-lab/groups.ts';

export const livingTarget = 'http://localhost:8000';

/** The exchanges of a stretch. */
export const recorded = ({ file, from = 0, to }: Pick<Case, 'file' | 'from' | 'to'>): readonly Recorded[] =>
  recordingsOf(file).slice(from, to === undefined ? undefined : to + 1);

export const wireExchange = ({ request, answer }: Recorded, at: number): WireExchange => ({
  ...{ at, durationMs: 0, account: request.as },
  request: {
    ...{ method: request.method, path: request.path, body: wholeBody(sentBytes(request.body)) },
    headers: [
      ...(request.body === undefined || request.headers !== undefined ? [] : [jsonLine]),
      ...Object.entries(request.headers ?? {}),
      ...(request.as === 'anonymous' ? [] : [basicLine(request.as)]),
    ],
  },
  reply: {
    ...{ status: answer.status, reason: '', trailers: [] },
    headers: Object.entries(answer.headers).flatMap(([name, value]) =>
      [value].flat().map((one): HeaderLine => [name, one]),
    ),
    body: wholeBody(Buffer.from(typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body ?? ''))),
  },
});

const jsonLine: HeaderLine = ['Content-Type', 'application/json'];

const basicLine = (name: string): HeaderLine => [
  'Authorization',
  `Basic ${Buffer.from(`${name}:${name}`).toString('base64')}`,
];

const sentBytes = (body: unknown): Uint8Array => {
  if (body === undefined || body === null) return new Uint8Array();
  if (typeof body !== 'string') return Buffer.from(JSON.stringify(body));
  return body.includes('PNG') ? Buffer.from(redPicture, 'base64') : Buffer.from(body);
};

/** The packaged starter site with what the lab changed of it. */
export const labSite = async (changes: Readonly<Record<string, JsonObject>> = {}): Promise<Site> => {
  const folder = diskFolder(join(root, 'data/sites/starter-site'));
  const read: typeof folder.read = async (name, schema) => {
    const content: unknown = await folder.read(name, schema);
    if (!isRecord(content)) return content;
    // Nobody answered the messages of the lab.
    const kept = Object.entries(content).filter(([section]) => section !== 'derivatives');
    return { ...Object.fromEntries(kept), ...changes[name] };
  };
  return loadLiving(await loadSiteFolder({ ...folder, read }));
};

/** What the terms are called that the recordings name by number. */
const termNames: Readonly<Record<string, readonly [vocabulary: string, name: string]>> = {
  11: ['islandora_models', 'Image'],
  3: ['islandora_media_use', 'Original File'],
};

/** Pairs of the numbers of terms. */
export const termPairs = (site: Site): readonly (readonly [target: string, atoll: string])[] =>
  Object.entries(termNames).map(([target, [vocabulary, name]]) => [target, String(termOf(site, vocabulary, name))]);
