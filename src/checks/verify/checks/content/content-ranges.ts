/** Lists requests for parts of content (RFC 9110 §14), and what they are answered. */
import { referenceRule } from '../../check.ts';
import {
  CheckFailure,
  CheckSkip,
  expectRefusal,
  expectSame,
  expectStatus,
  expectThat,
  shown,
  type Answer,
} from '../../answer.ts';
import { expectSameBytes, type Content, type ContentCase } from './content-case.ts';

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

const partCase = ([name, header, part]: RangeRow): ContentCase => ({
  ...referenceRule(`range-${name}`, 'RFC 9110 §14.2; a real site'),
  rule: `A range (${name}) is answered with 206, its Content-Range and exactly its bytes`,
  expect: async (content) => {
    if (content.size < 3) return;
    const answer = await content.get([['Range', header(content.size)]]);
    expectPart(answer, content, part(content.size));
    for (const name of ['content-type', 'etag']) expectSame(answer.header(name), content.whole.header(name), name);
  },
});

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

const ignoredCase = ([name, header]: (typeof ignored)[number]): ContentCase => ({
  ...referenceRule(`range-${name}`, 'RFC 9110 §14.2'),
  rule: `A value that is not a range of bytes (${header}) is passed over, or 416`,
  expect: async (content) => {
    const answer = expectStatus(await content.get([['Range', header]]), 200, 416);
    if (answer.status === 200) expectThat(answer.exchange.reply.body.bytes === content.size, 'Not all bytes came.');
  },
});

const beyond: readonly (readonly [name: string, header: (size: number) => string])[] = [
  ['at-the-end', (size) => `bytes=${size}-`],
  ['beyond', (size) => `bytes=${size + 10}-${size + 20}`],
  ['no-suffix', () => 'bytes=-0'],
];

const beyondCase = ([name, header]: (typeof beyond)[number]): ContentCase => ({
  ...referenceRule(`range-${name}`, 'RFC 9110 §15.5.17'),
  rule: `A range beyond the content (${name}) is 416, and Content-Range tells the size`,
  expect: async (content) => {
    const answer = expectStatus(await content.get([['Range', header(content.size)]]), 416);
    expectSame(answer.header('content-range'), `bytes */${content.size}`, 'The Content-Range');
    expectRefusal(answer, 416);
  },
});

const rangeRules: readonly ContentCase[] = [
  ...parts.map(partCase),
  ...ignored.map(ignoredCase),
  ...beyond.map(beyondCase),
  {
    ...referenceRule('range-whole', 'RFC 9110 §14.2; docs/use/differences.md: `bytes=0-` on content'),
    rule: 'A range of all bytes is answered with 206 or 200, and all bytes',
    expect: async (content) => {
      for (const header of ['bytes=0-', `bytes=-${content.size + 5}`])
        expectSameBytes(expectStatus(await content.get([['Range', header]]), 200, 206), content.whole);
    },
  },
  {
    ...referenceRule('range-several', 'RFC 9110 §14.2; a real site'),
    rule: 'Of several ranges the first is answered, or all in parts, or the whole content',
    expect: async (content) => {
      const answer = expectStatus(await content.get([['Range', 'bytes=0-0,2-2']]), 200, 206);
      if (answer.status === 206 && answer.mediaType !== 'multipart/byteranges') expectPart(answer, content, [0, 0]);
    },
  },
  {
    ...referenceRule('range-upper-case-unit', 'RFC 9110 §14.1'),
    rule: 'The unit of a range has no case; who does not know it in capitals passes over the range',
    expect: async (content) => {
      const answer = expectStatus(await content.get([['Range', 'BYTES=0-0']]), 200, 206);
      if (answer.status === 206) expectPart(answer, content, [0, 0]);
    },
  },
  {
    ...referenceRule('range-head', 'RFC 9110 §14.2'),
    rule: 'HEAD passes over a range',
    expect: async ({ get, size }) => {
      const answer = expectStatus(await get([['Range', 'bytes=0-0']], 'HEAD'), 200, 206);
      const length = Number(answer.header('content-length'));
      if (answer.status === 200 && length !== size) throw new CheckFailure(`The Content-Length is ${length}.`);
    },
  },
  {
    ...referenceRule('range-parts-join', 'RFC 9110 §14.2'),
    rule: 'The content read in three parts is the content',
    expect: async ({ get, size, whole }) => {
      const third = Math.max(1, Math.floor(size / 3));
      const pieces: Uint8Array[] = [];
      for (const range of [`0-${third - 1}`, `${third}-${2 * third - 1}`, `${2 * third}-`]) {
        if (Number(range.split('-')[0]) < size) pieces.push((await get([['Range', `bytes=${range}`]])).bytes);
      }
      expectThat(Buffer.concat(pieces).equals(whole.bytes), 'The parts are other bytes.');
    },
  },
];

/** Who does not say that parts can be had may send the whole (RFC 9110 §14.3). That it is not said is a failure of its own. */
const announced = ({ whole }: Content): void => {
  if (whole.header('accept-ranges') !== 'bytes')
    throw new CheckSkip('The content does not say that it can be read in parts.');
};

export const rangeCases: readonly ContentCase[] = rangeRules.map((rule) => ({
  ...rule,
  expect: (content, context) => {
    announced(content);
    return rule.expect(content, context);
  },
}));
