/** Compares what leads on from an answer: the links of the document, and the relations that its `Link` headers show. */
import LinkHeader from 'http-link-header';
import { listOf, partOf, type Part } from '../../core/document/document-tree.ts';
import type { DocumentReader } from './document-reader.ts';
import { earlier, finding, within, type Finding, type Pass, type Place } from './finding.ts';
import { sameMeaning } from './same-meaning.ts';

/** A link under another name that leads to the same operation with the same values is the same link. */
export const linkLosses = (pass: Pass, before: Part, after: Part, place: Place): Finding[] =>
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

/** A link with the operation that it leads to in the place of the operation's name, which may have changed. */
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
export const relationLosses = (pass: Pass, before: unknown, after: unknown, place: Place): Finding[] => {
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
