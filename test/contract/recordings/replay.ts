/** Sends recorded requests again, in their order, to a fresh Atoll whose clock and ids stand where the recorded server's stood. */
import { hashPassword } from '../../../src/core/access/passwords.ts';
import type { Entity, EntityKey } from '../../../src/core/model/entity.ts';
import type { Site } from '../../../src/core/site/site.ts';
import type { Change, Counter } from '../../../src/core/model/entity-store.ts';
import { createTestAtoll, type TestAtoll } from '../../support/atoll.ts';
import { createTranslation, type Answer, type Translation } from './compare.ts';
import type { Exchange } from './exchanges.ts';
import { listen, type Listening } from './http.ts';
import { bytesLike } from './uploads.ts';

/** A request that was not recorded, but without which the recorded ones do not make sense. */
export type Step = {
  readonly method: string;
  readonly path: string;
  /** The account's name; nobody when absent. */
  readonly as?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** When it was sent, as `22:25:36` of the day of the recordings; a moment after what came before, when absent. */
  readonly at?: string;
};

/** What was there before the first exchange of a file, and what happened unrecorded between them. */
export type Given = {
  readonly start: string;
  readonly entities: (site: Site) => readonly Entity[];
  /** Records of the site that the recorded server no longer had at the first exchange. */
  readonly gone?: readonly EntityKey[];
  /** What happened unrecorded before an exchange, by its number from 1: first the ids used up, then the steps sent. */
  readonly before?: Readonly<Record<number, Before>>;
  /** When exchanges were sent whose answers do not tell, by number. */
  readonly at?: Readonly<Record<number, string>>;
};
export type Before = { readonly steps?: readonly Step[]; readonly usedUp?: UsedUp };
type UsedUp = Readonly<Partial<Record<Counter, number>>>;

export type Replay = {
  /** The answer to the exchange with this number, once everything before it has happened. */
  send(number: number): Promise<Answer>;
  readonly translation: Translation;
  close(): Promise<void>;
};

export const dayOfRecording = (time: string): string => `2026-11-20T${time}Z`;

const password = 'pw';

/** The default site with the recorded accounts' password, and terms as old as the recorded ones. */
const recordedSite = (site: Site, passwordHash: string): Site => ({
  ...site,
  seedTime: Date.parse(dayOfRecording('22:02:08')) / 1000,
  accounts: site.accounts.map((account) => ({ ...account, passwordHash, demoPassword: password })),
});

/** Starts an Atoll in the state that a recorded file presumes. */
export const startReplay = async (recorded: readonly Exchange[], given: Given): Promise<Replay> => {
  const hash = await hashPassword(password, new Uint8Array(16));
  const atoll = await createTestAtoll({ fixture: 'empty', site: (site) => recordedSite(site, hash) });
  atoll.clock.set(dayOfRecording(given.start));
  await fill(atoll, given);
  const listening = await listen(atoll.app);
  const translation = createTranslation();
  const drawn = new Map<string, number>();
  let sent = 0;
  const send = async (number: number): Promise<Answer> => {
    if (number !== ++sent) throw new Error(`exchange ${number} is out of turn`);
    const exchange = recorded[number - 1];
    if (exchange === undefined) throw new Error(`there is no exchange ${number}`);
    const before = given.before?.[number];
    await useUp(atoll, before?.usedUp ?? {}, drawn);
    for (const step of before?.steps ?? []) {
      moveClock(atoll, step.at);
      const answer = await sendRequest(listening, { ...step, credentials: step.as ?? null }, translation);
      if (answer.status >= 500) throw new Error(`${step.method} ${step.path}: ${answer.status} ${answer.text}`);
    }
    await useUp(atoll, idsBefore(exchange), drawn);
    moveClock(atoll, given.at?.[number] ?? timeOf(exchange));
    return sendRequest(listening, exchange.request, translation);
  };
  return {
    send,
    translation,
    close: () => listening.close(),
  };
};

const fill = async (atoll: TestAtoll, given: Given): Promise<void> => {
  const put = given.entities(atoll.site).map((entity): Change => ({ put: entity }));
  const removed = (given.gone ?? []).map((key): Change => ({ remove: key }));
  await atoll.world().store.transact([], () => ({ changes: [...put, ...removed], result: undefined }));
};

/** Forward only: a moment later, or at the told time when that is later still. */
const moveClock = ({ clock }: TestAtoll, at: string | undefined): void => {
  const told = at === undefined ? 0 : Date.parse(at.includes('T') ? at : dayOfRecording(at));
  if (told >= clock.now()) clock.set(new Date(told).toISOString());
  else clock.advance(0.01);
};

/** A record that was made or changed tells when. */
const timeOf = ({ request, response }: Exchange): string | undefined => {
  if (request.method === 'GET' || typeof response.body !== 'object' || response.body === null) return undefined;
  const { changed } = response.body as { readonly changed?: readonly { readonly value: string }[] }; // a record's known shape
  return changed?.[0]?.value;
};

/** The ids before the one that an exchange made: unrecorded requests had used them up. */
const idsBefore = ({ response }: Exchange): UsedUp => {
  const [, type, id] = /\/(node|media)\/(\d+)$/.exec(String(response.headers['Location'])) ?? [];
  if (type === undefined) return {};
  // The recorded server's nodes had 68 revisions more than there were nodes.
  return type === 'node'
    ? { node: Number(id) - 1, node_revision: Number(id) + 67 }
    : { media: Number(id) - 1, media_revision: Number(id) - 1 };
};

const useUp = async (atoll: TestAtoll, usedUp: UsedUp, drawn: Map<string, number>): Promise<void> => {
  const { store } = atoll.world();
  for (const [name, id] of Object.entries(usedUp)) {
    const counter = name as Counter; // Object.entries forgets the type of keys
    if ((drawn.get(counter) ?? 0) >= id) continue;
    const highest = await highestId(atoll, counter);
    await store.transact([], (view) => {
      for (let last = highest; last < id;) last = view.nextId(counter);
      return { changes: [], result: undefined };
    });
    drawn.set(counter, id);
  }
};

/** The highest id in use, or the highest revision for the counter of revisions. */
const highestId = async (atoll: TestAtoll, counter: Counter): Promise<number> => {
  const type = counter.replace('_revision', '') as Entity['type']; // what is left of a counter's name
  const { entities } = await atoll.world().store.list(type, { offset: 0, limit: 10_000 });
  const ids = entities.map((entity) => {
    const revision = entity.fields['vid']?.[0]?.['value'];
    return counter.endsWith('_revision') ? (typeof revision === 'number' ? revision : 0) : entity.id;
  });
  return Math.max(0, ...ids);
};

type Sendable = {
  readonly method: string;
  readonly path: string;
  readonly credentials: string | null;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
};

const sendRequest = async (listening: Listening, sendable: Sendable, translation: Translation): Promise<Answer> => {
  const own = Object.entries(sendable.headers ?? {}).map(([name, value]) => [name, translation.toOurs(value)] as const);
  const answer = await listening.send({
    method: sendable.method,
    path: translation.toOurs(sendable.path),
    headers: { ...Object.fromEntries(own), ...credentialHeaders(sendable.credentials) },
    body: bodyBytes(sendable.body, translation),
  });
  translation.meet(answer);
  return answer;
};

const credentialHeaders = (name: string | null): Record<string, string> => {
  if (name === null) return {};
  const pair = name === 'wrong password' ? 'admin:wrong' : `${name}:${password}`;
  return { Authorization: `Basic ${Buffer.from(pair).toString('base64')}` };
};

const bodyBytes = (body: unknown, translation: Translation): Buffer | undefined => {
  if (body === null || body === undefined) return undefined;
  if (typeof body !== 'string') return Buffer.from(translation.toOurs(JSON.stringify(body)));
  const size = /^\((\d+) bytes\)$/.exec(body)?.[1];
  return size === undefined ? Buffer.from(body) : bytesLike(Number(size));
};
