/** Compares the bundles that two sites have: labels, settings and files of media, their meaning in JSON-LD. Their documents show the fields. */
import { areEqual } from '../../basics/equal-values.ts';
import { settingRowsOf } from '../../repository/repository-sites.ts';
import {
  alikeTypes,
  fieldTypeOf,
  type Bundle,
  type FieldDefinition,
  type MediaSource,
  type Model,
  type RdfMapping,
  referredTypes,
  graphAdditionsOf,
} from '../../repository/repository.ts';
import {
  answers,
  both,
  type Difference,
  differencesOf,
  harmless,
  inBoth,
  listed,
  requests,
  type Side,
  without,
} from './difference.ts';

export const compareModels = (before: Model, after: Model): readonly Difference[] =>
  referredTypes.flatMap((type) =>
    inBoth(bundlesOf(before, type), bundlesOf(after, type), (id, was, is) =>
      // Files and users have one bundle, which is named like them.
      compareBundles(type === id ? type : `${type}.${id}`, was, is),
    ),
  );

const bundlesOf = (model: Model, type: string): ReadonlyMap<string, Bundle> =>
  new Map(model.bundles(type).map((bundle) => [bundle.id, bundle]));

const compareBundles = (subject: string, before: Bundle, after: Bundle): readonly Difference[] => [
  ...settings(subject, before, after),
  ...sources(subject, before.source, after.source),
  ...inBoth(before.fields, after.fields, (name, was, is) => compareFields(`${subject}.${name}`, was, is)),
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

/** A label is the title of links and the name of the field on pages. A setting is a row, and so a new one is compared without more. */
const compareFields = (subject: string, before: FieldDefinition, after: FieldDefinition): readonly Difference[] => {
  const { found, note } = differencesOf(subject);
  note(before.label !== after.label, `has the label "${after.label}" instead of "${before.label}"`, harmless);
  const [defaults, others] = [before.default, after.default].map((items) => JSON.stringify(items ?? []));
  note(defaults !== others, 'has another default', harmless);
  const language = after.translatable
    ? 'has the language of its record in JSON-LD now'
    : 'has no language in JSON-LD any more';
  note(before.translatable !== after.translatable, language, answers);
  const [access = 'public', nowAccess = 'public'] = [before.access, after.access];
  const isNarrower = accessOrder.indexOf(nowAccess) > accessOrder.indexOf(access);
  note(access !== nowAccess, `has ${nowAccess} access instead of ${access}`, isNarrower ? both : harmless);
  if (before.type !== after.type) {
    note(true, `is of type ${after.type} instead of ${before.type}`, brokenByType(before.type, after.type));
    return found;
  }
  for (const [name, read] of limits) {
    const [was, is] = [read(before), read(after)];
    const instead = was === undefined ? '' : ` instead of ${words(was)}`;
    const change = is === undefined ? `has no ${name} any more` : `has the ${name} ${words(is)}${instead}`;
    note(!areEqual(was, is), change, isNarrowerLimit(was, is) ? requests : harmless);
  }
  for (const [key, [, , write]] of Object.entries(settingRowsOf(fieldTypeOf(after))))
    if (!isShown.has(key))
      note(!areEqual(write(before), write(after)), `has other ${key.replace(/_/g, ' ')}`, harmless);
  return found;
};

const accessOrder: readonly string[] = ['public', 'custom', 'private'];

const brokenByType = (before: string, after: string): readonly Side[] => {
  const family = alikeTypes.find((types) => types.includes(before) && types.includes(after));
  if (family === undefined) return both;
  // A client that reads dates or choices gets any text now.
  return family.indexOf(after) > family.indexOf(before) ? requests : answers;
};

/** What a value may be, as no schema says it. */
type Limit = number | string | readonly string[];

const limits: readonly (readonly [name: string, read: (field: FieldDefinition) => Limit | undefined])[] = [
  ['number of digits', ({ precision }) => precision],
  ['number of decimals', ({ scale }) => scale],
  ['extensions', ({ extensions }) => extensions],
  ['kind of links', ({ link }) => (link === 'both' ? undefined : link)],
];

const words = (limit: Limit): string => (typeof limit === 'object' ? listed(limit) : String(limit));

const isNarrowerLimit = (was: Limit | undefined, is: Limit | undefined): boolean => {
  if (is === undefined || was === undefined) return is !== undefined;
  if (typeof was === 'number' && typeof is === 'number') return is < was;
  return typeof was !== 'object' || typeof is !== 'object' || without(was, is).length > 0;
};

/** The settings that the documents show, and those among the limits. Any other one is for forms and for the content model. */
const isShown: ReadonlySet<string> = new Set([
  ...['max_length', 'min', 'max', 'unsigned', 'allowed_values', 'date_only'],
  ...['precision', 'scale', 'link', 'extensions'],
]);

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
  const [was, is] = [before?.fields ?? none, after?.fields ?? none];
  const predicates = [...new Set([...was.keys(), ...is.keys()])].flatMap((name) =>
    compare(`${subject}.${name}`, 'predicate', was.get(name) ?? empty, is.get(name) ?? empty),
  );
  return [...types, ...predicates];
};
