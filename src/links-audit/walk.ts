/** Walks through a server from link to link as one visitor, and notes what does not hold. Several visitors are compared in `audit.ts`. */
import { ask, type Answer } from './ask.ts';
import { readLine, type FoundLink } from './link-syntax.ts';

/** `headers` carry the visitor's credentials. */
export type Identity = { readonly name: string; readonly headers: Readonly<Record<string, string>> };

export type Rule =
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
/** What does not hold, where, for whom. */
export type Finding = {
  readonly identity: string;
  readonly address: string;
  readonly rule: Rule;
  readonly text: string;
};

/** What one visitor found: the links of every entity, by its address without `_format`, and how many links there were. */
export type Walk = {
  readonly identity: Identity;
  readonly pages: ReadonlyMap<string, readonly FoundLink[]>;
  readonly findings: readonly Finding[];
};

/** Relations whose targets are followed; the pages of the platform are not served (decisions: Platform relations). */
const followed: ReadonlySet<string> = new Set(['canonical', 'related', 'tag', 'alternate', 'describes', 'linkset']);

/** Headers that belong to the moment or the connection. */
const fleeting: ReadonlySet<string> = new Set(['date', 'connection', 'keep-alive', 'transfer-encoding', 'age', 'via']);

type Step = {
  readonly base: string;
  readonly identity: Identity;
  readonly answers: Map<string, Promise<Answer>>;
  readonly findings: Finding[];
  readonly queue: string[];
};

/** Walks from the given addresses. `base` has no slash at its end; targets outside it are read, not followed. */
export const walk = async (base: string, from: readonly string[], identity: Identity): Promise<Walk> => {
  const pages = new Map<string, readonly FoundLink[]>();
  const step: Step = { base, identity, answers: new Map(), findings: [], queue: [...from] };
  const seen = new Set<string>();
  for (let address = step.queue.shift(); address !== undefined; address = step.queue.shift()) {
    if (seen.has(address)) continue;
    seen.add(address);
    const links = await visitPage(step, address, from.includes(address));
    if (links !== undefined) pages.set(address, links);
  }
  return { identity, pages, findings: step.findings };
};

const note = (step: Step, address: string, rule: Rule, text: string): void => {
  step.findings.push({ identity: step.identity.name, address, rule, text });
};

/** The links of an entity, the complete set where the header names one; undefined when the visitor may not see it. */
const visitPage = async (step: Step, address: string, isStart: boolean): Promise<FoundLink[] | undefined> => {
  const answer = await get(step, represented(address));
  if (answer.status !== 200) {
    const isRefused = answer.status === 401 || answer.status === 403;
    if (isStart && !isRefused) note(step, address, 'dead', `answers ${answer.status}`);
    return undefined;
  }
  const links = linksOf(step, address, answer);
  const [canonical] = links.filter(({ rel }) => rel === 'canonical');
  if (isRecord(step, address) && canonical?.target !== address) {
    note(
      step,
      address,
      'canonical',
      `has the canonical link ${canonical?.target ?? 'nowhere'}; is --url the base URL?`,
    );
  }
  for (const link of links) await follow(step, address, link, links);
  const complete = links.find(({ rel }) => rel === 'linkset');
  return complete === undefined ? links : withLinkset(step, address, links, complete);
};

const linksOf = (step: Step, address: string, answer: Answer): FoundLink[] =>
  (answer.headers.get('link') ?? []).map(readLine).flatMap(({ links, faults }) => {
    for (const fault of faults) note(step, address, 'syntax', fault);
    return links;
  });

const follow = async (step: Step, address: string, link: FoundLink, links: readonly FoundLink[]): Promise<void> => {
  const { rel, target, type } = link;
  if (!target.startsWith(`${step.base}/`)) return;
  if (rel === 'edit-media') {
    const { status, headers } = await ask('OPTIONS', target, step.identity.headers);
    const allowed = headers.get('allow')?.join(', ') ?? 'nothing';
    if (status !== 200 || !/\bPUT\b/.test(allowed)) {
      note(step, address, 'edit', `edit-media ${target}: OPTIONS answers ${status} and allows ${allowed}`);
    }
    return;
  }
  if (!followed.has(rel)) return;
  const answer = await get(step, represented(target));
  const { status } = answer;
  if (status !== 200) {
    const rule = status === 401 || status === 403 ? 'hidden' : 'dead';
    note(step, address, rule, `${rel} ${target} answers ${status} to the one who was given the link`);
    return;
  }
  const sent = answer.headers.get('content-type')?.[0];
  if (type !== undefined && sent?.split(';')[0] !== type.split(';')[0]) {
    note(step, address, 'type', `${rel} ${target} is announced as ${type} and is ${sent ?? 'nothing'}`);
  }
  if (rel === 'alternate') compareFormats(step, address, links, linksOf(step, target, answer));
  if (isEntity(target)) step.queue.push(target);
};

/** Contract, Signposting 2: the same links for every format (but for the alternates). */
const compareFormats = (step: Step, address: string, one: readonly FoundLink[], other: readonly FoundLink[]): void => {
  const rest = (links: readonly FoundLink[]): string => JSON.stringify(links.filter(({ rel }) => rel !== 'alternate'));
  // A bounded header may leave other links out when its alternate is longer.
  const isBounded = [...one, ...other].some(({ rel }) => rel === 'linkset');
  if (!isBounded && rest(one) !== rest(other)) note(step, address, 'formats', 'has other links in another format');
};

type TargetObject = { readonly href: string; readonly title?: string; readonly type?: string };

const withLinkset = async (
  step: Step,
  address: string,
  links: readonly FoundLink[],
  { target }: FoundLink,
): Promise<FoundLink[]> => {
  const { json } = await get(step, target);
  const { linkset: [context] = [] } = (json ?? {}) as { linkset?: Record<string, string | TargetObject[]>[] }; // RFC 9264 §4.2
  const all = Object.entries(context ?? {}).flatMap(([rel, targets]) =>
    typeof targets === 'string' ? [] : targets.map(({ href, title, type }) => ({ rel, target: href, title, type })),
  );
  const known = new Set(all.map(nameOf));
  for (const link of links.filter(({ rel }) => rel !== 'linkset')) {
    if (!known.has(nameOf(link))) note(step, address, 'linkset', `${nameOf(link)} is missing in ${target}`);
  }
  for (const link of all) await follow(step, address, link, links);
  return all;
};

/** A link as text, to compare sets of them. */
export const nameOf = ({ rel, target, title, type }: FoundLink): string =>
  [rel, target, title, type].filter((part) => part !== undefined).join(' ');

/** GET, once an address, with HEAD beside it, which has to be the same (RFC 9110 §9.3.2). */
const get = (step: Step, address: string): Promise<Answer> => {
  const known = step.answers.get(address);
  if (known !== undefined) return known;
  const asked = (async () => {
    const answer = await ask('GET', address, step.identity.headers);
    const head = await ask('HEAD', address, step.identity.headers);
    for (const text of differences(answer, head)) note(step, address, 'head', text);
    return answer;
  })();
  step.answers.set(address, asked);
  return asked;
};

const differences = (got: Answer, head: Answer): string[] => {
  if (got.status !== head.status) return [`GET answers ${got.status}, HEAD ${head.status}`];
  const names = new Set([...got.headers.keys(), ...head.headers.keys()].filter((name) => !fleeting.has(name)));
  return [...names].flatMap((name) => {
    const [one, other] = [got, head].map(({ headers }) => JSON.stringify(headers.get(name) ?? []));
    return one === other ? [] : [`${name} differs between GET and HEAD`];
  });
};

const isEntity = (address: string): boolean => /\/(node|media|taxonomy\/term|entity\/file)\/\d+$/.test(address);
const isRecord = ({ base }: Step, address: string): boolean => /^\/(node|media)\/\d+$/.test(address.slice(base.length));

/** The address of an entity is followed with a format, for without one there is none (decisions: GET without `_format`). */
const represented = (address: string): string => (isEntity(address) ? `${address}?_format=json` : address);
