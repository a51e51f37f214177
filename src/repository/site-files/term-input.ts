/** Defines the terms in the file of a vocabulary: their schema, what they become, and what is wrong with them. */
import * as v from 'valibot';
import { fieldTypeOf } from '../fields/field-types.ts';
import { fieldItems, machineName, positive, uuid } from '../site/schema-words.ts';
import type { InitialTerm } from '../site/site.ts';
import type { FieldItems, Fields } from '../../openapi/openapi-records.ts';

/** A term: a name, and any field of its vocabulary. `uri` is short for the field of `uriField`. */
export const termInput = v.strictObject({
  tid: positive,
  uuid,
  name: v.pipe(v.string(), v.nonEmpty()),
  description: v.optional(v.string()),
  format: v.optional(machineName),
  uri: v.optional(v.pipe(v.string(), v.url())),
  parent: v.optional(v.array(positive)),
  weight: v.optional(v.pipe(v.number(), v.integer('must be a whole number'))),
  langcode: v.optional(v.string()),
  fields: v.optional(v.record(machineName, fieldItems)),
});

type TermInput = v.InferOutput<typeof termInput>;

type TermsOfVocabulary = {
  readonly id: string;
  readonly terms: readonly TermInput[];
  readonly fields: FieldsByName;
};

type FieldsByName = Readonly<Record<string, { readonly type: string; readonly cardinality: number | 'unlimited' }>>;

/** The field that keeps the `uri` of a term: `field_external_uri`, or the first authority link. Undefined without either. */
const uriField = (fields: FieldsByName): string | undefined =>
  Object.hasOwn(fields, 'field_external_uri')
    ? 'field_external_uri'
    : Object.entries(fields).find(([, field]) => fieldTypeOf(field).properties.includes('source'))?.[0];

/** The items of a link field with all members. An authority link is known by its `source` (`repository/model/term-uris.ts`). */
const linkItems = (items: FieldItems, field: FieldsByName[string] | undefined): FieldItems => {
  const { main, properties } = fieldTypeOf(field ?? { type: '' });
  if (main !== 'uri') return items;
  const rest = { title: null, options: [], ...(properties.includes('source') ? { source: null } : {}) };
  return items.map(({ uri = null, ...item }) => ({ uri, ...rest, ...item }));
};

/** The terms as records keep them. */
export const termsOf = (vocabulary: TermsOfVocabulary): InitialTerm[] =>
  vocabulary.terms.map((term) => ({
    tid: term.tid,
    uuid: term.uuid,
    vocabulary: vocabulary.id,
    fields: fieldsOf(term, vocabulary.fields),
  }));

const fieldsOf = (term: TermInput, known: FieldsByName): Fields => {
  const { name, description, format, uri, parent, weight, langcode, fields } = term;
  const described = description === undefined ? {} : { description: [{ value: description, format: format ?? null }] };
  const linked = uri === undefined ? {} : { [uriField(known) ?? 'field_external_uri']: [{ uri }] };
  const own = Object.entries({ ...linked, ...fields }).flatMap(([field, items]) =>
    items.length === 0 ? [] : [[field, linkItems(items, known[field])] as const],
  );
  return {
    ...(langcode === undefined ? {} : { langcode: [{ value: langcode }] }),
    name: [{ value: name }],
    ...described,
    ...(weight === undefined ? {} : { weight: [{ value: weight }] }),
    ...(parent === undefined || parent.length === 0 ? {} : { parent: parent.map((tid) => ({ target_id: tid })) }),
    ...Object.fromEntries(own),
  };
};

type KnownNames = {
  /** The configured fields of the vocabulary. */
  readonly fields: FieldsByName;
  readonly languages: readonly string[];
  readonly textFormats: readonly string[];
};

/** What is wrong with the terms of a vocabulary: key and remedy. A cause that many terms share is named once. */
export const termViolations = ({ terms }: Pick<TermsOfVocabulary, 'terms'>, known: KnownNames): string[] => {
  const tids = new Set(terms.map(({ tid }) => tid));
  const named = new Map<string, { readonly key: string; count: number }>();
  for (const [index, term] of terms.entries()) {
    for (const [key, message] of violationsOf(term, tids, known)) {
      const first = named.get(message);
      if (first === undefined) named.set(message, { key: `terms.${index}.${key}`, count: 1 });
      else first.count += 1;
    }
  }
  return [...named].map(([message, { key, count }]) => {
    const others = count === 1 ? '' : ` (and so it is with ${count - 1} more ${count === 2 ? 'term' : 'terms'})`;
    return `${key}: ${message}${others}`;
  });
};

type Violation = readonly [key: string, message: string];

const violationsOf = (term: TermInput, tids: ReadonlySet<number>, known: KnownNames): Violation[] => {
  const violations: Violation[] = [];
  if (term.uri !== undefined && uriField(known.fields) === undefined) {
    violations.push([
      'uri',
      'the vocabulary has no field_external_uri. Add the field (a link) or an authority link, or remove uri.',
    ]);
  }
  if (term.langcode !== undefined && !known.languages.includes(term.langcode)) {
    const message = `"${term.langcode}" is not among the languages of site.yml. Choose from: ${known.languages.join(', ')}.`;
    violations.push(['langcode', message]);
  }
  if (term.format !== undefined && !known.textFormats.includes(term.format)) {
    const message = `"${term.format}" is not among text_formats of site.yml. Choose from: ${known.textFormats.join(', ')}.`;
    violations.push(['format', message]);
  }
  for (const tid of term.parent ?? []) {
    if (!tids.has(tid)) violations.push(['parent', `the vocabulary has no term ${tid}. Name a tid of this file.`]);
    else if (tid === term.tid) violations.push(['parent', 'a term is not its own parent. Remove it.']);
  }
  for (const [name, items] of Object.entries(term.fields ?? {})) {
    const most = known.fields[name]?.cardinality;
    if (most === undefined) {
      violations.push([`fields.${name}`, `there is no such field. Add "${name}" to fields, or remove it.`]);
    } else if (most !== 'unlimited' && items.length > most) {
      violations.push([
        `fields.${name}`,
        `"${name}" holds ${most} ${most === 1 ? 'item' : 'items'}. Remove the others.`,
      ]);
    }
  }
  return violations;
};
