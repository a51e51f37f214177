/** Compares the bundles of two sites: content types, media types, vocabularies, with their fields and their meaning in JSON-LD. */
import { areEqual } from '../../basics/equal-values.ts';
import type { Bundle, MediaSource, Model, RdfMapping } from '../../core/model/bundle.ts';
import { type EntityType, referredTypes } from '../../core/model/entity.ts';
import { graphAdditionsOf } from '../../core/model/graph-additions.ts';
import { isGuarded, pathShape, type RecordList } from '../../core/site/record-list.ts';
import { compareFields } from './compare-fields.ts';
import {
  answers,
  both,
  byName,
  type Difference,
  differencesOf,
  harmless,
  listed,
  requests,
  without,
} from './difference.ts';

/** Compares the lists of two sites: paths, conditions, records or columns, pages, guards. */
export const compareLists = (before: readonly RecordList[], after: readonly RecordList[]): readonly Difference[] => {
  const byShape = (lists: readonly RecordList[]): ReadonlyMap<string, RecordList> =>
    new Map(lists.map((list) => [pathShape(list.path), list]));
  return byName(byShape(before), byShape(after), (_shape, was, is) => {
    const subject = `list.${(was ?? is)?.path ?? ''}`;
    if (was === undefined) return [{ subject, change: 'is new', breaks: harmless }];
    if (is === undefined) return [{ subject, change: 'is gone (404)', breaks: requests }];
    return [...compareRequests(subject, was, is), ...compareAnswers(subject, was, is)];
  });
};

const compareRequests = (subject: string, was: RecordList, is: RecordList): readonly Difference[] => {
  const { found, note } = differencesOf(subject);
  const guards = ({ permissions, roles }: RecordList): readonly string[] => [...permissions, ...roles];
  const isSameGuard = areEqual(guards(was), guards(is));
  const now = `is for those with ${listed(guards(is))} now`;
  // One of several is enough: more of them let more people in, unless there were none.
  const isWider = isGuarded(was) && without(guards(was), guards(is)).length === 0;
  note(!isSameGuard && isGuarded(is), now, isWider ? harmless : requests);
  note(!isSameGuard && !isGuarded(is), 'is for everybody now', harmless);
  const names = ({ parameters }: RecordList): readonly string[] => parameters.map(({ name }) => name);
  const [fewer, more] = [without(names(was), names(is)), without(names(is), names(was))];
  note(fewer.length > 0, `does not look at ${listed(fewer)} any more`, both);
  note(more.length > 0, `looks at ${listed(more)} now`, harmless);
  const needs = ({ parameters }: RecordList): readonly string[] =>
    parameters.flatMap(({ name, isRequired }) => (isRequired ? [name] : []));
  const needed = without(needs(is), needs(was));
  note(needed.length > 0, `is empty without ${listed(needed)} now`, answers);
  const formats = without(was.formats, is.formats);
  note(formats.length > 0, `does not have the format ${listed(formats)} any more (406)`, requests);
  const newFormats = without(is.formats, was.formats);
  note(newFormats.length > 0, `has the format ${listed(newFormats)} now`, harmless);
  const providers = without(was.providers, is.providers);
  note(providers.length > 0, `does not take ${listed(providers)} any more (403)`, requests);
  const newProviders = without(is.providers, was.providers);
  note(newProviders.length > 0, `takes ${listed(newProviders)} now`, harmless);
  const choice = ({ largestPage }: RecordList): number => largestPage ?? 0;
  note(choice(is) < choice(was), 'has smaller pages to choose', requests);
  note(choice(is) > choice(was), 'has larger pages to choose', harmless);
  return found;
};

const compareAnswers = (subject: string, was: RecordList, is: RecordList): readonly Difference[] => {
  const { found, note } = differencesOf(subject);
  const shape = ({ entityType, columns }: RecordList): string =>
    columns === undefined ? `whole records of type ${entityType}` : `rows of chosen fields of type ${entityType}`;
  note(shape(was) !== shape(is), `has ${shape(is)} instead of ${shape(was)}`, answers);
  if (was.columns !== undefined && is.columns !== undefined) {
    const names = ({ columns = [] }: RecordList): readonly string[] => columns.map(({ name }) => name);
    const forms = new Map(was.columns.map((column) => [column.name, column]));
    const [fewer, more] = [without(names(was), names(is)), without(names(is), names(was))];
    note(fewer.length > 0, `has lost ${listed(fewer)}`, answers);
    note(more.length > 0, `has gained ${listed(more)}`, harmless);
    const others = is.columns.filter((column) => forms.has(column.name) && !areEqual(forms.get(column.name), column));
    note(others.length > 0, `shows ${listed(others.map(({ name }) => name))} otherwise`, answers);
  }
  const conditions = ({ arguments: given, parameters, tests, limit }: RecordList): unknown => [
    given.map(({ field }) => field),
    parameters.map(({ name, field, isNegated }) => [name, field, isNegated]),
    ...[tests, limit],
  ];
  const isSameParameters = was.parameters.length === is.parameters.length;
  note(isSameParameters && !areEqual(conditions(was), conditions(is)), 'has other conditions', answers);
  note(!areEqual(was.order, is.order), 'has another order', answers);
  const size = ({ pageSize }: RecordList): string => String(pageSize ?? 'all');
  note(size(was) !== size(is), `has pages of ${size(is)} instead of ${size(was)}`, answers);
  return found;
};

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
