/** Compares the operations of two documents: what is gone, and what each has lost. */
import { listOf } from '../../basics/json.ts';
import { areEqual } from '../../basics/equal-values.ts';
import { type Part, partOf } from '../../openapi/openapi-terms.ts';
import { answerLosses } from './compare-answers.ts';
import { bodyLosses, contentLosses } from './compare-contents.ts';
import { operationExtensionLosses } from './compare-extensions.ts';
import { securityLosses } from './compare-security.ts';
import type { DocumentOperation, DocumentReader } from './document-reader.ts';
import { earlier, finding, type Finding, type Pass, type Place, type RuleName, within } from './finding.ts';
import { sameMeaning } from './same-meaning.ts';
import { schemaLosses } from './schemas/compare-schemas.ts';

/** Compares the parameters of an operation, with rules of its own for `_format`. */
const parameterLosses = (pass: Pass, before: DocumentOperation, after: DocumentOperation, place: Place): Finding[] => {
  const [had, has] = [byKey(before), byKey(after)];
  const placeOf = (parameter: Part): Place =>
    within(place, `${String(parameter['in'])} parameter ${String(parameter['name'])}`);
  return [
    ...[...had].flatMap(([key, parameter]) => {
      const kept = has.get(key);
      if (kept === undefined) return [finding('parameter', placeOf(parameter))];
      return keptParameterLosses(pass, parameter, kept, placeOf(earlier(pass, parameter, kept)));
    }),
    ...[...has]
      .filter(([key, { required }]) => required === true && had.get(key)?.['required'] !== true)
      .map(([key, parameter]) =>
        finding(
          isFormat(parameter) ? 'format-demanded' : 'parameter-demanded',
          placeOf(earlier(pass, had.get(key), parameter) ?? parameter),
        ),
      ),
  ];
};

/** Names of headers have no case; parameters of the path go by their order there. An operation's own replaces its path's. */
const byKey = ({ parameters, pathNames }: DocumentOperation): ReadonlyMap<string, Part> =>
  new Map(
    parameters.map((parameter) => {
      const [where, name] = [String(parameter['in']), String(parameter['name'])];
      const key = where === 'header' ? name.toLowerCase() : where === 'path' ? String(pathNames.indexOf(name)) : name;
      return [`${where} ${key}`, parameter];
    }),
  );

const isFormat = (parameter: Part): boolean => parameter['in'] === 'query' && parameter['name'] === '_format';

const keptParameterLosses = (pass: Pass, before: Part, after: Part, place: Place): Finding[] => {
  const formats = isFormat(before) ? formatLosses(pass, before, after, place) : undefined;
  const schemas = (): Finding[] => schemaLosses(pass, 'sent', before['schema'], after['schema'], place);
  const isRenamed = before['name'] !== after['name'] && before['in'] === 'path';
  return [
    ...(isRenamed ? [finding('parameter-name', place, String(after['name']))] : []),
    ...(before['deprecated'] !== true && after['deprecated'] === true ? [finding('deprecated', place)] : []),
    ...(areEqual(styleOf(before), styleOf(after))
      ? []
      : [finding('parameter-style', place, styleOf(after).join(', '))]),
    ...(formats ?? schemas()),
    ...contentLosses(pass, 'sent', before['content'], after['content'], place),
  ];
};

const usualStyle: Readonly<Record<string, string>> = {
  query: 'form',
  cookie: 'form',
  path: 'simple',
  header: 'simple',
};

/** With what is meant where nothing is said (OpenAPI 3.1 §4.8.12.2). */
const styleOf = (parameter: Part): string[] => {
  const style =
    typeof parameter['style'] === 'string' ? parameter['style'] : (usualStyle[String(parameter['in'])] ?? '');
  const isExploded = parameter['explode'] ?? style === 'form';
  return [style, isExploded === true ? 'exploded' : 'joined'];
};

/** Undefined where either schema does not list its formats. */
const formatLosses = (pass: Pass, before: Part, after: Part, place: Place): Finding[] | undefined => {
  const [had, has] = [formatsOf(pass.before, before), formatsOf(pass.after, after)];
  if (had === undefined || has === undefined) return undefined;
  const [standard, now] = [pass.before.part(before['schema'])['default'], pass.after.part(after['schema'])['default']];
  const say = (rule: RuleName, detail: unknown): Finding =>
    finding(rule, place, typeof detail === 'string' ? detail : 'nothing');
  return [
    ...had.filter((format) => !has.includes(format)).map((format) => say('format', format)),
    ...(standard === now ? [] : [say('format-default', now)]),
  ];
};

const formatsOf = (reader: DocumentReader, parameter: Part): readonly unknown[] | undefined => {
  const schema = partOf(reader.part(parameter['schema']));
  if ('const' in schema) return [schema['const']];
  return Array.isArray(schema['enum']) ? (schema['enum'] as unknown[]) : undefined; // just looked at
};

/** In the order of the document that the pass begins with. */
export const operationLosses = (pass: Pass): Finding[] =>
  pass.before.operations.flatMap((before) => {
    const after = counterpart(before, pass);
    return after === undefined
      ? [finding('operation', { subject: before.id, place: '' })]
      : keptLosses(pass, before, after);
  });

/** The operation of the same method and path or, where there is none, the one of the same name that has moved. */
const counterpart = (one: DocumentOperation, { before, after }: Pass): DocumentOperation | undefined => {
  const inPlace = operationAt(after, one.key);
  if (inPlace !== undefined) return inPlace;
  const moved = after.operations.find(({ id }) => id === one.id);
  return moved === undefined || operationAt(before, moved.key) !== undefined ? undefined : moved;
};

const operationAt = ({ operations }: DocumentReader, key: string): DocumentOperation | undefined =>
  operations.find((each) => each.key === key);

const keptLosses = (pass: Pass, before: DocumentOperation, after: DocumentOperation): Finding[] => {
  const place: Place = { subject: earlier(pass, before.id, after.id), place: '' };
  const [group, newGroup] = [before, after].map(({ part }) => listOf(part['tags'])[0] as string | undefined); // OpenAPI: names
  const begins = before.part['deprecated'] !== true && after.part['deprecated'] === true;
  return [
    ...(before.id === after.id || before.part['operationId'] === undefined
      ? []
      : [finding('operation-name', place, after.id)]),
    ...(before.key === after.key ? [] : [finding('operation-address', place, after.address)]),
    ...(group === newGroup || newGroup === undefined ? [] : [finding('operation-group', place, newGroup)]),
    ...(begins ? [finding('deprecated', place)] : []),
    ...parameterLosses(pass, before, after, place),
    ...bodyLosses(pass, before.part['requestBody'], after.part['requestBody'], place),
    ...answerLosses(pass, before, after, place),
    ...securityLosses(before.security, after.security, place),
    ...operationExtensionLosses(before, after, place),
    ...callbackLosses(pass, before, after, place),
  ];
};

const callbackLosses = (pass: Pass, before: DocumentOperation, after: DocumentOperation, place: Place): Finding[] => {
  const [had, has] = [partOf(before.part['callbacks']), partOf(after.part['callbacks'])];
  const isSame = sameMeaning(pass.before, pass.after, had, has);
  return isSame ? [] : [finding('other-part', { ...place, place: 'callbacks' })];
};
