/** Lists conditional requests for content (RFC 9110 §13), and what they are answered. */
import { referenceRule } from '../../check.ts';
import { CheckSkip, expectSame, expectStatus } from '../../answer.ts';
import type { HeaderLine } from '../../../../exchange/wire-exchange.ts';
import type { Content, ContentCase } from './content-case.ts';

const tagOf = ({ whole }: Content): string => {
  const tag = whole.header('etag');
  if (tag === undefined) throw new CheckSkip('The content has no entity tag.');
  return tag;
};

const dateOf = ({ whole }: Content): string => {
  const date = whole.header('last-modified');
  if (date === undefined) throw new CheckSkip('The content has no date.');
  return date;
};

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

export const conditionCases: readonly ContentCase[] = [
  ...conditions.map(([name, what, status, section, headers]): ContentCase => ({
    ...referenceRule(`if-${name}`, `RFC 9110 §${section}`),
    rule: `Content that is asked for by ${what} is answered with ${titles[status]}`,
    expect: async (content) => {
      const answer = expectStatus(await content.get(headers(content)), status);
      const wanted = { 200: content.size, 206: 1, 304: 0 }[status];
      expectSame(answer.exchange.reply.body.bytes, wanted, 'The number of bytes');
    },
  })),
  {
    ...referenceRule('not-modified-headers', 'RFC 9110 §15.4.5'),
    rule: 'A 304 of content has the validators of the 200',
    expect: async (content) => {
      const answer = expectStatus(await content.get([['If-None-Match', tagOf(content)]]), 304);
      for (const name of ['etag', 'cache-control']) expectSame(answer.header(name), content.whole.header(name), name);
    },
  },
  {
    ...referenceRule('head-not-modified', 'RFC 9110 §13.1.2'),
    rule: 'HEAD of content with its tag in If-None-Match is 304',
    expect: async (content) => {
      expectStatus(await content.get([['If-None-Match', tagOf(content)]], 'HEAD'), 304);
    },
  },
];
