/** Makes a request that the document allows of one that it does not, and keeps what the client sent wherever it is right. */
import { isRecord, parsedJson } from '../../basics/json.ts';
import { readPointer } from '../../basics/json-pointer.ts';
import { type MakeAnswer, requireAcceptable } from '../answers/answer.ts';
import { announcesBody, mediaOfBody } from '../request/body-media.ts';
import { correctedValue } from './corrected-value.ts';
import { acceptedType, isJsonType } from '../media-type.ts';
import type { Media, Operation } from '../document/operation.ts';
import type { Parameter } from '../document/parameter.ts';
import { readerOf } from '../request/parameters.ts';
import { type MatchedOperation, type PastRequest, refusalIn } from './request-faults.ts';
import { faultsOf } from '../refusal.ts';
import type { MakeSample } from '../answers/sample.ts';
import type { Schemas } from '../schemas/schemas.ts';
import type { Violation } from '../schemas/violations.ts';
import { writtenPairs, writtenText } from '../request/written-parameter.ts';

export type RequestCorrection = {
  /** Everything that the document does not allow, as far as it is known. */
  readonly violations: readonly Violation[];
  /** Undefined where nothing has to change, and where no correction is known. */
  readonly request: CorrectedParts | undefined;
};

export type CorrectedParts = {
  readonly path: string;
  readonly query: string;
  /** Those that have changed. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** Undefined for a request without a body. */
  readonly contentType: string | undefined;
  /** `sent` stands for the body of the request itself. */
  readonly body: { readonly value: unknown } | 'sent' | undefined;
};

type Context = { readonly schemas: Schemas; readonly sample: MakeSample; readonly answers: MakeAnswer };

export const correctedRequest = async (
  sent: PastRequest,
  matched: MatchedOperation,
  context: Context,
): Promise<RequestCorrection> => {
  const { operation } = matched;
  const head = correctedHead(sent, operation);
  const parameters = correctedParameters(sent, matched, context);
  const body = await correctedBody(sent, operation, context);
  const violations = [...head.violations, ...parameters.violations, ...body.violations];
  const isHopeless = violations.length === 0 || parameters.isHopeless || body.isHopeless;
  const { path, query } = parameters;
  return {
    violations,
    request: isHopeless
      ? undefined
      : {
          path,
          query,
          headers: [...head.headers, ...parameters.headers],
          contentType: body.contentType,
          body: body.body,
        },
  };
};

const correctedHead = ({ headers }: PastRequest, operation: Operation) => {
  const refusal = refusalIn(() => requireAcceptable(operation, headers['accept']));
  if (refusal === undefined) return { violations: [], headers: [] };
  const types = [...operation.responses.values()]
    .filter(({ key }) => key.startsWith('2') || key === 'default')
    .flatMap(({ media }) => media.map(({ type }) => type));
  return {
    violations: faultsOf(refusal),
    headers: [['Accept', acceptedType(types, undefined)?.sent ?? '*/*'] as const],
  };
};

/** The value that replaces a wrong one may be wrong itself, where the document contradicts itself. */
const mostRounds = 5;

const correctedParameters = (sent: PastRequest, { operation, base, pieces }: MatchedOperation, context: Context) => {
  const read = readerOf(operation.parameters, context.schemas);
  const violations: Violation[] = [];
  const changed = new Map<string, readonly [name: string, value: string]>();
  const replaced = new Set<Parameter>();
  let raw = { path: pieces, query: sent.query, headers: sent.headers };
  for (let round = 0; ; round += 1) {
    const found = read(raw).violations;
    if (found.length === 0 || round >= mostRounds) {
      const path = replaced.size === 0 ? sent.path : base + pathOf(operation.path, raw.path);
      return { violations, path, query: raw.query, headers: [...changed.values()], isHopeless: found.length > 0 };
    }
    for (const violation of found) {
      const [place = '', name = ''] = readPointer(violation.pointer);
      const parameter = operation.parameters.find((each) => each.in === place && each.name === name);
      if (parameter === undefined) continue;
      if (!replaced.has(parameter)) violations.push(violation);
      replaced.add(parameter);
      raw = withParameter(raw, parameter, { value: valueFor(parameter, context), changed, schemas: context.schemas });
    }
  }
};

const valueFor = ({ example, schema, name, mediaType }: Parameter, { sample, answers }: Context): unknown => {
  if (example !== undefined) return example;
  if (mediaType !== undefined)
    return answers.valueOf({ type: mediaType, schema, examples: new Map(), encoding: {} }, { direction: 'request' });
  return sample(schema ?? { type: 'string' }, { direction: 'request', name });
};

type Raw = {
  readonly path: Readonly<Record<string, string>>;
  readonly query: string;
  readonly headers: PastRequest['headers'];
};
type Replacing = {
  readonly value: unknown;
  readonly changed: Map<string, readonly [name: string, value: string]>;
  readonly schemas: Schemas;
};

const withParameter = (raw: Raw, parameter: Parameter, { value, changed, schemas }: Replacing): Raw => {
  const { in: place, name } = parameter;
  if (place === 'path') return { ...raw, path: { ...raw.path, [name]: writtenText(parameter, value) } };
  if (place === 'query') return { ...raw, query: queryWith(raw.query, parameter, { value, schemas }) };
  const key = place === 'cookie' ? 'cookie' : name.toLowerCase();
  const text =
    place === 'cookie' ? cookiesWith(raw.headers['cookie'], parameter, value) : writtenText(parameter, value);
  changed.set(key, [place === 'cookie' ? 'Cookie' : name, text]);
  return { ...raw, headers: { ...raw.headers, [key]: text } };
};

/** The other pairs stay as they were sent. */
const queryWith = (
  query: string,
  parameter: Parameter,
  { value, schemas }: Pick<Replacing, 'value' | 'schemas'>,
): string => {
  const { name, style, explode } = parameter;
  const schema = schemas.read(parameter.schema ?? true, 'request');
  const properties =
    typeof schema !== 'boolean' && isRecord(schema['properties']) ? Object.keys(schema['properties']) : [];
  const names = new Set([name, ...(style === 'form' && explode ? properties : [])]);
  const others = query.split('&').filter((pair) => {
    const [key = ''] = new URLSearchParams(pair).keys();
    return pair !== '' && !names.has(key) && !(style === 'deepObject' && key.startsWith(`${name}[`));
  });
  return [...others, ...writtenPairs(parameter, value).map((pair) => pair.join('='))].join('&');
};

const cookiesWith = (cookie = '', parameter: Parameter, value: unknown): string => {
  const others = cookie.split(';').map((each) => each.trim());
  const kept = others.filter((each) => each !== '' && !each.startsWith(`${parameter.name}=`));
  return [...kept, writtenText(parameter, value)].join('; ');
};

const pathOf = (template: string, pieces: Readonly<Record<string, string>>): string =>
  template.replaceAll(/\{([^{}]*)\}/g, (_, name: string) => pieces[name] ?? '');

type CorrectedBody = Pick<CorrectedParts, 'contentType' | 'body'> & {
  readonly violations: readonly Violation[];
  readonly isHopeless: boolean;
};

const correctedBody = async (sent: PastRequest, operation: Operation, context: Context): Promise<CorrectedBody> => {
  const { body } = operation;
  const { headers, text } = sent;
  const isSent = announcesBody(headers);
  const contentType = headers['content-type'];
  if (body === undefined || (!isSent && !body.isRequired))
    return { violations: [], isHopeless: false, contentType: undefined, body: undefined };
  const refusal = refusalIn(() => mediaOfBody(operation, headers));
  const chosen = refusal === undefined ? mediaOfBody(operation, headers) : undefined;
  const media = chosen?.media ?? body.media.find(({ type }) => isJsonType(type)) ?? body.media[0];
  const type = refusal === undefined && isSent ? contentType : media && acceptedType([media.type], undefined)?.sent;
  const missing: Violation[] = isSent ? [] : [{ pointer: '/requestBody', message: 'is required' }];
  const ofHead = refusal === undefined ? missing : faultsOf(refusal);
  if (media === undefined)
    return { violations: ofHead, isHopeless: true, contentType: type, body: isSent ? 'sent' : undefined };
  if (isJsonType(type ?? '')) {
    const value = text === undefined ? undefined : parsedJson(text);
    // A body that was not kept can be right.
    if (value === undefined && text === undefined && isSent && refusal === undefined)
      return { violations: [], isHopeless: false, contentType: type, body: 'sent' };
    const unread: Violation[] =
      value === undefined && isSent && refusal === undefined
        ? [{ pointer: '/requestBody', message: 'is not JSON' }]
        : [];
    const corrected = await correctedJson(value, media, context);
    return { ...corrected, contentType: type, violations: [...ofHead, ...unread, ...corrected.violations] };
  }
  const isChanged = ofHead.length > 0;
  const sample = isChanged ? context.answers.valueOf(media, { direction: 'request' }) : undefined;
  if (!isChanged) return { violations: [], isHopeless: false, contentType: type, body: 'sent' };
  // Nobody writes the parts of a form, or bytes, on one line.
  const isText = typeof sample === 'string' || /urlencoded/i.test(type ?? '');
  return { violations: ofHead, isHopeless: !isText, contentType: type, body: isText ? { value: sample } : 'sent' };
};

const correctedJson = async (
  sent: unknown,
  media: Media,
  { schemas, sample, answers }: Context,
): Promise<Omit<CorrectedBody, 'contentType'>> => {
  const { schema } = media;
  const example = answers.valueOf(media, { direction: 'request' });
  const check = schema === undefined ? () => [] : schemas.check(schema, 'request');
  const { value, violations } = await correctedValue(sent ?? example, {
    example,
    // The check fills in defaults.
    check: (tried) => check(structuredClone(tried)),
    schemaOf: ({ rule }) => {
      const read = schemas.read((rule && schemas.holderOf(rule)) ?? true, 'request');
      return typeof read === 'boolean' ? {} : read;
    },
    sampleOf: (part) => sample(part, { direction: 'request' }),
  });
  return {
    violations: violations.map((each) => ({ ...each, pointer: `/requestBody${each.pointer}` })),
    isHopeless: check(structuredClone(value)).length > 0,
    body: { value },
  };
};
