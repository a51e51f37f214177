/** Finds the term of the site that says what a term of the archive says, and makes it in vocabularies that anybody may extend. */
import { termNamed, termWithUri, type FieldDefinition } from '../../repository/repository.ts';
import { archiveTerm, growing, vocabularyFor } from './archive-vocabularies.ts';
import type { ArchiveTerm } from './archive.ts';
import { addCandidate, makeRecord } from './make-record.ts';
import { standIns } from './paged-object.ts';
import type { SampleContext } from './sample-context.ts';

/** The id of the term of this name for a field that the archive has too, or of the one that the site has in its place. */
export const termCalled = async (
  sample: SampleContext,
  field: FieldDefinition,
  name: string,
): Promise<number | undefined> => {
  const term = archiveTerm(sample, field.name, name);
  const found = term === undefined ? undefined : await termFor(sample, field, term);
  const other = standIns[name];
  return found === undefined && other !== undefined ? termCalled(sample, field, other) : found;
};

/** The id of the term for a field of the site. Undefined where the site has none and decides itself what there is. */
export const termFor = async (
  sample: SampleContext,
  field: FieldDefinition,
  term: ArchiveTerm,
): Promise<number | undefined> => {
  const { store } = sample.repository.parts;
  const allowed = field.target?.bundles ?? sample.site.model.bundles('taxonomy_term').map(({ id }) => id);
  const [sameUri = [], ...sameName] = await store.lookupMany([
    termWithUri(term.uri ?? ''),
    ...allowed.map((vocabulary) => termNamed(vocabulary, term.name)),
  ]);
  const found = [...(term.uri === undefined ? [] : sameUri), ...sameName.flat()].find(({ bundle }) =>
    allowed.includes(bundle),
  );
  if (found !== undefined) return found.id;
  if (growing[term.vocabulary] === undefined) {
    const like = new RegExp(`\\b${term.name.split(' ')[0] ?? ''}`, 'i');
    return sample.candidates.of('taxonomy_term', allowed).find(({ label }) => like.test(label))?.id;
  }
  return makeTerm(sample, field, term);
};

const makeTerm = async (
  sample: SampleContext,
  field: FieldDefinition,
  term: ArchiveTerm,
): Promise<number | undefined> => {
  const vocabulary = vocabularyFor(sample, field, term);
  const bundle = vocabulary === undefined ? undefined : sample.site.model.bundle('taxonomy_term', vocabulary);
  const [owner] = sample.owners;
  if (bundle === undefined || owner === undefined) return undefined;
  const { name, description } = term;
  // One term of a vocabulary shows what its fields are for.
  const isFirst = sample.candidates.of('taxonomy_term', [bundle.id]).length === 0;
  const values = description === undefined ? {} : { description: [{ value: description, format: formatOf(sample) }] };
  const plan = { bundle, title: name, owner, fields: {}, values, fill: isFirst ? 'most' : 'required' } as const;
  const made = await makeRecord(sample, plan);
  if (made !== undefined) addCandidate(sample, made);
  return made?.id;
};

/** Every account may use the first format. */
const formatOf = ({ site }: SampleContext): string | null => site.textFormats[0] ?? null;
