/** Compares the answers of an operation: statuses, media types, headers, links. */
import { listOf } from '../../basics/json.ts';
import LinkHeader from 'http-link-header';
import { type Part, partOf } from '../../openapi/openapi-terms.ts';
import { contentLosses } from './compare-contents.ts';
import { responseExtensionLosses } from './compare-extensions.ts';
import type { DocumentOperation, DocumentReader } from './document-reader.ts';
import { earlier, finding, type Finding, type Pass, type Place, within } from './finding.ts';
import { sameMeaning } from './same-meaning.ts';
import { schemaLosses } from './schemas/compare-schemas.ts';

/** A link under another name that leads to the same operation with the same values is the same link. */
const linkLosses = (pass: Pass, before: Part, after: Part, place: Place): Finding[] =>
  Object.entries(before).flatMap(([name, value]) => {
    const here = within(place, `link ${name}`);
    const link = linkIn(pass.before, value);
    const has = (other: Part): boolean => sameMeaning(pass.before, pass.after, link, other);
    if (!(name in after)) {
      return Object.values(after).some((other) => has(linkIn(pass.after, other))) ? [] : [finding('link', here)];
    }
    const kept = linkIn(pass.after, after[name]);
    if (link['target'] !== kept['target']) return [finding('link-target', here, nameOfTarget(pass.after, after[name]))];
    return has(kept) ? [] : [finding('link-values', here)];
  });

/** A link with the operation that it leads to in place of the operation's name, which may have changed. */
const linkIn = (reader: DocumentReader, value: unknown): Part => {
  const { operationId, operationRef, ...rest } = reader.part(value);
  const key = reader.operations.find(({ part }) => part['operationId'] === operationId)?.key;
  return { ...rest, target: key ?? operationId ?? operationRef };
};

const nameOfTarget = (reader: DocumentReader, value: unknown): string => {
  const link = reader.part(value);
  return String(link['operationId'] ?? link['operationRef']);
};

/**
 * Relations that the examples of a header show no longer. Nothing is said where one of the documents has no examples. A
 * relation that no `Link` of the document shows any more is worse.
 */
const relationLosses = (pass: Pass, before: unknown, after: unknown, place: Place): Finding[] => {
  const [had, has] = [relationsOf(pass.before, before), relationsOf(pass.after, after)];
  if (had.size === 0 || has.size === 0) return [];
  const everywhere = allRelationsOf(pass.after);
  const name = earlier(pass, pass.before.follow(before).name, pass.after.follow(after).name);
  const here: Place = name === undefined ? place : { subject: name, place: '' };
  return [...had]
    .filter((relation) => !has.has(relation))
    .map((relation) => finding(everywhere.has(relation) ? 'relation' : 'relation-everywhere', here, relation));
};

const relationsOf = (reader: DocumentReader, value: unknown): ReadonlySet<string> => {
  const header = reader.part(value);
  const schema = reader.part(header['schema']);
  const named = Object.values(partOf(header['examples'])).map((example) => reader.part(example)['value']);
  const examples = [header['example'], ...named, schema['example'], ...listOf(schema['examples'])];
  return new Set(examples.flatMap((text) => (typeof text === 'string' ? relationsIn(text) : [])));
};

/** An example that is no `Link` shows nothing. A link may have several relations (RFC 8288 §3.3). */
const relationsIn = (text: string): string[] => {
  try {
    return LinkHeader.parse(text)
      .refs.flatMap(({ rel }) => rel.split(/\s+/))
      .filter((relation) => relation !== '');
  } catch {
    return [];
  }
};

const relationsByReader = new WeakMap<DocumentReader, ReadonlySet<string>>();

/** The relations that any answer of the document shows. */
const allRelationsOf = (reader: DocumentReader): ReadonlySet<string> => {
  const known = relationsByReader.get(reader);
  if (known !== undefined) return known;
  const all = new Set(
    reader.operations.flatMap(({ part }) =>
      Object.values(partOf(part['responses'])).flatMap((answer) =>
        Object.entries(partOf(reader.part(answer)['headers']))
          .filter(([name]) => name.toLowerCase() === 'link')
          .flatMap(([, header]) => [...relationsOf(reader, header)]),
      ),
    ),
  );
  relationsByReader.set(reader, all);
  return all;
};

export const answerLosses = (
  pass: Pass,
  before: DocumentOperation,
  after: DocumentOperation,
  place: Place,
): Finding[] => {
  const [had, has] = [partOf(before.part['responses']), partOf(after.part['responses'])];
  const hasChoice = [before, after].some(choosesFormat);
  return Object.entries(had).flatMap(([status, value]) => {
    const kept = answerFor(has, status);
    if (kept === undefined)
      return [finding(isRefusal(status) ? 'answer' : 'success', within(place, `answer ${status}`))];
    return keptLosses(pass, pass.before.part(value), pass.after.part(kept), within(place, status), hasChoice);
  });
};

/** The answer of a status: its own, or that of its class, or the one for all others. */
const answerFor = (answers: Part, status: string): unknown =>
  answers[status] ?? answers[`${status.charAt(0)}XX`] ?? answers['default'];

const isRefusal = (status: string): boolean => /^[45]/.test(status);

const choosesFormat = ({ parameters }: DocumentOperation): boolean =>
  parameters.some((parameter) => parameter['in'] === 'query' && parameter['name'] === '_format');

const keptLosses = (pass: Pass, before: Part, after: Part, place: Place, hasChoice: boolean): Finding[] => [
  ...contentLosses(
    pass,
    'received',
    before['content'],
    after['content'],
    place,
    hasChoice ? 'answer-type' : 'answer-type-unasked',
  ),
  ...headerLosses(pass, partOf(before['headers']), partOf(after['headers']), place),
  ...linkLosses(pass, partOf(before['links']), partOf(after['links']), place),
  ...responseExtensionLosses(before, after, place),
];

const headerLosses = (pass: Pass, before: Part, after: Part, place: Place): Finding[] => {
  const has = new Map(Object.entries(after).map(([name, header]) => [name.toLowerCase(), { name, header }]));
  return Object.entries(before).flatMap(([name, value]) => {
    const kept = has.get(name.toLowerCase());
    const here = within(place, `header ${earlier(pass, name, kept?.name ?? name)}`);
    const header = pass.before.part(value);
    if (kept === undefined) return [finding(header['required'] === true ? 'header-certain' : 'header', here)];
    const now = pass.after.part(kept.header);
    const isLoose = header['required'] === true && now['required'] !== true;
    return [
      ...(isLoose ? [finding('header-promised', here)] : []),
      ...schemaLosses(pass, 'received', header['schema'], now['schema'], here),
      ...(name.toLowerCase() === 'link' ? relationLosses(pass, value, kept.header, here) : []),
    ];
  });
};
