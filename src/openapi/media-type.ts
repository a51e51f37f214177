/** Reads media types (RFC 9110 §8.3.1), finds the one of a document that a request has, and the one that a client accepts (§12.5.1). */
import Negotiator from 'negotiator';
import { MIMEType } from 'whatwg-mimetype';

export type MediaType = {
  /** `application/json`, in lower case, without parameters. */
  readonly essence: string;
  /** By name in lower case. */
  readonly parameters: { get(name: string): string | undefined };
};

/** Undefined for a text that is not a media type. */
export const readMediaType = (text: string): MediaType | undefined => {
  const read = MIMEType.parse(text);
  if (read === null) return undefined;
  return { essence: read.essence, parameters: { get: (name) => read.parameters.get(name) ?? undefined } };
};

/** Whether the content is JSON: `application/json`, `text/json`, or any type with the suffix `+json` (RFC 6839 §3.1). */
export const isJsonType = (mediaType: string): boolean => /^[^;]*[/+]json\s*(;|$)/i.test(mediaType);
export const isXmlType = (mediaType: string): boolean => /^[^;]*[/+]xml\s*(;|$)/i.test(mediaType);
export const isTextType = (mediaType: string): boolean => /^\s*text\//i.test(mediaType);

/**
 * The documented type that a sent one has: the same with its parameters, the same, then ranges: of the suffix (`application/*+json`), of the
 * type, and any. The document does not decide on charsets.
 */
export const documentedType = (documented: readonly string[], sent: MediaType): string | undefined => {
  const fitting = documented.flatMap((type) => {
    const rank = rankOf(type, sent);
    return rank === undefined ? [] : [{ type, rank }];
  });
  return fitting.sort((a, b) => b.rank - a.rank)[0]?.type;
};

const rankOf = (documented: string, sent: MediaType): number | undefined => {
  const range = MIMEType.parse(documented);
  if (range === null) return undefined;
  const wanted = [...range.parameters].filter(([name]) => name !== 'charset');
  if (wanted.some(([name, value]) => sent.parameters.get(name) !== value)) return undefined;
  const exactness = wanted.length > 0 ? 1 : 0;
  if (range.essence === sent.essence) return 8 + exactness;
  const [sentType = '', sentSubtype = ''] = sent.essence.split('/');
  const { type, subtype } = range;
  if (type !== '*' && type !== sentType) return undefined;
  if (subtype === '*') return (type === '*' ? 0 : 2) + exactness;
  const suffix = /^\*(\+.+)$/.exec(subtype)?.[1];
  return suffix !== undefined && sentSubtype.endsWith(suffix) ? (type === '*' ? 4 : 6) + exactness : undefined;
};

/** A type of the document, and the one that is sent for it: another only where the document has a range. */
export type ChosenType = { readonly documented: string; readonly sent: string };

/** The type sent for a range, where the client names none. */
const typesForRanges: Readonly<Record<string, string>> = {
  'text/*': 'text/plain',
  'image/*': 'image/png',
  'application/*': 'application/octet-stream',
  'audio/*': 'audio/mpeg',
  'video/*': 'video/mp4',
};

/** `image/*`, or `application/*+json` in a document. */
export const isRange = (type: string): boolean => /^[^;]*\*/.test(type);

const textOf = ({ essence, parameters }: MIMEType): string => {
  const quoted = [...parameters].map(([name, value]) => `;${name}="${value.replace(/["\\]/g, String.raw`\$&`)}"`);
  return essence + quoted.join('');
};

/** Ranges with a parameter other than their weight. */
const hasParameters = /;\s*(?!\s|q\s*=)/i;

/**
 * The ranges of an `Accept` header. Charsets are left out: they mean nothing for JSON (RFC 8259 §11), and a server may
 * disregard which one a client asks for (RFC 9110 §12.5.2).
 */
const acceptedRanges = (accept: string): MIMEType[] =>
  (accept.match(/(?:[^",]|"(?:[^"\\]|\\.)*")+/g) ?? []).flatMap((text) => {
    const range = MIMEType.parse(text);
    range?.parameters.delete('charset');
    return range ?? [];
  });

/**
 * A documented type does not decide on parameters that it lacks, so it also stands for itself with those that a range names. Where
 * both have a parameter, its values must be the same (RFC 9110 §12.5.1).
 */
const withParametersOf = (documented: string, ranges: readonly MIMEType[]): string[] => {
  const own = MIMEType.parse(documented);
  if (own === null) return [];
  return ranges.flatMap(({ type, subtype, parameters }) => {
    if (![own.type, '*'].includes(type) || ![own.subtype, '*'].includes(subtype)) return [];
    const whole = new MIMEType(documented);
    for (const [name, value] of parameters)
      if (name !== 'q' && !own.parameters.has(name)) whole.parameters.set(name, value);
    return whole.parameters.size > own.parameters.size ? [textOf(whole)] : [];
  });
};

/** What a client may accept, each with the documented type that it stands for. The documented types themselves come first. */
const candidatesFor = (documented: readonly string[], ranges: readonly MIMEType[]): ReadonlyMap<string, string> => {
  const candidates = new Map(documented.map((type) => [type, type]));
  for (const type of documented)
    for (const candidate of withParametersOf(type, ranges))
      if (!candidates.has(candidate)) candidates.set(candidate, type);
  return candidates;
};

/** The documented type that the client likes best; the first of equals. Undefined when it accepts none. */
export const acceptedType = (documented: readonly string[], accept: string | undefined): ChosenType | undefined => {
  const [first] = documented;
  // An empty header accepts everything, as none does.
  if (first === undefined) return undefined;
  if (accept === undefined || accept.trim() === '') return { documented: first, sent: sentFor(first) };
  const ranges = hasParameters.test(accept) ? acceptedRanges(accept) : [];
  const negotiator = new Negotiator({
    headers: { accept: ranges.length === 0 ? accept : ranges.map(textOf).join(', ') },
  });
  const candidates = candidatesFor(
    documented.filter((type) => !isRange(type)),
    ranges,
  );
  const [candidate = ''] = negotiator.mediaTypes([...candidates.keys()]);
  const best = candidates.get(candidate);
  if (best !== undefined) return { documented: best, sent: best };
  for (const wanted of negotiator.mediaTypes()) {
    const sent = readMediaType(wanted);
    const range = documented
      .filter(isRange)
      .find((type) => isRange(wanted) || (sent && rankOf(type, sent)) !== undefined);
    if (range !== undefined) return { documented: range, sent: isRange(wanted) ? sentFor(range) : wanted };
  }
  return undefined;
};

const sentFor = (documented: string): string => {
  if (!isRange(documented)) return documented;
  const suffix = /\*\+(\w+)/.exec(documented)?.[1];
  return suffix === undefined ? (typesForRanges[documented] ?? 'application/octet-stream') : `application/${suffix}`;
};

/** The media type of a `Content-Type`, in lower case and without parameters (RFC 9110 §8.3.1). */
export const bareMediaType = (contentType: string): string => (contentType.split(';', 1)[0] ?? '').trim().toLowerCase();
