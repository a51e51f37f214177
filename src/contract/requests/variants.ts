/** Changes a request so that the document refuses it: its path, its query, its headers or its body. */
import { isRecord, parsedJson, withTexts } from '../../basics/json.ts';
import { withHeader, withoutHeader, withQuery, type Draft } from './draft.ts';

/** A changed request, and the change in words. */
export type Variant = {
  readonly draft: Draft;
  readonly what: string;
  /** What the most powerful account sends first, and what of its answer is kept. */
  readonly before?: readonly Preparation[];
};

type Preparation = { readonly draft: Draft; readonly keeps?: Readonly<Record<string, string>> };

export const absentId = '999999999';

/** Every value of the query in turn, as one that no parameter takes, or left out. */
export const wrongQueries = (draft: Draft, names: readonly string[]): Variant[] =>
  names.flatMap((name) => [
    ...['x', '-1', '99999999999'].map((value) => ({
      draft: withQuery(draft, name, value),
      what: `the parameter \`${name}\` is \`${value}\``,
    })),
    { draft: withQuery(draft, name, undefined), what: `the parameter \`${name}\` is missing` },
  ]);

export const wrongFormats = (draft: Draft): Variant[] => [
  { draft: withQuery(draft, '_format', 'unknown'), what: '`_format` names no format' },
  { draft: withQuery(draft, '_format', undefined), what: '`_format` is missing' },
];

export const wrongContentTypes = (draft: Draft): Variant[] => [
  { draft: withHeader(draft, 'Content-Type', 'text/plain'), what: 'the Content-Type is another one' },
  { draft: withHeader(draft, 'Content-Encoding', 'gzip'), what: 'the body is announced as compressed' },
];

/** Each header that the document names in turn, left out or wrong, and bodies that cannot be read. */
export const unreadable = (draft: Draft): Variant[] => [
  ...(draft.body === undefined
    ? []
    : [
        { draft: { ...draft, body: '{' }, what: 'the body is broken JSON' },
        { draft: { ...draft, body: '' }, what: 'the body is empty' },
        { draft: withHeader(draft, 'Content-Range', 'bytes 0-0/2'), what: 'the body is a part only' },
      ]),
  ...draft.headers.flatMap(({ name }) => [
    { draft: withoutHeader(draft, name), what: `the header \`${name}\` is missing` },
    { draft: withHeader(draft, name, 'x'), what: `the header \`${name}\` is \`x\`` },
  ]),
];

/** A value of a header with a file's name in it gets another extension. */
export const otherExtensions = (draft: Draft): Variant[] =>
  draft.headers.flatMap(({ name, value }) => {
    const changed = value.replace(/\.\w+(?="?$)/, '.atoll');
    return changed === value
      ? []
      : [{ draft: withHeader(draft, name, changed), what: `the header \`${name}\` names a file of another extension` }];
  });

/** JSON that breaks a rule: nothing in it, a member that is missing or is not a list, or text that cannot be kept. */
export const unfitBodies = (draft: Draft): Variant[] => {
  const body = objectIn(draft.body);
  if (body === undefined) return [];
  const withBody = (json: unknown, what: string): Variant => ({
    draft: { ...draft, body: JSON.stringify(json) },
    what,
  });
  return [
    withBody({}, 'the body has no members'),
    ...Object.keys(body).flatMap((name) => [
      withBody({ ...body, [name]: 'text' }, `\`${name}\` is a text`),
      withBody(Object.fromEntries(Object.entries(body).filter(([each]) => each !== name)), `\`${name}\` is missing`),
      withBody({ ...body, [name]: '\u0000' }, `\`${name}\` holds U+0000`),
      withBody({ ...body, [name]: [] }, `\`${name}\` is emptied`),
    ]),
  ];
};

/** Makes two records with one uuid. They differ in one text, because something else of a record may have to be its own. */
export const sameUuids = (draft: Draft): Variant[] => {
  const body = objectIn(draft.body);
  if (body === undefined) return [];
  const uuid = [{ value: '0a70115a-0000-4000-8000-000000000001' }];
  const first = { draft: { ...draft, body: JSON.stringify({ ...body, uuid }) } };
  return Object.keys(body).map((name) => ({
    draft: { ...draft, body: JSON.stringify({ ...body, [name]: withOtherTexts(body[name]), uuid }) },
    what: 'another record was made with the same uuid just before',
    before: [first],
  }));
};

const withOtherTexts = (value: unknown): unknown => withTexts(value, (text) => `${text}-2`);

/** The same body with a uuid that a record has already. */
export const takenUuids = (draft: Draft, uuids: readonly string[]): Variant[] => {
  const body = objectIn(draft.body);
  if (body === undefined) return [];
  return uuids.map((uuid) => ({
    draft: { ...draft, body: JSON.stringify({ ...body, uuid: [{ value: uuid }] }) },
    what: 'the uuid belongs to a record already',
  }));
};

const objectIn = (text: string | undefined): Readonly<Record<string, unknown>> | undefined => {
  const json = parsedJson(text ?? '');
  return isRecord(json) ? json : undefined;
};
