/** The recorded groups: each file is one sequence of exchanges, one exchange a line. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Exchange } from '../exchanges.ts';

export const groups = [
  'auth-and-sessions',
  'caches-on',
  'deletes-dangling-links',
  'extra-focused',
  'malformed-json',
  'media-and-file',
  'node-base-fields',
  'node-post-fields',
  'standard-file-upload',
  'terms-and-users',
] as const;
export type Group = (typeof groups)[number];

export type Recorded = Exchange & {
  /** From 1, as in the file. */
  readonly number: number;
  /** Only makes what later exchanges need. */
  readonly prepares: boolean;
  /** What was sent; undefined for no body. The recording wrote it down as parsed JSON where it could. */
  readonly sent: Buffer | undefined;
  /** A body of the exchange was too long for the recording. */
  readonly isLeftOut: boolean;
};

/** Every exchange of the group, in order. */
export const recordedGroup = (group: Group): readonly Recorded[] =>
  readFileSync(new URL(`${group}.json`, import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line, at) => readLine(line.replace(/,$/, ''), at + 1));

const bodyStart = ', "body": ';
const bodyEnd = '}, "response": {"status"';

const readLine = (line: string, number: number): Recorded => {
  const start = line.indexOf(bodyStart) + bodyStart.length;
  const end = line.indexOf(bodyEnd, start);
  const body = line.slice(start, end);
  // Some bodies hold `NaN`, which is no JSON.
  const exchange = JSON.parse(`${line.slice(0, start)}${JSON.stringify(body)}${line.slice(end)}`) as Exchange & {
    readonly prepares?: boolean; // a recording's known shape
  };
  return {
    ...exchange,
    number,
    prepares: exchange.prepares === true,
    sent: sentBody(exchange, body),
    isLeftOut: /^"\(\d+ bytes/.test(body) || /^\(\d+ bytes/.test(String(exchange.response.body)),
  };
};

/** 8 × 6 pixels. */
export const redPicture =
  'iVBORw0KGgoAAAANSUhEUgAAAAgAAAAGCAIAAABxZ0isAAAAEklEQVR4nGP4z8CAFWEXpZMEADMoL9HswQX5AAAAAElFTkSuQmCC';

const pictures: Readonly<Record<string, string>> = {
  '(PNG image, 75 bytes)': redPicture,
  '(PNG image, 77 bytes)':
    'iVBORw0KGgoAAAANSUhEUgAAABQAAAAKCAIAAAA7N+mxAAAAFElEQVR4nGNg+M9APhrVPKqZEAIAaf3HOdt/RiYAAAAASUVORK5CYII=',
};

/** The picture with this MD5, in hexadecimal. */
export const pictureWith = (md5: string): Buffer | undefined =>
  Object.values(pictures)
    .map((text) => Buffer.from(text, 'base64'))
    .find((bytes) => createHash('md5').update(bytes).digest('hex') === md5);

/** The bytes of a body that the recording has as JSON, as a text, or as a picture's size. */
const sentBody = ({ label, request }: Exchange, body: string): Buffer | undefined => {
  const hasType = request.headers['Content-Type'] !== undefined;
  if (body === 'null') return hasType && label.endsWith('null') ? Buffer.from('null') : undefined;
  if (!body.startsWith('"')) {
    // A number that is too large was written down as `Infinity`.
    const sent = label === 'big float' ? body.replaceAll('Infinity', '1e400') : body;
    return bytesOf(sent.replaceAll(String.raw`\ufffd`, '\uFFFD'));
  }
  const text = String(JSON.parse(body));
  // The recording shows a body that is a JSON string like one that is no JSON. The labels of the former end so.
  if (label.endsWith('string')) return Buffer.from(body);
  const picture = text === '(PNG image)' ? pictureOf(request.path) : pictures[text];
  if (picture !== undefined) return Buffer.from(picture, 'base64');
  return bytesOf(text);
};

/** In the recording, U+FFFD stands for a byte that was not UTF-8. */
export const bytesOf = (text: string): Buffer =>
  Buffer.concat(
    text.split('\uFFFD').flatMap((part, at) => [...(at === 0 ? [] : [Buffer.of(0xff)]), Buffer.from(part)]),
  );

/** The new picture is put in place of the old one. */
const pictureOf = (path: string): string | undefined =>
  pictures[path.includes('/source') ? '(PNG image, 77 bytes)' : '(PNG image, 75 bytes)'];
