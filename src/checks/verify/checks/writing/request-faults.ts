/** Lists requests with a fault that is found before any field is read: format, media type, body, bundle, label. */
import type { HeaderLine } from '../../../../exchange/wire-exchange.ts';
import type { AskedRequest, Check, CheckContext } from '../../check.ts';
import type { RecordKind } from './record-kinds.ts';
import type { JsonRecord } from '../../record-members.ts';
import { sources } from './writing-check.ts';

export type SentFault = Pick<AskedRequest, 'body' | 'json' | 'headers'> & { readonly query?: string };

/** A wrong request, made of a body that would be right. */
export type RequestFault = {
  readonly name: string;
  readonly words: string;
  readonly status: number;
  readonly sent: (body: JsonRecord, kind: RecordKind, context: CheckContext) => SentFault;
  /** What the message must be; any when it is left out. */
  readonly message?: (kind: RecordKind) => string;
  readonly source: string;
  readonly severity: Check['severity'];
  /** Whether it is wrong for a POST only. */
  readonly isOfPost?: boolean;
};

const json: HeaderLine = ['Content-Type', 'application/json'];
const typed =
  (type: string | undefined) =>
  (body: JsonRecord): SentFault => ({
    headers: type === undefined ? [] : [['Content-Type', type]],
    body: JSON.stringify(body),
  });
const raw = (body: string | Uint8Array) => (): SentFault => ({ headers: [json], body });

const mediaTypeFault = (name: string, type: string): RequestFault => ({
  ...{ name: `media-type.${name}`, words: `with the Content-Type ${type}`, status: 415, sent: typed(type) },
  ...{
    source: sources.errors,
    severity: 'contract',
    message: () => `No route found that matches "Content-Type: ${type}"`,
  },
});

const syntaxFault = (name: string, words: string, body: string | Uint8Array): RequestFault => ({
  ...{ name: `syntax.${name}`, words: `whose body ${words}`, status: 400, sent: raw(body) },
  ...{ source: 'a real site: body is not JSON', severity: 'reference' },
});

const bundleMissing = ({ bundleField }: RecordKind): string =>
  `Could not determine entity type bundle: "${bundleField}" field is missing.`;

const bundleFault = (name: string, words: string, value: (kind: RecordKind) => unknown): RequestFault => ({
  ...{ name: `bundle.${name}`, words, status: 422, message: bundleMissing },
  ...{ source: sources.recorded, severity: 'reference' },
  sent: (body, kind) => ({ json: { ...body, [kind.bundleField]: value(kind) } }),
});

const without = (body: JsonRecord, name: string): JsonRecord =>
  Object.fromEntries(Object.entries(body).filter(([own]) => own !== name));

export const requestFaults: readonly RequestFault[] = [
  {
    ...{ name: 'media-type.missing', words: 'without a Content-Type', status: 415, sent: typed(undefined) },
    ...{ source: sources.errors, severity: 'contract', message: () => 'No "Content-Type" request header specified' },
  },
  mediaTypeFault('xml', 'text/xml'),
  mediaTypeFault('text', 'text/plain'),
  mediaTypeFault('form', 'application/x-www-form-urlencoded'),
  mediaTypeFault('jsonld', 'application/ld+json'),
  mediaTypeFault('binary', 'application/octet-stream'),
  {
    ...{
      name: 'format.unknown',
      words: 'with _format=foo',
      status: 406,
      source: sources.recorded,
      severity: 'reference',
    },
    sent: (body) => ({ json: body, query: '_format=foo' }),
  },
  {
    ...{ name: 'format.jsonld', words: 'with _format=jsonld, which is for reading', status: 406 },
    ...{ source: sources.recorded, severity: 'reference', sent: (body) => ({ json: body, query: '_format=jsonld' }) },
  },
  {
    ...{ name: 'body.empty', words: 'with an empty body', status: 400, sent: raw('') },
    ...{ source: sources.recorded, severity: 'reference', message: () => 'No entity content received.' },
  },
  {
    ...syntaxFault('words', 'is no JSON', 'this is no JSON'),
    message: () => 'Syntax error',
  },
  syntaxFault('cut', 'ends too early', '{"title": [{"value": "cut'),
  syntaxFault('comma', 'has a comma too many', '{"title": [{"value": "x"},]}'),
  syntaxFault('quotes', 'has single quotes', "{'title': [{'value': 'x'}]}"),
  syntaxFault('two', 'has two values', '{}{}'),
  syntaxFault('byte-order-mark', 'begins with a byte order mark', '\ufeff{}'),
  syntaxFault('not-utf-8', 'is not UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d])),
  syntaxFault('control-character', 'has a control character in a text', '{"title": [{"value": "a\u0001b"}]}'),
  {
    ...{ name: 'bundle.missing', words: 'without the bundle', status: 422, message: bundleMissing },
    ...{ source: 'contract: Endpoints, rule 5', severity: 'contract' },
    sent: (body, kind) => ({ json: without(body, kind.bundleField) }),
  },
  {
    ...{ name: 'bundle.empty-object', words: 'with an empty object as the body', status: 422, message: bundleMissing },
    ...{ source: sources.recorded, severity: 'reference', sent: () => ({ json: {} }) },
  },
  {
    ...{ name: 'bundle.empty-list', words: 'with a list as the body', status: 422, message: bundleMissing },
    ...{ source: sources.recorded, severity: 'reference', sent: () => ({ json: [] }) },
  },
  bundleFault('object', 'with the bundle as an object in place of a list', ({ bundle }) => ({ target_id: bundle.id })),
  bundleFault('list-of-texts', 'with the bundle as a list of texts', ({ bundle }) => [bundle.id]),
  bundleFault('number', 'with a number as the bundle', () => [{ target_id: 1 }]),
  bundleFault('null', 'with null as the bundle', () => null),
  {
    ...{ name: 'bundle.unknown', words: 'with a bundle that the site does not have', status: 422 },
    ...{ source: sources.recorded, severity: 'reference' },
    message: () => '"verify_none" is not a valid bundle type for denormalization.',
    sent: (body, { bundleField }) => ({ json: { ...body, [bundleField]: [{ target_id: 'verify_none' }] } }),
  },
  ...['"text"', '12', 'true', 'null'].map((body): RequestFault => ({
    ...{ name: `body.scalar-${body.replaceAll('"', '')}`, words: `with ${body} as the body`, status: 422 },
    ...{ source: 'document: the body is an object', severity: 'advice', sent: raw(body) },
  })),
  {
    ...{ name: 'unknown-field', words: 'with a field that the bundle does not have', status: 422 },
    ...{ source: 'docs/use/differences.md: Unknown field in POST or PATCH', severity: 'advice' },
    sent: (body) => ({ json: { ...body, field_verify_none: [{ value: 'x' }] } }),
  },
  {
    ...{ name: 'label.two', words: 'with two labels', status: 422, source: sources.validation, severity: 'reference' },
    sent: (body, { labelField }) => ({ json: { ...body, [labelField]: [{ value: 'a' }, { value: 'b' }] } }),
  },
  {
    ...{ name: 'label.long', words: 'with a label of 256 characters', status: 422 },
    ...{ source: sources.validation, severity: 'reference' },
    sent: (body, { labelField }) => ({ json: { ...body, [labelField]: [{ value: 'x'.repeat(256) }] } }),
  },
  ...(['null', 'list', 'text'] as const).map((kind): RequestFault => ({
    ...{ name: `label.empty-${kind}`, words: `with an empty label (${kind})`, status: 422 },
    ...{ source: sources.endpoints, severity: 'contract' },
    sent: (body, { labelField }) => ({
      json: { ...body, [labelField]: kind === 'null' ? null : kind === 'list' ? [] : [{ value: '' }] },
    }),
    message: ({ labelField }) => `${labelField}: This value should not be null.`,
  })),
  {
    ...{ name: 'label.left-out', words: 'without a label', status: 422, isOfPost: true },
    ...{ source: sources.endpoints, severity: 'contract' },
    sent: (body, { labelField }) => ({ json: without(body, labelField) }),
    message: ({ labelField }) => `${labelField}: This value should not be null.`,
  },
  {
    ...{ name: 'id', words: 'with an id', status: 403, isOfPost: true, source: sources.fields, severity: 'contract' },
    sent: (body, { idField }, { subjects }) => ({ json: { ...body, [idField]: [{ value: subjects.absentId }] } }),
    message: ({ idField }) => `Access denied on creating field '${idField}'.`,
  },
  {
    ...{ name: 'changed', words: 'with a time of change', status: 403, isOfPost: true },
    ...{ source: sources.fields, severity: 'reference' },
    sent: (body) => ({ json: { ...body, changed: [{ value: '2001-02-03T04:05:06+00:00' }] } }),
    message: () => `Access denied on creating field 'changed'.`,
  },
];

/** The required fields that a POST leaves out, one by one. */
export const leftOut = ({ bundle, type }: RecordKind): readonly RequestFault[] =>
  [...bundle.fields.values()]
    .filter(({ configured, required }) => configured && required)
    .map(({ name }) => ({
      ...{ name: `left-out.${name}`, words: `without "${name}", which is required`, status: 422, isOfPost: true },
      ...{
        source: type === 'node' ? sources.endpoints : sources.recorded,
        severity: type === 'node' ? 'contract' : 'reference',
      },
      sent: (body: JsonRecord) => ({ json: without(body, name) }),
      message: () => `${name}: This value should not be null.`,
    }));
