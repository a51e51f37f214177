/** Lists requests for parts of content (RFC 9110 §14) and conditional ones (§13), and what they are answered. */
import type { StorageMount } from '../../../../repository/repository.ts';
import type { HeaderLine } from '../../../../exchange/exchange.ts';
import { type Answer, CheckFailure, expectRefusal, expectSame, expectStatus, expectThat, shown } from '../../answer.ts';
import type { KnownEntity } from '../../check.ts';
import { orSkip } from '../reading/reading-check.ts';
import { referenceRule, type Rule } from '../../rule.ts';

export type Content = {
  readonly path: string;
  readonly file: KnownEntity;
  readonly whole: Answer;
  readonly size: number;
  readonly mount: StorageMount;
  /** GET as the account that may most, with these headers. */
  readonly get: (headers: readonly HeaderLine[], method?: string) => Promise<Answer>;
};

export type ContentRule = Rule<Content>;

export const expectSameBytes = (answer: Answer, { exchange }: Answer): void =>
  expectThat(answer.exchange.reply.body.sha256 === exchange.reply.body.sha256, 'The bytes differ.');

/** The first and last byte that a range asks for, of a file of this size. */
type Part = (size: number) => readonly [first: number, last: number];

type RangeRow = readonly [name: string, header: (size: number) => string, part: Part];

const parts: readonly RangeRow[] = [
  ['first-byte', () => 'bytes=0-0', () => [0, 0]],
  ['first-bytes', (size) => `bytes=0-${Math.min(3, size - 1)}`, (size) => [0, Math.min(3, size - 1)]],
  ['middle', (size) => `bytes=1-${Math.max(1, size - 2)}`, (size) => [1, Math.max(1, size - 2)]],
  ['from', () => 'bytes=1-', (size) => [1, size - 1]],
  ['last-byte', (size) => `bytes=${size - 1}-${size - 1}`, (size) => [size - 1, size - 1]],
  ['last-byte-open', (size) => `bytes=${size - 1}-`, (size) => [size - 1, size - 1]],
  ['suffix', () => 'bytes=-2', (size) => [Math.max(0, size - 2), size - 1]],
  ['end-beyond', (size) => `bytes=1-${size + 100}`, (size) => [1, size - 1]],
  ['huge-end', () => 'bytes=1-99999999999999999999', (size) => [1, size - 1]],
];

const expectPart = (answer: Answer, { whole, size }: Content, [first, last]: readonly [number, number]): void => {
  expectStatus(answer, 206);
  expectSame(answer.header('content-range'), `bytes ${first}-${last}/${size}`, 'The Content-Range');
  const wanted = whole.bytes.subarray(first, last + 1);
  expectThat(
    Buffer.from(answer.bytes).equals(wanted),
    `${answer.bytes.length} other bytes came in place of ${wanted.length}.`,
  );
  const length = answer.header('content-length');
  expectThat(length === undefined || Number(length) === wanted.length, `The Content-Length is ${shown(length)}.`);
};

/** A value that is not a range is passed over: the whole content comes. */
const ignored: readonly (readonly [name: string, header: string])[] = [
  ['other-unit', 'pages=1-2'],
  ['backwards', 'bytes=3-1'],
  ['no-numbers', 'bytes=a-b'],
  ['empty', 'bytes='],
  ['minus', 'bytes=-'],
  ['no-equals', 'bytes 0-1'],
  ['negative', 'bytes=--1'],
];

const beyond: readonly (readonly [name: string, header: (size: number) => string])[] = [
  ['at-the-end', (size) => `bytes=${size}-`],
  ['beyond', (size) => `bytes=${size + 10}-${size + 20}`],
  ['no-suffix', () => 'bytes=-0'],
];

const wholes: readonly (readonly [name: string, header: string])[] = [
  ['whole', 'bytes=0-'],
  ['suffix-beyond', 'bytes=-999999999999'],
];

export const rangeRules: readonly ContentRule[] = [
  ...parts.map(([name, header, part]) =>
    referenceRule(`range-${name}`, 'RFC 9110 §14.2; a real site')<Content>(
      `A range (${name}) is answered with 206, its Content-Range and exactly its bytes`,
      async (content) => {
        if (content.size < 3) return;
        const answer = await content.get([['Range', header(content.size)]]);
        expectPart(answer, content, part(content.size));
        for (const same of ['content-type', 'etag']) expectSame(answer.header(same), content.whole.header(same), same);
      },
    ),
  ),
  ...ignored.map(([name, header]) =>
    referenceRule(`range-${name}`, 'RFC 9110 §14.2')<Content>(
      `A value that is not a range of bytes (${header}) is passed over, or 416`,
      async (content) => {
        const answer = expectStatus(await content.get([['Range', header]]), 200, 416);
        if (answer.status === 200) expectThat(answer.exchange.reply.body.bytes === content.size, 'Not all bytes came.');
      },
    ),
  ),
  ...beyond.map(([name, header]) =>
    referenceRule(`range-${name}`, 'RFC 9110 §15.5.17')<Content>(
      `A range beyond the content (${name}) is 416, and Content-Range tells the size`,
      async (content) => {
        const answer = await content.get([['Range', header(content.size)]]);
        expectStatus(answer, 416);
        expectSame(answer.header('content-range'), `bytes */${content.size}`, 'The Content-Range');
        expectRefusal(answer, 416);
      },
    ),
  ),
  ...wholes.map(([name, header]) =>
    referenceRule(`range-${name}`, 'RFC 9110 §14.1.2')<Content>(
      `A range of all bytes (${header}) is answered with 206 or 200, and all bytes`,
      async (content) => expectSameBytes(expectStatus(await content.get([['Range', header]]), 200, 206), content.whole),
    ),
  ),
  referenceRule('range-several', 'RFC 9110 §14.2; a real site')(
    'Of several ranges the first is answered, or all in parts, or the whole content',
    async (content) => {
      const answer = expectStatus(await content.get([['Range', 'bytes=0-0,2-2']]), 200, 206);
      if (answer.status === 206 && answer.mediaType !== 'multipart/byteranges') expectPart(answer, content, [0, 0]);
    },
  ),
  referenceRule('range-upper-case-unit', 'RFC 9110 §14.1')(
    'The unit of a range has no case; who does not know it in capitals passes over the range',
    async (content) => {
      const answer = expectStatus(await content.get([['Range', 'BYTES=0-0']]), 200, 206);
      if (answer.status === 206) expectPart(answer, content, [0, 0]);
    },
  ),
  referenceRule('range-head', 'RFC 9110 §14.2')('HEAD passes over a range', async ({ get, size }) => {
    const answer = expectStatus(await get([['Range', 'bytes=0-0']], 'HEAD'), 200, 206);
    const length = Number(answer.header('content-length'));
    if (answer.status === 200 && length !== size) throw new CheckFailure(`The Content-Length is ${length}.`);
  }),
  referenceRule('range-parts-join', 'RFC 9110 §14.2')(
    'The content read in three parts is the content',
    async ({ get, size, whole }) => {
      const third = Math.max(1, Math.floor(size / 3));
      const pieces: Uint8Array[] = [];
      for (const range of [`0-${third - 1}`, `${third}-${2 * third - 1}`, `${2 * third}-`]) {
        if (Number(range.split('-')[0]) < size) pieces.push((await get([['Range', `bytes=${range}`]])).bytes);
      }
      expectThat(Buffer.concat(pieces).equals(whole.bytes), 'The parts are other bytes.');
    },
  ),
];

const tagOf = ({ whole }: Content): string => orSkip(whole.header('etag'), 'The content has no entity tag.');
const dateOf = ({ whole }: Content): string => orSkip(whole.header('last-modified'), 'The content has no date.');

const shifted = (date: string, seconds: number): string => new Date(Date.parse(date) + seconds * 1000).toUTCString();

type Condition = readonly [
  name: string,
  what: string,
  status: 200 | 206 | 304,
  /** Of RFC 9110. */
  section: string,
  headers: (content: Content) => readonly HeaderLine[],
];

const other = '"nobody-has-this-tag"';
const range: HeaderLine = ['Range', 'bytes=0-0'];

/** A condition in one header, or a range with `If-Range`. */
const condition = (
  header: 'If-None-Match' | 'If-Modified-Since' | 'If-Range',
  [name, what, status]: readonly [name: string, what: string, status: Condition[2]],
  value: (content: Content) => string,
): Condition => {
  const isRange = header === 'If-Range';
  const words = isRange ? `a range with If-Range and ${what}` : `${header} with ${what}`;
  const section = { 'If-None-Match': '13.1.2', 'If-Modified-Since': '13.1.3', 'If-Range': '13.1.5' }[header];
  return [
    ...([isRange ? `range-${name}` : name, words, status, section] as const),
    (content) => [...(isRange ? [range] : []), [header, value(content)]],
  ];
};

const conditions: readonly Condition[] = [
  condition('If-None-Match', ['same-tag', 'its tag', 304], tagOf),
  condition('If-None-Match', ['weak-tag', 'its tag as a weak one', 304], (content) => `W/${tagOf(content)}`),
  condition('If-None-Match', ['listed-tag', 'its tag among others', 304], (content) => `${other}, ${tagOf(content)}`),
  ['any-tag', 'If-None-Match: *', 304, '13.1.2', (content) => [['If-None-Match', tagOf(content) === '' ? '' : '*']]],
  condition('If-None-Match', ['other-tag', 'another tag', 200], () => other),
  condition('If-Modified-Since', ['same-date', 'its date', 304], dateOf),
  condition('If-Modified-Since', ['later-date', 'a later date', 304], (content) => shifted(dateOf(content), 1)),
  condition('If-Modified-Since', ['earlier-date', 'an earlier date', 200], (content) =>
    shifted(dateOf(content), -3600),
  ),
  condition('If-Modified-Since', ['no-date', 'something else', 200], () => 'yesterday'),
  [
    ...(['tag-before-date', 'If-None-Match with another tag, and If-Modified-Since with its date', 200] as const),
    '13.1.3',
    (content) => [
      ['If-None-Match', other],
      ['If-Modified-Since', dateOf(content)],
    ],
  ],
  condition('If-Range', ['same-tag', 'its tag', 206], tagOf),
  condition('If-Range', ['other-tag', 'another tag', 200], () => other),
  condition('If-Range', ['weak-tag', 'a weak tag', 200], (content) => `W/${tagOf(content)}`),
  condition('If-Range', ['same-date', 'its date', 206], dateOf),
  condition('If-Range', ['earlier-date', 'an earlier date', 200], (content) => shifted(dateOf(content), -3600)),
];

const titles = { 200: 'all bytes', 206: 'the range', 304: '304 without a body' } as const;

export const conditionRules: readonly ContentRule[] = [
  ...conditions.map(([name, what, status, section, headers]): ContentRule =>
    referenceRule(`if-${name}`, `RFC 9110 §${section}`)(
      `Content that is asked for by ${what} is answered with ${titles[status]}`,
      async (content) => {
        const answer = expectStatus(await content.get(headers(content)), status);
        const wanted = { 200: content.size, 206: 1, 304: 0 }[status];
        expectSame(answer.exchange.reply.body.bytes, wanted, 'The number of bytes');
      },
    ),
  ),
  referenceRule('not-modified-headers', 'RFC 9110 §15.4.5')(
    'A 304 of content has the validators of the 200',
    async (content) => {
      const answer = expectStatus(await content.get([['If-None-Match', tagOf(content)]]), 304);
      for (const name of ['etag', 'cache-control']) expectSame(answer.header(name), content.whole.header(name), name);
    },
  ),
  referenceRule('head-not-modified', 'RFC 9110 §13.1.2')(
    'HEAD of content with its tag in If-None-Match is 304',
    async (content) => {
      expectStatus(await content.get([['If-None-Match', tagOf(content)]], 'HEAD'), 304);
    },
  ),
];
