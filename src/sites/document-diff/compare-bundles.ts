/** Compares the schemas of single bundles of a site, which no operation refers to: a new record, and a record as it is shown. */
import { areEqual } from '../../basics/equal-values.ts';
import { isRecord, listOf } from '../../basics/json.ts';
import { type Part, partOf } from '../../openapi/openapi-terms.ts';
import { isOfBundle, schemasOf, type DocumentReader } from './document-reader.ts';
import { finding, type Finding, type Pass, type RuleName } from './finding.ts';
import { schemaLosses } from './schemas/compare-schemas.ts';

const bundleRecord = /^(Node|Media|Term)\w+(Create|Record)$/;
/** The schemas of all bundles; only they have a form for changes. Their fields (`x-bundles`) are what those of the bundles make together. */
const sharedRecord = /^(Node|Media|Term)(Create|Update|Record)$/;

/**
 * What is lost in each bundle, and then what else is lost, but for what the bundles say: a bundle that is new takes nothing away, although
 * fewer fields are in all of them. Documents of files have no such schemas.
 */
export const withBundleLosses = (pass: Pass, others: readonly Finding[]): readonly Finding[] => {
  const [had, has] = [recordsOf(pass.before), recordsOf(pass.after)];
  if (had.size === 0 || has.size === 0) return others;
  const losses = [...had.keys()].flatMap((subject): readonly Finding[] => {
    if (!has.has(subject)) return [finding('bundle', { subject, place: '' })];
    const schema = { $ref: `#/components/schemas/${subject}` };
    return schemaLosses(pass, subject.endsWith('Create') ? 'sent' : 'received', schema, schema, { subject, place: '' });
  });
  const said = [isOfBundleName(pass), isOfMergedShape(pass), isOfBundleField(pass, losses)];
  const rest = others.filter((one) => !said.some((isSaid) => isSaid(one)));
  // Other members, such as a title, are in each bundle as they are in the schema of all.
  const known = new Set(rest.map((one) => JSON.stringify(one)));
  const isOwn = (one: Finding): boolean =>
    !known.has(JSON.stringify({ ...one, subject: one.subject.replace(bundleRecord, '$1$2') }));
  return [...losses.filter(isOwn), ...rest];
};

const recordsOf = (reader: DocumentReader): ReadonlyMap<string, Part> =>
  new Map(
    Object.entries(schemasOf(reader)).flatMap(([name, schema]) =>
      isOfBundle(schema) && bundleRecord.test(name) ? [[name, partOf(schema)] as const] : [],
    ),
  );

type Test = (one: Finding) => boolean;

/** Whether a finding is that the name of a bundle is new or gone, where the bundle is. */
const isOfBundleName = ({ before, after }: Pass): Test => {
  const [had, has] = [bundleNamesOf(before), bundleNamesOf(after)];
  return ({ subject, detail }) => {
    const [, type = 'Term'] = /^(?:(Node|Media)Type|Vocabulary)(?:Reference|Input)$/.exec(subject) ?? [, ''];
    const name = `${type} ${detail}`;
    return had.has(name) !== has.has(name);
  };
};

const bundleNamesOf = (reader: DocumentReader): ReadonlySet<string> =>
  new Set(
    Object.entries(schemasOf(reader)).flatMap(([name, schema]) => {
      const [, type] = /^(Node|Media|Term)\w+TypeReference$/.exec(name) ?? [];
      const ids = listOf(partOf(partOf(partOf(schema)['properties'])['target_id'])['enum']);
      return type !== undefined && isOfBundle(schema) ? ids.map((id) => `${type} the value ${String(id)}`) : [];
    }),
  );

/** Whether a finding is about a schema of items that only stands for fields of several bundles, such as one of texts or dates. */
const isOfMergedShape = ({ before, after }: Pass): Test => {
  const merged = new Set([before, after].flatMap(mergedShapesOf));
  return ({ subject }) => merged.has(subject);
};

const mergedShapesOf = (reader: DocumentReader): readonly string[] => {
  const fields: Part[] = [];
  const others = JSON.stringify(reader.document, (_name, value: unknown) => {
    if (!isFieldOfBundles(value)) return value;
    fields.push(partOf(value));
    return undefined;
  });
  const used = new Set(schemaNamesIn(others));
  return schemaNamesIn(JSON.stringify(fields)).filter((name) => !used.has(name));
};

const isFieldOfBundles = (property: unknown): boolean => isRecord(property) && 'x-bundles' in property;

const schemaNamesIn = (text: string): readonly string[] =>
  [...text.matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(([, name = '']) => name);

const presence: readonly RuleName[] = [
  ...(['sent-member', 'sent-member-described', 'received-member', 'received-member-certain'] as const),
];

/** Whether a finding about a schema of all bundles comes from what a field is in some of them. */
const isOfBundleField = (pass: Pass, losses: readonly Finding[]): Test => {
  const come = new Set(losses.flatMap((one) => (presence.includes(one.rule) ? [fieldKey(bundleRecord, one)] : [])));
  return (one) => {
    const key = fieldKey(sharedRecord, one);
    if (key === undefined) return false;
    const { subject, place, rule } = one;
    const [, name = ''] = /^\.(\w+)/.exec(place) ?? [];
    const readers = [pass.before, pass.after];
    const isShared = readers.some((reader) =>
      isFieldOfBundles(partOf(partOf(schemasOf(reader)[subject])['properties'])[name]),
    );
    if (!isShared) return false;
    if (presence.includes(rule) && place === `.${name}`) return come.has(key);
    const [was, is] = readers.map((reader) => formsOf(reader, subject, name));
    return !areEqual(was, is);
  };
};

/** The field that a finding is about, for the schema of one bundle as for those of all. */
const fieldKey = (record: RegExp, { subject, place }: Finding): string | undefined => {
  const [, type, form] = record.exec(subject) ?? [];
  const [, field] = /^\.(\w+)/.exec(place) ?? [];
  return type === undefined || field === undefined
    ? undefined
    : [type, form === 'Record' ? 'shown' : 'sent', field].join(' ');
};

/** What each bundle makes of a field. */
const formsOf = (reader: DocumentReader, shared: string, field: string): Part => {
  const wanted = shared.replace('Update', 'Create');
  return Object.fromEntries(
    [...recordsOf(reader)]
      .filter(([name]) => name.replace(bundleRecord, '$1$2') === wanted)
      .map(([name, { properties, required }]) => [
        name,
        [partOf(properties)[field] ?? null, listOf(required).includes(field)],
      ]),
  );
};
