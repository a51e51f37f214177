/** Checks of requests with a fault that is found before any field is read: format, media type, body, bundle, label. */
import type { TargetContract } from '../../../target/contract-source.ts';
import { type Answer, expectRefusalThatSays } from '../../answer.ts';
import type { AskedRequest, Check, CheckContext } from '../../check.ts';
import { dealt } from '../../dealt.ts';
import { askRefused, changesNothing, sharedGuard } from './guarded.ts';
import { createBody, mainKinds, patchBody, type RecordKind } from './record-kinds.ts';
import type { JsonRecord } from '../../record-members.ts';
import { contractRule, referenceRule, adviceRule, checksThatWrite, sources, type Rule } from '../../rule.ts';

type SentFault = Pick<AskedRequest, 'body' | 'json' | 'headers'> & { readonly query?: string };

/** Begins a row of this name. */
type Head = (name: string) => ReturnType<typeof contractRule>;

/** A wrong request, made of a body that would be right. */
type RequestFault = readonly [
  name: string,
  words: string,
  status: number,
  head: Head,
  sent: (body: JsonRecord, kind: RecordKind, context: CheckContext) => SentFault,
  /** What the message must have; any when it is left out. `{bundle}`, `{label}` and `{id}` stand for fields of the kind. */
  message?: string | undefined,
];

const headsOf =
  (row: typeof contractRule) =>
  (source: string): Head =>
  (name) =>
    row(name, source);
const contract = headsOf(contractRule);
const reference = headsOf(referenceRule);
const advice = headsOf(adviceRule);
const recorded = reference(sources.recorded);

const raw = (body: string | Uint8Array) => (): SentFault => ({ headers: [['Content-Type', 'application/json']], body });
const inFormat = (query: string) => (json: JsonRecord) => ({ json, query });
const typed =
  (...headers: readonly (readonly [string, string])[]) =>
  (body: JsonRecord): SentFault => ({ headers, body: JSON.stringify(body) });

const mediaType = (name: string, type: string): RequestFault => [
  ...([`media-type.${name}`, `with the Content-Type ${type}`, 415, contract(sources.errors)] as const),
  typed(['Content-Type', type]),
  `No route found that matches "Content-Type: ${type}"`,
];

const syntax = (name: string, words: string, body: string | Uint8Array, message?: string): RequestFault => [
  ...([`syntax.${name}`, `whose body ${words}`, 400, reference('a real site: body is not JSON')] as const),
  raw(body),
  message,
];

const noBundle = 'Could not determine entity type bundle: "{bundle}" field is missing.';
const noLabel = '{label}: This value should not be null.';

const bundle = (name: string, words: string, value: (id: string) => unknown): RequestFault => [
  ...([`bundle.${name}`, words, 422, recorded] as const),
  (body, kind) => ({ json: { ...body, [kind.bundleField]: value(kind.bundle.id) } }),
  noBundle,
];

const label = (name: string, words: string, head: Head, value: unknown, message?: string): RequestFault => [
  ...([`label.${name}`, words, 422, head] as const),
  (body, { labelField }) => ({ json: { ...body, [labelField]: value } }),
  message,
];

const without = (body: JsonRecord, name: string) => ({
  json: Object.fromEntries(Object.entries(body).filter(([own]) => own !== name)),
});

const also = (name: string, value: unknown) => (body: JsonRecord) => ({ json: { ...body, [name]: [{ value }] } });

/** What is wrong for POST and PATCH. */
const requestFaults: readonly RequestFault[] = [
  [
    ...(['media-type.missing', 'without a Content-Type', 415, contract(sources.errors)] as const),
    typed(),
    'No "Content-Type" request header specified',
  ],
  mediaType('xml', 'text/xml'),
  mediaType('text', 'text/plain'),
  mediaType('form', 'application/x-www-form-urlencoded'),
  mediaType('jsonld', 'application/ld+json'),
  mediaType('binary', 'application/octet-stream'),
  ['format.unknown', 'with _format=foo', 406, recorded, inFormat('_format=foo')],
  ['format.jsonld', 'with _format=jsonld, which is for reading', 406, recorded, inFormat('_format=jsonld')],
  ['body.empty', 'with an empty body', 400, recorded, raw(''), 'No entity content received.'],
  syntax('words', 'is no JSON', 'this is no JSON', 'Syntax error'),
  syntax('cut', 'ends too early', '{"title": [{"value": "cut'),
  syntax('comma', 'has a comma too many', '{"title": [{"value": "x"},]}'),
  syntax('quotes', 'has single quotes', "{'title': [{'value': 'x'}]}"),
  syntax('two', 'has two values', '{}{}'),
  syntax('byte-order-mark', 'begins with a byte order mark', '\ufeff{}'),
  syntax('not-utf-8', 'is not UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d])),
  syntax('control-character', 'has a control character in a text', '{"title": [{"value": "a\u0001b"}]}'),
  [
    ...(['bundle.missing', 'without the bundle', 422, contract('contract: Endpoints, rule 5')] as const),
    (body, { bundleField }) => without(body, bundleField),
    noBundle,
  ],
  ['bundle.empty-object', 'with an empty object as the body', 422, recorded, () => ({ json: {} }), noBundle],
  ['bundle.empty-list', 'with a list as the body', 422, recorded, () => ({ json: [] }), noBundle],
  bundle('object', 'with the bundle as an object in place of a list', (id) => ({ target_id: id })),
  bundle('list-of-texts', 'with the bundle as a list of texts', (id) => [id]),
  bundle('number', 'with a number as the bundle', () => [{ target_id: 1 }]),
  bundle('null', 'with null as the bundle', () => null),
  [
    ...(['bundle.unknown', 'with a bundle that the site does not have', 422, recorded] as const),
    (body, { bundleField }) => ({ json: { ...body, [bundleField]: [{ target_id: 'verify_none' }] } }),
    '"verify_none" is not a valid bundle type for denormalization.',
  ],
  ...['"text"', '12', 'true', 'null'].map((body): RequestFault => [
    ...([`body.scalar-${body.replaceAll('"', '')}`, `with ${body} as the body`, 422] as const),
    advice('document: the body is an object'),
    raw(body),
  ]),
  [
    ...(['unknown-field', 'with a field that the bundle does not have', 422] as const),
    advice('docs/use/differences.md: Unknown field in POST or PATCH'),
    also('field_verify_none', 'x'),
  ],
  label('two', 'with two labels', reference(sources.validation), [{ value: 'a' }, { value: 'b' }]),
  label('long', 'with a label of 256 characters', reference(sources.validation), [{ value: 'x'.repeat(256) }]),
  label('empty-null', 'with an empty label (null)', contract(sources.endpoints), null, noLabel),
  label('empty-list', 'with an empty label (list)', contract(sources.endpoints), [], noLabel),
  label('empty-text', 'with an empty label (text)', contract(sources.endpoints), [{ value: '' }], noLabel),
];

/** What is wrong for POST alone. */
const postFaults: readonly RequestFault[] = [
  [
    ...(['label.left-out', 'without a label', 422, contract(sources.endpoints)] as const),
    (body, { labelField }) => without(body, labelField),
    noLabel,
  ],
  [
    ...(['id', 'with an id', 403, contract(sources.fields)] as const),
    (body, { idField }, { subjects }) => also(idField, subjects.absentId)(body),
    `Access denied on creating field '{id}'.`,
  ],
  [
    ...(['changed', 'with a time of change', 403, reference(sources.fields)] as const),
    also('changed', '2001-02-03T04:05:06+00:00'),
    `Access denied on creating field 'changed'.`,
  ],
];

/** The message of a fault for a kind of records. */
const messageFor = ([, , , , , message = '']: RequestFault, kind: RecordKind): string =>
  message.replace('{bundle}', kind.bundleField).replace('{label}', kind.labelField).replace('{id}', kind.idField);

/** The required fields that a POST leaves out, one by one. */
const leftOut = ({ bundle: { fields }, type }: RecordKind): readonly RequestFault[] =>
  [...fields.values()]
    .filter(({ configured, required }) => configured && required)
    .map(({ name }): RequestFault => [
      ...([`left-out.${name}`, `without "${name}", which is required`, 422] as const),
      type === 'node' ? contract(sources.endpoints) : recorded,
      (body: JsonRecord) => without(body, name),
      `${name}: This value should not be null.`,
    ]);

type Method = 'POST' | 'PATCH';

/** Sends the fault in a body that would be right. A PATCH is one of the record that no refused request may change. */
const send = async (context: CheckContext, kind: RecordKind, method: Method, fault: RequestFault): Promise<Answer> => {
  const label = { [kind.labelField]: [{ value: `${context.workspace.label} must not be` }] };
  const right = method === 'POST' ? await createBody(context, kind) : patchBody(kind, label);
  const { query = '_format=json', ...sent } = fault[4](right, kind, context);
  const request = (path: string): AskedRequest => ({
    ...{ method, path: `${path}?${query}`, as: context.maker(), ...sent },
  });
  return method === 'POST'
    ? context.ask(request(kind.collection))
    : askRefused(context, sharedGuard(kind), (path) => request(path));
};

const faultRule =
  (kind: RecordKind, method: Method) =>
  (fault: RequestFault): Rule => {
    const [name, words, status, head] = fault;
    const { create, update } = kind.operations;
    return head(`${method.toLowerCase()}.${kind.word}.${name}`)(
      `A ${method} of a ${kind.word} ${words} is refused with ${status}.`,
      async (context) =>
        expectRefusalThatSays(await send(context, kind, method, fault), status, messageFor(fault, kind)),
      { also: [method === 'POST' ? create : update] },
    );
  };

export const requestChecks = (contract: TargetContract): readonly Check[] => {
  const rules = mainKinds(contract).flatMap((kind, at, kinds) => [
    ...[...dealt([...requestFaults, ...postFaults], at, kinds.length), ...leftOut(kind)].map(faultRule(kind, 'POST')),
    ...dealt(requestFaults, at, kinds.length).map(faultRule(kind, 'PATCH')),
    changesNothing(`patch.${kind.word}.changes-nothing`, sharedGuard(kind)),
  ]);
  return checksThatWrite(rules, { topic: 'request' });
};
