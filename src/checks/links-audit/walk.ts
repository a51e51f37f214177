/** Follows the links of a server as one visitor and notes what is wrong. `audit.ts` compares several visitors. */
import { keptText, headerValue, headerValues, type WireReply } from '../../exchange/exchange.ts';
import { areEqual } from '../../basics/equal-values.ts';
import { bareMediaType } from '../../openapi/openapi-terms.ts';
import type { TypedLink } from '../../basics/formats/typed-link.ts';
import { ConfigurationError } from '../../basics/configuration-error.ts';
import { parsedJson } from '../../basics/json.ts';
import { readLinkset } from '../../client/client.ts';
import { createSender, type Sender, readLinkLine } from '../../exchange/exchange-target.ts';
import { itemsOf, valueIn, valuesIn } from '../verify/record-members.ts';

/** `json` is undefined when the body is not JSON. */
type Answer = WireReply & { readonly json: unknown };

/** Linksets are longer than other answers. */
const keptBytes = 16 * 1024 * 1024;

/** Sends a request without a body to an address below the base URL. Throws `ConfigurationError` when nobody answers. */
const ask = async ({ sender, visitor }: State, method: string, address: string): Promise<Answer> => {
  try {
    const path = address.slice(sender.baseUrl.length);
    const { reply } = await sender.send({ method, path, headers: Object.entries(visitor.headers) });
    const isJson = /json/.test(headerValue(reply.headers, 'content-type') ?? '');
    return { ...reply, json: isJson ? parsedJson(keptText(reply.body)) : undefined };
  } catch (cause) {
    throw new ConfigurationError(`${method} ${address}: nobody answers. Name a running server with --url.`, { cause });
  }
};

/** `headers` carry the visitor's credentials. */
export type Visitor = { readonly name: string; readonly headers: Readonly<Record<string, string>> };

type Rule =
  | 'syntax'
  | 'hidden'
  | 'dead'
  | 'type'
  | 'head'
  | 'formats'
  | 'edit'
  | 'linkset'
  | 'canonical'
  | 'reciprocity'
  | 'subset';
/** A broken rule, with the visitor's name and the address. */
export type Finding = {
  readonly visitor: string;
  readonly address: string;
  readonly rule: Rule;
  readonly text: string;
};

/**
 * What one visitor found. `pages` has the links of every entity by its address without `_format`. `owners` has the nodes
 * whose `Link` headers should lead to a media: those that it belongs to, when it has a use.
 */
export type Walk = {
  readonly visitor: Visitor;
  readonly pages: ReadonlyMap<string, readonly TypedLink[]>;
  readonly owners: ReadonlyMap<string, readonly string[]>;
  readonly findings: readonly Finding[];
};

/** The relations whose targets are followed. The others lead to pages of the platform, which Atoll does not serve. */
const followed: ReadonlySet<string> = new Set(['canonical', 'related', 'tag', 'alternate', 'describes', 'linkset']);

/** Headers that may differ from answer to answer. */
const unstable: ReadonlySet<string> = new Set(['date', 'connection', 'keep-alive', 'transfer-encoding', 'age', 'via']);

type State = {
  readonly base: string;
  readonly sender: Sender;
  readonly visitor: Visitor;
  readonly answers: Map<string, Answer>;
  readonly owners: Map<string, readonly string[]>;
  readonly findings: Finding[];
  readonly queue: string[];
  /** The addresses of records by the aliases that links have named. */
  readonly aliases: Map<string, string>;
};

/** Walks from these addresses. `base` has no slash at its end. Targets outside it are not followed. `signal` ends the walk. */
export const walk = async (
  base: string,
  from: readonly string[],
  visitor: Visitor,
  signal?: AbortSignal,
): Promise<Walk> => {
  const pages = new Map<string, readonly TypedLink[]>();
  const sender = createSender({ baseUrl: base, keptBytes });
  const found = { answers: new Map(), owners: new Map(), findings: [] };
  const state: State = { base, sender, visitor, ...found, queue: [...from], aliases: new Map() };
  const seen = new Set<string>();
  try {
    for (let address = state.queue.shift(); address !== undefined; address = state.queue.shift()) {
      if (seen.has(address)) continue;
      signal?.throwIfAborted();
      seen.add(address);
      const links = await visitPage(state, address, from.includes(address));
      if (links !== undefined) pages.set(address, links);
    }
  } finally {
    sender.close();
  }
  const { owners, findings, aliases } = state;
  // A link may lead to a record by its alias.
  const resolved = (links: readonly TypedLink[]): readonly TypedLink[] =>
    links.map((link) => ({ ...link, target: aliases.get(link.target) ?? link.target }));
  return { visitor, pages: new Map([...pages].map(([at, links]) => [at, resolved(links)])), owners, findings };
};

const note = (state: State, address: string, rule: Rule, text: string): void => {
  state.findings.push({ visitor: state.visitor.name, address, rule, text });
};

/** The links of an entity, from its linkset if it has one. Undefined when the visitor may not see the entity. */
const visitPage = async (state: State, address: string, isStart: boolean): Promise<TypedLink[] | undefined> => {
  const answer = await get(state, withFormat(address));
  const isRefused = answer.status === 401 || answer.status === 403;
  if (isStart && !isRefused && answer.json === undefined) {
    const remedy = 'Name the base URL of a repository with --url.';
    throw new ConfigurationError(`${address} answers ${answer.status} and no JSON. ${remedy}`);
  }
  if (answer.status !== 200) {
    if (isStart && !isRefused) note(state, address, 'dead', `answers ${answer.status}`);
    return undefined;
  }
  const links = linksOf(state, address, answer);
  state.owners.set(address, ownersIn(state.base, answer.json));
  if (isRecord(state, address)) await checkCanonical(state, address, answer, links);
  for (const link of links) await follow(state, address, link, links);
  const complete = links.find(({ rel }) => rel === 'linkset');
  return complete === undefined ? links : withLinkset(state, address, links, complete);
};

/** A record's canonical address is its own, or an alias, where the same record is. */
const checkCanonical = async (
  state: State,
  address: string,
  { json }: Answer,
  links: readonly TypedLink[],
): Promise<void> => {
  const target = links.find(({ rel }) => rel === 'canonical')?.target;
  if (target === address) return;
  if (target?.startsWith(`${state.base}/`) === true) {
    const there = await get(state, inJson(target));
    state.aliases.set(target, address);
    if (areEqual(there.json, json)) return;
  }
  note(state, address, 'canonical', `has the canonical link ${target ?? 'nowhere'}; is --url the base URL?`);
};

/** The nodes that a record says it is a media of. Without a use it is in no `Link` header of theirs. */
const ownersIn = (base: string, record: unknown): readonly string[] =>
  itemsOf(record, 'field_media_use').length === 0
    ? []
    : valuesIn(record, 'field_media_of', 'target_id').map((id) => `${base}/node/${String(id)}`);

const linksOf = (state: State, address: string, answer: Answer): TypedLink[] =>
  headerValues(answer.headers, 'link')
    .map(readLinkLine)
    .flatMap(({ links, violations }) => {
      for (const violation of violations) note(state, address, 'syntax', violation);
      return links;
    });

const follow = async (state: State, address: string, link: TypedLink, links: readonly TypedLink[]): Promise<void> => {
  const { rel, target, type } = link;
  if (!target.startsWith(`${state.base}/`)) return;
  if (rel === 'edit-media') {
    const { status, headers } = await ask(state, 'OPTIONS', target);
    const allowed = headerValues(headers, 'allow').join(', ') || 'nothing';
    if (status !== 200 || !/\bPUT\b/.test(allowed)) {
      note(state, address, 'edit', `edit-media ${target}: OPTIONS answers ${status} and allows ${allowed}`);
    }
    return;
  }
  if (!followed.has(rel)) return;
  const answer = await get(state, namesRecord(rel, target) ? inJson(target) : withFormat(target));
  const { status } = answer;
  if (status !== 200) {
    const rule = status === 401 || status === 403 ? 'hidden' : 'dead';
    note(state, address, rule, `${rel} ${target} answers ${status} to the one who was given the link`);
    return;
  }
  const sent = headerValue(answer.headers, 'content-type');
  if (type !== undefined && bareMediaType(sent ?? '') !== bareMediaType(type)) {
    note(state, address, 'type', `${rel} ${target} is announced as ${type} and is ${sent ?? 'nothing'}`);
  }
  if (rel === 'alternate') compareFormats(state, address, links, linksOf(state, target, answer));
  const node = isEntity(target) ? target : nodeAt(state, answer.json);
  if (node === undefined) return;
  if (node !== target) state.aliases.set(target, node);
  state.queue.push(node);
};

/** Whether a link leads to a record, by its address or an alias. */
const namesRecord = (rel: string, target: string): boolean =>
  ['canonical', 'related', 'tag'].includes(rel) && !target.includes('?');

/** The address of the node that an answer shows, for one that was found by its alias. */
const nodeAt = ({ base }: State, json: unknown): string | undefined => {
  const id = valueIn(json, 'nid');
  return typeof id === 'number' ? `${base}/node/${id}` : undefined;
};

/** All formats of an entity have the same links, except for the alternates. */
const compareFormats = (
  state: State,
  address: string,
  one: readonly TypedLink[],
  other: readonly TypedLink[],
): void => {
  const rest = (links: readonly TypedLink[]): string => JSON.stringify(links.filter(({ rel }) => rel !== 'alternate'));
  // A bounded header with a longer alternate may leave out other links.
  const isBounded = [...one, ...other].some(({ rel }) => rel === 'linkset');
  if (!isBounded && rest(one) !== rest(other)) note(state, address, 'formats', 'has other links in another format');
};

const withLinkset = async (
  state: State,
  address: string,
  links: readonly TypedLink[],
  { target }: TypedLink,
): Promise<TypedLink[]> => {
  if (!target.startsWith(`${state.base}/`)) {
    // Another server must not get the visitor's credentials.
    note(state, address, 'linkset', `${target} is not on this server`);
    return [...links];
  }
  const { json } = await get(state, target);
  const all = readLinkset(json);
  const known = new Set(all.map(nameOf));
  for (const link of links.filter(({ rel }) => rel !== 'linkset')) {
    if (!known.has(nameOf(link))) note(state, address, 'linkset', `${nameOf(link)} is missing in ${target}`);
  }
  for (const link of all) await follow(state, address, link, links);
  return all;
};

/** A link as text, for comparing sets of links. */
export const nameOf = ({ rel, target, title, type }: TypedLink): string =>
  [rel, target, title, type].filter((part) => part !== undefined).join(' ');

/** Sends GET and HEAD to an address, once for each address. Their answers must be the same (RFC 9110 §9.3.2). */
const get = async (state: State, address: string): Promise<Answer> => {
  const known = state.answers.get(address);
  if (known !== undefined) return known;
  const answer = await ask(state, 'GET', address);
  const head = await ask(state, 'HEAD', address);
  for (const text of differences(answer, head)) note(state, address, 'head', text);
  state.answers.set(address, answer);
  return answer;
};

const differences = (got: Answer, head: Answer): string[] => {
  if (got.status !== head.status) return [`GET answers ${got.status}, HEAD ${head.status}`];
  const names = new Set([...got.headers, ...head.headers].map(([name]) => name.toLowerCase()));
  return [...names].flatMap((name) => {
    const [one, other] = [got, head].map(({ headers }) => JSON.stringify(headerValues(headers, name)));
    return one === other || unstable.has(name) ? [] : [`${name} differs between GET and HEAD`];
  });
};

/** Many sites have media at `/media/{id}/edit` only. */
const isEntity = (address: string): boolean =>
  /\/((node|media|taxonomy\/term|entity\/file|user)\/\d+|media\/\d+\/edit)$/.test(address);
const isRecord = ({ base }: State, address: string): boolean =>
  /^\/((node|media)\/\d+|media\/\d+\/edit)$/.test(address.slice(base.length));

/** Adds a format to the address of an entity, because GET without `_format` is 406. */
const withFormat = (address: string): string => (isEntity(address) ? inJson(address) : address);

const inJson = (address: string): string => `${address}?_format=json`;
