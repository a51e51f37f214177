/** Lists conditional requests for content (RFC 9110 §13), and what they are answered. */
import { referenceRule } from '../../check.ts';
import { CheckSkip, expectStatus, expectThat, shown } from '../../answer.ts';
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

type Condition = {
  readonly name: string;
  readonly what: string;
  readonly headers: (content: Content) => readonly HeaderLine[];
  readonly status: 200 | 206 | 304;
  readonly section: string;
};

const other = '"nobody-has-this-tag"';

const conditions: readonly Condition[] = [
  {
    name: 'same-tag',
    what: 'If-None-Match with its tag',
    headers: (c) => [['If-None-Match', tagOf(c)]],
    status: 304,
    section: '13.1.2',
  },
  {
    name: 'weak-tag',
    what: 'If-None-Match with its tag as a weak one',
    headers: (c) => [['If-None-Match', `W/${tagOf(c)}`]],
    status: 304,
    section: '13.1.2',
  },
  {
    name: 'listed-tag',
    what: 'If-None-Match with its tag among others',
    headers: (c) => [['If-None-Match', `${other}, ${tagOf(c)}`]],
    status: 304,
    section: '13.1.2',
  },
  {
    name: 'any-tag',
    what: 'If-None-Match: *',
    headers: (c) => [['If-None-Match', tagOf(c) === '' ? '' : '*']],
    status: 304,
    section: '13.1.2',
  },
  {
    name: 'other-tag',
    what: 'If-None-Match with another tag',
    headers: () => [['If-None-Match', other]],
    status: 200,
    section: '13.1.2',
  },
  {
    name: 'same-date',
    what: 'If-Modified-Since with its date',
    headers: (c) => [['If-Modified-Since', dateOf(c)]],
    status: 304,
    section: '13.1.3',
  },
  {
    name: 'later-date',
    what: 'If-Modified-Since with a later date',
    headers: (c) => [['If-Modified-Since', shifted(dateOf(c), 1)]],
    status: 304,
    section: '13.1.3',
  },
  {
    name: 'earlier-date',
    what: 'If-Modified-Since with an earlier date',
    headers: (c) => [['If-Modified-Since', shifted(dateOf(c), -3600)]],
    status: 200,
    section: '13.1.3',
  },
  {
    name: 'no-date',
    what: 'If-Modified-Since with something else',
    headers: () => [['If-Modified-Since', 'yesterday']],
    status: 200,
    section: '13.1.3',
  },
  {
    name: 'tag-before-date',
    what: 'If-None-Match with another tag, and If-Modified-Since with its date',
    headers: (c) => [
      ['If-None-Match', other],
      ['If-Modified-Since', dateOf(c)],
    ],
    status: 200,
    section: '13.1.3',
  },
  {
    name: 'range-same-tag',
    what: 'a range with If-Range and its tag',
    headers: (c) => [
      ['Range', 'bytes=0-0'],
      ['If-Range', tagOf(c)],
    ],
    status: 206,
    section: '13.1.5',
  },
  {
    name: 'range-other-tag',
    what: 'a range with If-Range and another tag',
    headers: () => [
      ['Range', 'bytes=0-0'],
      ['If-Range', other],
    ],
    status: 200,
    section: '13.1.5',
  },
  {
    name: 'range-weak-tag',
    what: 'a range with If-Range and a weak tag',
    headers: (c) => [
      ['Range', 'bytes=0-0'],
      ['If-Range', `W/${tagOf(c)}`],
    ],
    status: 200,
    section: '13.1.5',
  },
  {
    name: 'range-same-date',
    what: 'a range with If-Range and its date',
    headers: (c) => [
      ['Range', 'bytes=0-0'],
      ['If-Range', dateOf(c)],
    ],
    status: 206,
    section: '13.1.5',
  },
  {
    name: 'range-earlier-date',
    what: 'a range with If-Range and an earlier date',
    headers: (c) => [
      ['Range', 'bytes=0-0'],
      ['If-Range', shifted(dateOf(c), -3600)],
    ],
    status: 200,
    section: '13.1.5',
  },
];

const titles = { 200: 'all bytes', 206: 'the range', 304: '304 without a body' } as const;

export const conditionCases: readonly ContentCase[] = [
  ...conditions.map(({ name, what, headers, status, section }): ContentCase => ({
    ...referenceRule(`if-${name}`, `RFC 9110 §${section}`),
    rule: `Content that is asked for by ${what} is answered with ${titles[status]}`,
    expect: async (content) => {
      const answer = expectStatus(await content.get(headers(content)), status);
      const wanted = { 200: content.size, 206: 1, 304: 0 }[status];
      const { bytes } = answer.exchange.reply.body;
      expectThat(bytes === wanted, `${bytes} bytes came in place of ${wanted}.`);
    },
  })),
  {
    ...referenceRule('not-modified-headers', 'RFC 9110 §15.4.5'),
    rule: 'A 304 of content has the validators of the 200',
    expect: async (content) => {
      const tag = tagOf(content);
      const answer = expectStatus(await content.get([['If-None-Match', tag]]), 304);
      expectThat(answer.header('etag') === tag, `The entity tag is ${shown(answer.header('etag'))}.`);
      const own = content.whole.header('cache-control');
      expectThat(answer.header('cache-control') === own, `Cache-Control is ${shown(answer.header('cache-control'))}.`);
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
