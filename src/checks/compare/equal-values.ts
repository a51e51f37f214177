/** Decides whether two texts say the same, apart from what each server has of its own. */
import { literalPattern } from '../../basics/formats/literal-pattern.ts';
import { isPlaceholder } from '../../exchange/exchange.ts';
import type { Aliases } from './aliases.ts';
import { otherSide, type Side } from './difference.ts';
import type { IdKind, Pair, Pairs } from './id-map.ts';
import { replaceTokens, type Split, splitText, type Token } from './tokens.ts';

/** Everything known of both servers while they are compared. */
export type Common = {
  readonly pairs: Pairs;
  /** The addresses by which a side is known; they stand for each other. */
  readonly hosts: Hosts;
  /** What the target calls records by itself. Atoll has other aliases only where a client has sent them. */
  readonly aliases: Aliases;
  /** Instants that clients have sent, in milliseconds since 1970: both servers must show these. */
  readonly sentTimes: Set<number>;
  /** Both clocks are the same from this instant on, in milliseconds since 1970. Undefined: each server has its own. */
  readonly sameClockSince?: number | undefined;
};

type Hosts = {
  /** The text with `{base}` in place of the side's addresses; a path loses that of the base URL. */
  neutral(text: string, side: Side): string;
  /** The text with the side's main address in place of `{base}`. */
  of(text: string, side: Side): string;
};

const base = '{base}';
/** A host without a scheme, with its port or without, as identifiers of OAI-PMH have it. */
const bare = { name: '{host}', port: '{port}' } as const;

/** The first address of each side is its main one. All are without a slash at the end. */
export const createHosts = (addresses: Readonly<Record<Side, readonly string[]>>): Hosts => {
  const patterns = { target: patternOf(addresses.target), atoll: patternOf(addresses.atoll) };
  const hosts = { target: hostPatternOf(addresses.target), atoll: hostPatternOf(addresses.atoll) };
  const paths = { target: pathsOf(addresses.target), atoll: pathsOf(addresses.atoll) };
  return {
    neutral: (text, side) => {
      const whole = /:\/\/|%3A%2F%2F/.test(text) ? text.replace(patterns[side], base) : text;
      const path = paths[side].find((one) => whole.startsWith(`${one}/`));
      const named = path === undefined ? whole : whole.slice(path.length);
      if (!/oai:|repositoryIdentifier/.test(named)) return named;
      return named.replace(
        hosts[side],
        (_all, port?: string) => bare.name + (port === undefined || port === '' ? '' : bare.port),
      );
    },
    of: (text, side) => {
      const [own = ''] = addresses[side];
      const [, name = '', port = ''] = /^\w+:\/\/([^/:]*)(:\d+)?/.exec(own) ?? [];
      return text
        .replaceAll(base, () => own)
        .replaceAll(bare.name, () => name)
        .replaceAll(bare.port, () => port);
    },
  };
};

/** The paths of base URLs that are not the root of their hosts. */
const pathsOf = (addresses: readonly string[]): readonly string[] =>
  [...new Set(addresses.map((address) => new URL(address).pathname.replace(/\/+$/, '')))].filter((path) => path !== '');

/** The host where an identifier of OAI-PMH has it: `oai:HOST:node-1`. */
const hostPatternOf = (addresses: readonly string[]): RegExp => {
  const urls = addresses.flatMap(spellings).map((address) => new URL(address));
  const anyOf = (texts: readonly string[]): string => [...new Set(texts)].map(literalPattern).join('|');
  const name = anyOf(urls.map(({ hostname }) => hostname));
  const port = anyOf(urls.flatMap((url) => (url.port === '' ? [] : [`:${url.port}`])));
  return new RegExp(`(?<=\\boai:|<repositoryIdentifier>)(?:${name})(${port})?(?=:\\D|<)`, 'g');
};

const patternOf = (addresses: readonly string[]): RegExp => {
  const written = addresses.flatMap(spellings);
  // An image service is asked for an address within an address.
  const all = [...new Set([...written, ...written.map(encodeURIComponent)])].sort((a, b) => b.length - a.length);
  return new RegExp(`(?:${all.map(literalPattern).join('|')})(?![\\w.-]|:\\d)`, 'g');
};

/** This machine has several names. */
const spellings = (address: string): string[] => {
  const names = ['localhost', '127.0.0.1', '[::1]'];
  const { protocol, hostname, port, pathname } = new URL(address);
  if (!names.includes(hostname)) return [address];
  return names.map((name) => `${protocol}//${name}${port === '' ? '' : `:${port}`}${pathname}`.replace(/\/+$/, ''));
};

/** The most instants that are remembered. */
const maxTimes = 10_000;

/** Remembers the times in a text that a client has sent. */
export const noteTimes = (text: string, { sentTimes }: Common): void => {
  for (const { kind, text: time } of splitText(text).tokens) {
    if (kind === 'time' && sentTimes.size < maxTimes) sentTimes.add(Date.parse(time));
  }
};

/** Whether both texts say the same. If so, the ids in them stand for each other from now on. */
export const sameText = (target: string, atoll: string, common: Common): boolean => {
  if (target === atoll && splitText(target).tokens.length === 0) return true;
  if (isPlaceholder(target)) return atoll !== '' && meetSecret(target, atoll, common.pairs);
  const neutral = common.hosts.neutral(target, 'target');
  const ours = splitText(common.hosts.neutral(atoll, 'atoll'));
  return [neutral, common.aliases.resolved(neutral)].some((text) => isSame(splitText(text), ours, common));
};

const isSame = (theirs: Split, ours: Split, common: Common): boolean => {
  const isAlike =
    theirs.tokens.length === ours.tokens.length &&
    theirs.literals.every((literal, at) => literal === ours.literals[at]) &&
    theirs.tokens.every((token, at) => mayStand(token, ours.tokens[at], common));
  return isAlike && common.pairs.meet(theirs.tokens.flatMap((token, at) => pairOf(token, ours.tokens[at])));
};

/** Whether two ids of this kind stand for each other. If both are unknown, they do from now on. */
export const sameId = (kind: IdKind, target: string, atoll: string, { pairs }: Common): boolean =>
  pairs.meet([{ kind, target, atoll }]);

/** Two secrets of one kind: a token is a JSON Web Token on both sides or on none. A recording may have masked it. */
export const meetSecret = (target: string, atoll: string, pairs: Pairs): boolean =>
  (/^[<[]/.test(target) || isWebToken(target) === isWebToken(atoll)) && pairs.meet([{ kind: 'secret', target, atoll }]);

const isWebToken = (text: string): boolean => /^ey[\w-]+\.[\w-]+\.[\w-]*$/.test(text);

const mayStand = (target: Token, atoll: Token | undefined, common: Common): boolean => {
  if (atoll === undefined || atoll.kind !== target.kind) return false;
  return target.kind !== 'time' || sameTime(target.text, atoll.text, common);
};

/** Both servers write times in the same form, and keep those that were sent, and those of a clock that is the same. */
const sameTime = (target: string, atoll: string, { sentTimes, sameClockSince = Infinity }: Common): boolean => {
  if (target === atoll) return true;
  const form = (time: string): string => time.replace(/\d/g, '0');
  const isFixed = (time: number): boolean => sentTimes.has(time) || time >= sameClockSince;
  return form(target) === form(atoll) && ![target, atoll].some((time) => isFixed(Date.parse(time)));
};

const pairOf = ({ kind, text }: Token, atoll: Token | undefined): Pair[] =>
  kind === 'time' || kind === 'month' || kind === 'cookieName' || kind === 'mail' || atoll === undefined
    ? []
    : [{ kind, target: text, atoll: atoll.text }];

/** No server has a record with this id. */
const nobodysId = '2147483646';

/** The text as the other side would be sent it. */
export const translateText = (text: string, from: Side, common: Common): string => {
  const { pairs, hosts, aliases } = common;
  const known = pairs.counterpart('secret', text, from);
  if (known !== undefined) return known;
  const neutral = hosts.neutral(text, from);
  const translated = replaceTokens(from === 'target' ? aliases.resolved(neutral) : neutral, ({ kind, text: token }) => {
    if (kind === 'time' || kind === 'month' || kind === 'cookieName' || kind === 'mail') return token;
    if (kind === 'uuid' || kind === 'secret') return pairs.counterpart(kind, token, from) ?? token;
    return translateId(kind, token, from, common);
  });
  return hosts.of(translated, otherSide(from));
};

/** An id without a pair keeps its number, unless that number is another record's on the other side. */
export const translateId = (kind: IdKind, id: string, from: Side, { pairs }: Common): string => {
  const known = pairs.counterpart(kind, id, from);
  if (known !== undefined) return known;
  return pairs.counterpart(kind, id, otherSide(from)) === undefined ? id : nobodysId;
};
