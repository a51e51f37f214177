/** Compares the answers of the target and of Atoll to one request, after what each has of its own. */
import { bareMediaType } from '../../basics/media-type.ts';
import { parsedJson } from '../../basics/json.ts';
import { decodedMessage } from '../../exchange/redaction/decoded-body.ts';
import { valueOf, type WireBody, type WireReply } from '../../exchange/wire-exchange.ts';
import { compareGraphs } from './compare-graph.ts';
import { compareHeaders } from './compare-headers.ts';
import { compareJson, type JsonComparison } from './compare-json.ts';
import type { Difference } from './difference.ts';
import { sameText } from './equal-values.ts';

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
  const hasNoBody = method === 'HEAD' || target.status === 304;
  return [
    ...compareHeaders({ target, atoll }, comparison),
    ...(hasNoBody ? [] : compareBodies({ target, atoll }, comparison)),
  ];
};

const compareBodies = ({ target, atoll }: Replies, comparison: JsonComparison): Difference[] => {
  const [theirs, ours] = [contentOf(target), contentOf(atoll)];
  const whole: Difference[] = [{ place: '/body', target: theirs.shown, atoll: ours.shown }];
  if (theirs.kind === 'json' && ours.kind === 'json') {
    const values = { target: theirs.value, atoll: ours.value };
    return theirs.isGraph && ours.isGraph
      ? compareGraphs('/body', values, comparison)
      : compareJson('/body', values, comparison);
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
  const mediaType = bareMediaType(valueOf(headers, 'content-type') ?? '');
  const isJson = /^application\/(?:[\w.-]+\+)?json$/.test(mediaType);
  const shown = body.bytes === 0 ? undefined : `${body.bytes} bytes`;
  if (!body.isWhole) return { kind: isJson ? 'long' : 'bytes', shown };
  if (isJson) {
    const parsed = parsedJson(Buffer.from(body.kept).toString());
    if (parsed !== undefined) {
      return { kind: 'json', value: parsed, isGraph: mediaType === 'application/ld+json', shown: parsed };
    }
  }
  if (!isJson && !mediaType.startsWith('text/') && !/^application\/(?:.*\+)?xml$/.test(mediaType)) {
    return { kind: 'bytes', shown };
  }
  const text = Buffer.from(body.kept).toString();
  return { kind: 'text', text, shown: text === '' ? undefined : shortText(text) };
};

const shortText = (text: string): string => (text.length > 300 ? `${text.slice(0, 300)}…` : text);
