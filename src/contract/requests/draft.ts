/** Makes requests of an operation out of the document's examples, and changes them part by part. */
import type { CollectedRequest, NamedValue } from '../../openapi/openapi-parts.ts';
import type { RequestStep } from './request-step.ts';

/** A request whose parts can be replaced. */
export type Draft = {
  readonly method: string;
  /** With the values of its parameters. */
  readonly path: string;
  readonly query: readonly NamedValue[];
  readonly headers: readonly NamedValue[];
  readonly body?: string | undefined;
  readonly zeros?: number | undefined;
};

/** The body of an operation that takes bytes, where the document has no example. */
const someBytes = 'Bytes of a file.';

/** The example of the document, with these values of the parameters in the path in place of its own. */
export const draftOf = (
  { method, path, pathValues, query, headers, body }: CollectedRequest,
  values: Readonly<Record<string, string>> = {},
): Draft => ({
  method,
  path: pathValues.reduce((text, { name, value }) => text.replace(`{${name}}`, encoded(values[name] ?? value)), path),
  query,
  headers: headers
    .filter(({ isOff }) => !isOff)
    .map(({ name, value }) => ({ name, value: value.includes('*') ? 'application/octet-stream' : value })),
  ...(body === undefined ? {} : { body: body.isJson || body.text !== '' ? body.text : someBytes }),
});

export const withHeader = (draft: Draft, name: string, value: string): Draft => ({
  ...draft,
  headers: [...withoutHeader(draft, name).headers, { name, value }],
});

export const withoutHeader = (draft: Draft, name: string): Draft => ({
  ...draft,
  headers: draft.headers.filter((each) => each.name.toLowerCase() !== name.toLowerCase()),
});

export const withQuery = (draft: Draft, name: string, value: string | undefined): Draft => ({
  ...draft,
  query: [...draft.query.filter((each) => each.name !== name), ...(value === undefined ? [] : [{ name, value }])],
});

export const stepOf = ({ method, path, query, headers, body, zeros }: Draft): RequestStep => ({
  method,
  path: query.length === 0 ? path : `${path}?${query.map(queryPair).join('&')}`,
  headers: Object.fromEntries(headers.map(({ name, value }) => [name, value])),
  ...(zeros === undefined ? (body === undefined ? {} : { body }) : { zeros }),
});

/** The braces of a variable stay. */
const encoded = (value: string): string => (/^\{\{\w+\}\}$/.test(value) ? value : encodeURIComponent(value));

const queryPair = ({ name, value }: NamedValue): string =>
  `${encodeURIComponent(name)}=${encoded(value).replaceAll('%2F', '/')}`;
