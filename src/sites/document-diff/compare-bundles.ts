/** Compares the schemas of single bundles of a site, which no operation refers to: a new record, and a record as it is shown. */
import { isOfBundle, schemasOf, type DocumentReader } from './document-reader.ts';
import { finding, type Finding, type Pass } from './finding.ts';
import { schemaLosses } from './schemas/compare-schemas.ts';

/** The schemas of a bundle and those of all bundles; a form for changes have only the latter. */
const recordName = /^(Node|Media|Term)\w*?(Create|Update|Record)$/;

const recordsOf = (reader: DocumentReader): readonly string[] =>
  Object.entries(schemasOf(reader)).flatMap(([name, schema]) =>
    isOfBundle(schema) && recordName.test(name) ? [name] : [],
  );

/** What is lost in each bundle, and then what else is lost, but for the fields of which a bundle says it. Files of documents have no such schemas. */
export const withBundleLosses = (pass: Pass, others: readonly Finding[]): readonly Finding[] => {
  const [had, kept] = [recordsOf(pass.before), new Set(recordsOf(pass.after))];
  if (had.length === 0 || kept.size === 0) return others;
  const losses = had.flatMap((subject): readonly Finding[] => {
    if (!kept.has(subject)) return [finding('bundle', { subject, place: '' })];
    const schema = { $ref: `#/components/schemas/${subject}` };
    return schemaLosses(pass, subject.endsWith('Create') ? 'sent' : 'received', schema, schema, { subject, place: '' });
  });
  const said = new Set(losses.map(fieldOf));
  return [...losses, ...others.filter((one) => !recordName.test(one.subject) || !said.has(fieldOf(one)))];
};

/** The field of a finding, for the schema of one bundle as for those of all. */
const fieldOf = ({ subject, place }: Finding): string => {
  const [, type, form] = recordName.exec(subject) ?? [];
  const [, field] = /^\.(\w+)/.exec(place) ?? [];
  return [type, form === 'Record' ? 'shown' : 'sent', field].join(' ');
};
