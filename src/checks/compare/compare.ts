/** Compares the answers of the target and of Atoll to one request, after what each has of its own. */
import { keptText, headerValue, type WireBody, type WireReply } from '../../exchange/exchange.ts';
import { isRecord, parsedJson } from '../../basics/json.ts';
import { bareMediaType } from '../../openapi/openapi-terms.ts';
import { decodedMessage } from '../../exchange/exchange-target.ts';
import { compareHeaders } from './compare-headers.ts';
import { compareJson, type JsonComparison } from './compare-json.ts';
import { compareRecords } from './compare-lists.ts';
import type { Difference } from './difference.ts';
import { sameText, translateText } from './equal-values.ts';

type Node = Readonly<Record<string, unknown>>;
type Graph = { readonly isGraph: boolean; readonly nodes: readonly Node[]; readonly rest: Node };

/** What differs below `at`. Nodes of the graph have their place in the target's. */
const compareGraphs = (
  at: string,
  { target, atoll }: { readonly target: unknown; readonly atoll: unknown },
  comparison: JsonComparison,
): Difference[] => {
  const [theirs, ours] = [graphOf(target), graphOf(atoll)];
  if (theirs === undefined || ours === undefined || theirs.isGraph !== ours.isGraph) {
    return compareJson(at, { target, atoll }, comparison);
  }
  const left = [...ours.nodes];
  const differences = compareJson(at, { target: theirs.rest, atoll: ours.rest }, comparison);
  for (const [index, node] of theirs.nodes.entries()) {
    const counterpart = takeCounterpart(node, left, comparison);
    const place = theirs.isGraph ? `${at}/@graph/${index}` : at;
    if (counterpart === undefined) differences.push({ place, target: node, atoll: undefined });
    else differences.push(...compareNodes(place, node, counterpart, comparison));
  }
  return [...differences, ...left.map((node) => ({ place: `${at}/@graph/-`, target: undefined, atoll: node }))];
};

const graphOf = (value: unknown): Graph | undefined => {
  if (!isRecord(value)) return undefined;
  const { '@graph': graph, ...rest } = value;
  if (graph === undefined) return { isGraph: false, nodes: [value], rest: {} };
  return Array.isArray(graph) && graph.every(isRecord) ? { isGraph: true, nodes: graph, rest } : undefined;
};

/** The node that stands for this one: by its id, or else the first of the same types that nobody stands for yet. */
const takeCounterpart = (node: Node, left: Node[], comparison: JsonComparison): Node | undefined => {
  const id = node['@id'];
  const wanted = typeof id === 'string' ? translateText(id, 'target', comparison) : undefined;
  const neutral = (one: unknown): string => comparison.hosts.neutral(String(one), 'atoll');
  const byId = left.findIndex((one) => one['@id'] === id || neutral(one['@id']) === neutral(wanted));
  const typesOf = (one: Node): string => [one['@type']].flat().map(String).sort().join(' ');
  const at = byId >= 0 ? byId : left.findIndex((one) => typesOf(one) === typesOf(node));
  return at < 0 ? undefined : left.splice(at, 1)[0];
};

const compareNodes = (at: string, target: Node, atoll: Node, comparison: JsonComparison): Difference[] =>
  compareJson(
    at,
    { target: ordered(target, 'target', comparison), atoll: ordered(atoll, 'atoll', comparison) },
    comparison,
  );

/** The values of each property in an order that both sides agree on. */
const ordered = (node: Node, side: 'target' | 'atoll', comparison: JsonComparison): Node => {
  const keyOf = (value: unknown): string => {
    const text = JSON.stringify(value);
    return comparison.hosts.neutral(side === 'target' ? translateText(text, 'target', comparison) : text, 'atoll');
  };
  const sorted = (values: readonly unknown[]): unknown[] =>
    values
      .map((value) => ({ value, key: keyOf(value) }))
      .sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0))
      .map(({ value }) => value);
  return Object.fromEntries(
    Object.entries(node).map(([name, value]) => [name, Array.isArray(value) ? sorted(value) : value]),
  );
};

type Replies = { readonly target: WireReply; readonly atoll: WireReply };

/** The reply with its body unpacked. */
export const readable = (reply: WireReply): WireReply => ({ ...reply, ...decodedMessage(reply) });

/** Empty when both answers say the same. Ids that stand at the same places stand for each other from now on. */
export const compareReplies = (
  method: string,
  { target, atoll }: Replies,
  comparison: JsonComparison,
): readonly Difference[] => {
  // Two statuses are about two things: everything else differs with them, and their bodies say why.
  if (target.status !== atoll.status) {
    const detail = { target: contentOf(target).shown, atoll: contentOf(atoll).shown };
    return [{ place: '/status', target: target.status, atoll: atoll.status, detail }];
  }
  return [
    ...compareHeaders({ target, atoll }, comparison),
    ...(method === 'HEAD'
      ? compareLengths({ target, atoll })
      : target.status === 304
        ? []
        : compareBodies({ target, atoll }, comparison)),
  ];
};

/** The length that HEAD tells of bytes. That of a text with ids in it is each server's own. */
const compareLengths = (replies: Replies): Difference[] => {
  const [target, atoll] = [replies.target, replies.atoll].map(({ headers }) => headerValue(headers, 'content-length'));
  const areBytes = [replies.target, replies.atoll].every(({ headers }) => !isText(mediaTypeOf(headers)));
  if (!areBytes || target === undefined || atoll === undefined || target === atoll) return [];
  return [{ place: '/headers/Content-Length', target, atoll }];
};

const mediaTypeOf = (headers: WireReply['headers']): string =>
  bareMediaType(headerValue(headers, 'content-type') ?? '');

const isJsonType = (mediaType: string): boolean => /^application\/(?:[\w.-]+\+)?json$/.test(mediaType);

const isText = (mediaType: string): boolean =>
  isJsonType(mediaType) || mediaType.startsWith('text/') || /^application\/(?:.*\+)?xml$/.test(mediaType);

const compareBodies = ({ target, atoll }: Replies, comparison: JsonComparison): Difference[] => {
  const [theirs, ours] = [contentOf(target), contentOf(atoll)];
  const whole: Difference[] = [{ place: '/body', target: theirs.shown, atoll: ours.shown }];
  if (theirs.kind === 'json' && ours.kind === 'json') {
    const values = { target: theirs.value, atoll: ours.value };
    if (theirs.isGraph && ours.isGraph) return compareGraphs('/body', values, comparison);
    return compareRecords('/body', values, comparison) ?? compareJson('/body', values, comparison);
  }
  // JSON that is too long has ids in it, so that a hash tells nothing.
  if (theirs.kind === 'long' || ours.kind === 'long') return [];
  if (theirs.kind === 'text' && ours.kind === 'text') return sameText(theirs.text, ours.text, comparison) ? [] : whole;
  return sameBytes(target.body, atoll.body) ? [] : whole;
};

/** A recording may know the length alone; its hash is empty then. */
const sameBytes = (target: WireBody, atoll: WireBody): boolean =>
  target.bytes === atoll.bytes && (target.sha256 === '' || target.sha256 === atoll.sha256);

type Content = { readonly shown: unknown } & (
  | { readonly kind: 'json'; readonly value: unknown; readonly isGraph: boolean }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'bytes' | 'long' }
);

const contentOf = ({ headers, body }: WireReply): Content => {
  const mediaType = mediaTypeOf(headers);
  const isJson = isJsonType(mediaType);
  const shown = body.bytes === 0 ? undefined : `${body.bytes} bytes`;
  if (!body.isWhole) return { kind: isJson ? 'long' : 'bytes', shown };
  if (isJson) {
    const parsed = parsedJson(keptText(body));
    if (parsed !== undefined) {
      return { kind: 'json', value: parsed, isGraph: mediaType === 'application/ld+json', shown: parsed };
    }
  }
  if (!isText(mediaType)) return { kind: 'bytes', shown };
  const text = keptText(body);
  return { kind: 'text', text, shown: text === '' ? undefined : shortText(text) };
};

const shortText = (text: string): string => (text.length > 300 ? `${text.slice(0, 300)}…` : text);
