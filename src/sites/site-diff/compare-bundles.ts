/** Compares the bundles of two sites: content types, media types, vocabularies, with their fields and their meaning in JSON-LD. */
import { areEqual } from '../../basics/equal-values.ts';
import type { Bundle, MediaSource, Model, RdfMapping } from '../../core/model/bundle.ts';
import { graphAdditionsOf } from '../../core/model/graph-additions.ts';
import { referredTypes, type EntityType } from '../../core/model/entity.ts';
import { compareFields } from './compare-fields.ts';
import {
  answers,
  both,
  byName,
  differencesOf,
  harmless,
  listed,
  requests,
  without,
  type Difference,
} from './difference.ts';

export const compareModels = (before: Model, after: Model): readonly Difference[] =>
  referredTypes.flatMap((type) =>
    byName(bundlesOf(before, type), bundlesOf(after, type), (id, was, is) =>
      compareBundles(subjectOf(type, id), was, is),
    ),
  );

const bundlesOf = (model: Model, type: EntityType): ReadonlyMap<string, Bundle> =>
  new Map(model.bundles(type).map((bundle) => [bundle.id, bundle]));

/** Files and users have one bundle, which is named like them. */
const subjectOf = (type: EntityType, id: string): string => (type === id ? type : `${type}.${id}`);

const compareBundles = (
  subject: string,
  before: Bundle | undefined,
  after: Bundle | undefined,
): readonly Difference[] => {
  if (before === undefined) return [{ subject, change: 'is new', breaks: harmless }];
  if (after === undefined) return [{ subject, change: 'is gone', breaks: both }];
  return [
    ...settings(subject, before, after),
    ...sources(subject, before.source, after.source),
    ...byName(before.fields, after.fields, (name, was, is) => compareFields(`${subject}.${name}`, was, is)),
    ...mappings(subject, before.rdf, after.rdf),
    ...additions(subject, before, after),
  ];
};

const settings = (subject: string, before: Bundle, after: Bundle): readonly Difference[] => {
  const { found, note } = differencesOf(subject);
  note(before.label !== after.label, `has the label "${after.label}" instead of "${before.label}"`, harmless);
  note(before.uuid !== after.uuid, 'has another uuid', answers);
  note(before.languageAlterable && !after.languageAlterable, 'lets nobody choose a language any more', requests);
  note(!before.languageAlterable && after.languageAlterable, 'lets clients choose a language now', harmless);
  const [was = false, is = false] = [before.newRevision, after.newRevision];
  note(was !== is, is ? 'makes a revision with each change now' : 'makes no revision with a change any more', harmless);
  return found;
};

const additions = (subject: string, before: Bundle, after: Bundle): readonly Difference[] => {
  const { found, note } = differencesOf(subject);
  const [was, is] = [graphAdditionsOf(before), graphAdditionsOf(after)];
  const lost = without(was.typeFields, is.typeFields);
  note(lost.length > 0, `takes no types in JSON-LD from ${listed(lost)} any more`, answers);
  const gained = without(is.typeFields, was.typeFields);
  note(gained.length > 0, `takes types in JSON-LD from ${listed(gained)} now`, harmless);
  const isOther = !areEqual([...was.selfPredicates].sort(), [...is.selfPredicates].sort());
  note(isOther, 'names itself otherwise in JSON-LD', answers);
  return found;
};

const sources = (
  subject: string,
  before: MediaSource | undefined,
  after: MediaSource | undefined,
): readonly Difference[] => {
  const { found, note } = differencesOf(`${subject}.source`);
  note(
    before?.field !== after?.field,
    `is ${after?.field ?? 'no field'} instead of ${before?.field ?? 'no field'}`,
    both,
  );
  note(before?.kind !== after?.kind, `keeps ${after?.kind ?? 'nothing'} instead of ${before?.kind ?? 'nothing'}`, both);
  const [was = Infinity, is = Infinity] = [before?.maxBytes, after?.maxBytes];
  note(is < was, `takes at most ${is} bytes`, requests);
  note(is > was, 'takes larger files', harmless);
  const [map, nowMap] = [before, after].map((source) => JSON.stringify(Object.entries(source?.fieldMap ?? {}).sort()));
  note(map !== nowMap, 'fills other fields of the media from its file', answers);
  return found;
};

const mappings = (
  subject: string,
  before: RdfMapping | undefined,
  after: RdfMapping | undefined,
): readonly Difference[] => {
  const empty: readonly string[] = [];
  const compare = (
    place: string,
    name: string,
    was: readonly string[],
    is: readonly string[],
  ): readonly Difference[] => {
    const { found, note } = differencesOf(place);
    const [fewer, more] = [without(was, is), without(is, was)];
    note(fewer.length > 0, `has no ${name} ${listed(fewer)} in JSON-LD any more`, answers);
    note(more.length > 0, `has the ${name} ${listed(more)} in JSON-LD now`, harmless);
    return found;
  };
  const types = compare(subject, 'type', before?.types ?? empty, after?.types ?? empty);
  const none: RdfMapping['fields'] = new Map();
  const predicates = byName(before?.fields ?? none, after?.fields ?? none, (name, was, is) =>
    compare(`${subject}.${name}`, 'predicate', was ?? empty, is ?? empty),
  );
  return [...types, ...predicates];
};
