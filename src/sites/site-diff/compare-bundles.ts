/** Compares the bundles of two sites: content types, media types, vocabularies, with their fields and their meaning in JSON-LD. */
import { areEqual } from '../../basics/equal-values.ts';
import type { Bundle, MediaSource, Model, RdfMapping } from '../../core/model/bundle.ts';
import { referredTypes } from '../../core/model/entity.ts';
import { graphAdditionsOf } from '../../core/model/graph-additions.ts';
import { isGuarded, pathShape, type RecordList } from '../../core/site/record-list.ts';
import { compareFields } from './compare-fields.ts';
import {
  acceptedChanges,
  answers,
  both,
  byName,
  bySubject,
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
  return bySubject(
    [byShape(before), byShape(after)],
    (_shape, { path }) => `list.${path}`,
    ['is new', ['is gone (404)', requests]],
    (subject, was, is) => [...compareRequests(subject, was, is), ...compareAnswers(subject, was, is)],
  );
};

const compareRequests = (subject: string, was: RecordList, is: RecordList): readonly Difference[] => {
  const { found, note, members } = differencesOf(subject);
  const guards = ({ permissions, roles }: RecordList): readonly string[] => [...permissions, ...roles];
  const isSameGuard = areEqual(guards(was), guards(is));
  const now = `is for those with ${listed(guards(is))} now`;
  // One of several is enough: more of them let more people in, unless there were none.
  const isWider = isGuarded(was) && without(guards(was), guards(is)).length === 0;
  note(!isSameGuard && isGuarded(is), now, isWider ? harmless : requests);
  note(!isSameGuard && !isGuarded(is), 'is for everybody now', harmless);
  const names = ({ parameters }: RecordList): readonly string[] => parameters.map(({ name }) => name);
  members(names(was), names(is), ['does not look at % any more', both], ['looks at % now', harmless]);
  const needs = ({ parameters }: RecordList): readonly string[] =>
    parameters.flatMap(({ name, isRequired }) => (isRequired ? [name] : []));
  const needed = without(needs(is), needs(was));
  note(needed.length > 0, `is empty without ${listed(needed)} now`, answers);
  found.push(...acceptedChanges(subject, was, is));
  const choice = ({ largestPage }: RecordList): number => largestPage ?? 0;
  note(choice(is) < choice(was), 'has smaller pages to choose', requests);
  note(choice(is) > choice(was), 'has larger pages to choose', harmless);
  return found;
};

const compareAnswers = (subject: string, was: RecordList, is: RecordList): readonly Difference[] => {
  const { found, note, members } = differencesOf(subject);
  const shape = ({ entityType, columns }: RecordList): string =>
    columns === undefined ? `whole records of type ${entityType}` : `rows of chosen fields of type ${entityType}`;
  note(shape(was) !== shape(is), `has ${shape(is)} instead of ${shape(was)}`, answers);
  if (was.columns !== undefined && is.columns !== undefined) {
    const names = ({ columns = [] }: RecordList): readonly string[] => columns.map(({ name }) => name);
    const forms = new Map(was.columns.map((column) => [column.name, column]));
    members(names(was), names(is), ['has lost %', answers], ['has gained %', harmless]);
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
    bySubject(
      [bundlesOf(before, type), bundlesOf(after, type)],
      // Files and users have one bundle, which is named like them.
      (id) => (type === id ? type : `${type}.${id}`),
      ['is new', ['is gone', both]],
      compareBundles,
    ),
  );

const bundlesOf = (model: Model, type: string): ReadonlyMap<string, Bundle> =>
  new Map(model.bundles(type).map((bundle) => [bundle.id, bundle]));

const compareBundles = (subject: string, before: Bundle, after: Bundle): readonly Difference[] => [
  ...settings(subject, before, after),
  ...sources(subject, before.source, after.source),
  ...byName(before.fields, after.fields, (name, was, is) => compareFields(`${subject}.${name}`, was, is)),
  ...mappings(subject, before.rdf, after.rdf),
  ...additions(subject, before, after),
];

const settings = (subject: string, before: Bundle, after: Bundle): readonly Difference[] => {
  const { found, note, toggled } = differencesOf(subject);
  note(before.label !== after.label, `has the label "${after.label}" instead of "${before.label}"`, harmless);
  note(before.uuid !== after.uuid, 'has another uuid', answers);
  const [noChoice, choice] = ['lets nobody choose a language any more', 'lets clients choose a language now'];
  toggled(before.languageAlterable, after.languageAlterable, [noChoice, requests], [choice, harmless]);
  const [none, each] = ['makes no revision with a change any more', 'makes a revision with each change now'];
  toggled(before.newRevision === true, after.newRevision === true, [none, harmless], [each, harmless]);
  return found;
};

const additions = (subject: string, before: Bundle, after: Bundle): readonly Difference[] => {
  const { found, note, members } = differencesOf(subject);
  const [was, is] = [graphAdditionsOf(before), graphAdditionsOf(after)];
  const [lost, got] = ['takes no types in JSON-LD from % any more', 'takes types in JSON-LD from % now'];
  members(was.typeFields, is.typeFields, [lost, answers], [got, harmless]);
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
    const { found, members } = differencesOf(place);
    const [lost, got] = [`has no ${name} % in JSON-LD any more`, `has the ${name} % in JSON-LD now`];
    members(was, is, [lost, answers], [got, harmless]);
    return found;
  };
  const types = compare(subject, 'type', before?.types ?? empty, after?.types ?? empty);
  const none: RdfMapping['fields'] = new Map();
  const predicates = byName(before?.fields ?? none, after?.fields ?? none, (name, was, is) =>
    compare(`${subject}.${name}`, 'predicate', was ?? empty, is ?? empty),
  );
  return [...types, ...predicates];
};
