/** Compares the headers of two answers that a client may rely on. */
import { sessionCookieNames } from '../../repository/repository-engine.ts';
import { readLinkLine } from '../../exchange/exchange-target.ts';
import { headerValues, type HeaderLine, type WireReply } from '../../exchange/exchange.ts';
import type { TypedLink } from '../../basics/formats/typed-link.ts';
import type { Difference, Side } from './difference.ts';
import { sameText, type Common } from './equal-values.ts';

type Replies = { readonly target: WireReply; readonly atoll: WireReply };

/** Both answers have the same status. */
export const compareHeaders = ({ target, atoll }: Replies, common: Common): Difference[] => {
  const differences = Object.entries(compared).flatMap(([name, same]): Difference[] => {
    const [theirs, ours] = [target, atoll].map(({ headers }) => joined(headers, name.toLowerCase()));
    if (ours === undefined && onlyWhenTold.has(name)) return [];
    if (theirs === ours || (theirs !== undefined && ours !== undefined && same(theirs, ours, common))) return [];
    return [{ place: `/headers/${name}`, target: theirs, atoll: ours }];
  });
  return [...differences, ...compareLinks(target, atoll, common)];
};

const joined = (headers: readonly HeaderLine[], name: string): string | undefined => {
  const values = headerValues(headers, name);
  return values.length === 0 ? undefined : values.join(', ');
};

type Same = (target: string, atoll: string, common: Common) => boolean;

/** Two lists with commas between the members, in any order. */
const sameSet: Same = (target, atoll) => setOf(target) === setOf(atoll);

const setOf = (value: string): string =>
  [...new Set(value.split(',').map((one) => one.trim().toLowerCase()))].sort().join();

/** Neither letter case nor blanks count in a media type (RFC 9110 §8.3.1). */
const sameMediaType: Same = (target, atoll) => mediaType(target) === mediaType(atoll);

const mediaType = (value: string): string => value.toLowerCase().replaceAll(/[\s"]/g, '');

/** Each server makes its own, so that only their presence tells something. */
const bothThere: Same = () => true;

/** Whether a cookie is set or taken back, and with which attributes. */
const sameCookie: Same = (target, atoll, { hosts }) => {
  const form = (value: string, side: Side): string =>
    cookieForm(value.replace(/(?<=;\s*path=)[^;,]*/gi, (path) => hosts.neutral(path.replace(/\/?$/, '/'), side)));
  return form(target, 'target') === form(atoll, 'atoll');
};

const sessionCookies = new RegExp(String.raw`${sessionCookieNames}=(deleted\b)?[^;,]*`, 'g');

const cookieForm = (value: string): string =>
  value
    .replace(sessionCookies, (_all, deleted = '') => `SESS=${String(deleted)}`)
    .split(';')
    .map((part) => part.trim().toLowerCase())
    .filter((part) => part !== '' && !part.startsWith('expires=') && !part.startsWith('domain='))
    .sort()
    .join('; ');

const compared: Readonly<Record<string, Same>> = {
  'Content-Type': sameMediaType,
  Location: sameText,
  Allow: sameSet,
  'WWW-Authenticate': (target, atoll, common) => sameText(target, atoll, common),
  'Content-Disposition': sameText,
  'Content-Range': sameText,
  'Cache-Control': sameSet,
  ETag: bothThere,
  'Last-Modified': bothThere,
  'Set-Cookie': sameCookie,
  Expires: sameText,
  'Content-Language': sameText,
  'Accept-Ranges': sameSet,
  'X-Drupal-Cache': sameText,
  'X-Drupal-Dynamic-Cache': sameText,
};

/** Atoll tells of its caches when it is asked to. */
const onlyWhenTold: ReadonlySet<string> = new Set(['X-Drupal-Cache', 'X-Drupal-Dynamic-Cache']);

export const linksOf = ({ headers }: WireReply): TypedLink[] =>
  headerValues(headers, 'link').flatMap((line) => {
    const { links } = readLinkLine(line);
    return links.length > 0 ? links : leniently(line);
  });

/** Real sites do not escape titles, so that their lines are none of RFC 8288. */
const leniently = (line: string): TypedLink[] =>
  line.split(/,\s*(?=<)/).flatMap((part) => {
    const [, target, parameters = ''] = /^\s*<([^>]*)>(.*)$/s.exec(part) ?? [];
    if (target === undefined) return [];
    const valueOf = (name: string): string | undefined =>
      new RegExp(`;\\s*${name}="(.*?)"(?=\\s*(?:;|$))`, 's').exec(parameters)?.[1];
    return [{ target, rel: valueOf('rel') ?? '', title: valueOf('title'), type: valueOf('type') }];
  });

/** As sets: in which order and in how many lines they come does not count. First those whose targets are known to be the same. */
const compareLinks = (target: WireReply, atoll: WireReply, common: Common): Difference[] => {
  const left = linksOf(atoll);
  const open: TypedLink[] = [];
  for (const link of linksOf(target)) {
    const at = left.findIndex((own) => isAlike(link, own) && isKnown(link, own, common));
    if (at >= 0) left.splice(at, 1);
    else open.push(link);
  }
  const missing = open.filter((link) => {
    const at = left.findIndex((own) => isAlike(link, own) && sameText(link.target, own.target, common));
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
  const differing = missing.map((link) => {
    // A link of the same relation to the same target differs in its title or type.
    const at = left.findIndex((own) => own.rel === link.rel && isPossible(link, own, common));
    const [own] = at < 0 ? [] : left.splice(at, 1);
    return { place: '/headers/Link', target: shown(link), atoll: own === undefined ? undefined : shown(own) };
  });
  return [...differing, ...left.map((link) => ({ place: '/headers/Link', target: undefined, atoll: shown(link) }))];
};

const isAlike = (a: TypedLink, b: TypedLink): boolean => a.rel === b.rel && a.title === b.title && a.type === b.type;

/** Whether the targets are the same as far as both are known, so that nothing is learnt from the order of links. */
const isKnown = (theirs: TypedLink, ours: TypedLink, common: Common): boolean => {
  const before = common.pairs.size();
  const frozen = { ...common, pairs: { ...common.pairs, meet: onlyKnown(common) } };
  return sameText(theirs.target, ours.target, frozen) && common.pairs.size() === before;
};

const onlyKnown =
  ({ pairs }: Common): Common['pairs']['meet'] =>
  (met) =>
    met.every(({ kind, target, atoll }) => pairs.counterpart(kind, target, 'target') === atoll);

/** Whether nothing is known that forbids the targets to be the same. Nothing is learnt from it. */
const isPossible = (theirs: TypedLink, ours: TypedLink, common: Common): boolean => {
  const { pairs } = common;
  const meet: Common['pairs']['meet'] = (met) =>
    met.every(
      ({ kind, target, atoll }) =>
        (pairs.counterpart(kind, target, 'target') ?? atoll) === atoll &&
        (pairs.counterpart(kind, atoll, 'atoll') ?? target) === target,
    );
  return sameText(theirs.target, ours.target, { ...common, pairs: { ...pairs, meet } });
};

const shown = ({ target, rel, title, type }: TypedLink): string =>
  [
    `<${target}>; rel="${rel}"`,
    ...(title === undefined ? [] : [`title="${title}"`]),
    ...(type === undefined ? [] : [`type="${type}"`]),
  ].join('; ');
