/** Finds the terms that nodes and media of a run refer to, by the contract's own look-ups. */
import type { Site } from '../../../repository/repository.ts';
import type { TargetAccount } from '../../../exchange/exchange-target.ts';
import type { ContractCheck } from '../../target/contract-check.ts';
import type { Answer } from '../answer.ts';
import type { AskedRequest } from '../check.ts';
import { valueIn } from '../record-members.ts';

type TermSearch = {
  readonly site: Site;
  readonly judge: ContractCheck;
  readonly account: TargetAccount;
  readonly ask: (request: AskedRequest) => Promise<Answer>;
};

/** As many names of a vocabulary are looked up. */
const mostNames = 4;

/**
 * Ids of terms of these vocabularies, at most `wanted`: by the names that the site's files have, then all of a vocabulary, then by the
 * ids of the site's files. Empty when the target has none that is found so.
 */
export const findTerms = async (
  search: TermSearch,
  vocabularies: readonly string[],
  wanted: number,
): Promise<readonly number[]> => {
  const found = new Set<number>();
  for (const look of [byName, byVocabulary, byId]) {
    for (const vocabulary of vocabularies) {
      if (found.size >= wanted) break;
      for (const id of await look(search, vocabulary)) found.add(id);
    }
  }
  return [...found].slice(0, wanted);
};

/** The id of the term of these vocabularies with a name. Undefined when the target has none. */
export const termNamed = async (
  search: TermSearch,
  vocabularies: readonly string[],
  name: string | undefined,
): Promise<number | undefined> => {
  if (name === undefined) return undefined;
  for (const id of await findTerms(search, vocabularies, mostNamed)) if ((await nameAt(search, id)) === name) return id;
  return undefined;
};

const mostNamed = 40;

/** The name of the term with an id, as the account sees it. */
export const nameAt = async (
  { ask, account }: Pick<TermSearch, 'ask' | 'account'>,
  id: number | undefined,
): Promise<string | undefined> => {
  if (id === undefined) return undefined;
  const { json } = await ask({ path: `/taxonomy/term/${id}?_format=json`, as: account, isJudged: false });
  const name = valueIn(json, 'name');
  return typeof name === 'string' ? name : undefined;
};

const termsOf = ({ site }: TermSearch, vocabulary: string) =>
  site.terms
    .filter((term) => term.vocabulary === vocabulary)
    // The usual one comes first: every repository has it.
    .sort((a, b) => rank(nameOf(a)) - rank(nameOf(b)));

const usual = ['Original File', 'Image', 'Digital Document'];
const rank = (name: string): number => (usual.includes(name) ? usual.indexOf(name) : usual.length);

const nameOf = ({ fields }: Site['terms'][number]): string => {
  const name = fields['name']?.[0]?.['value'];
  return typeof name === 'string' ? name : '';
};

const byName = async (search: TermSearch, vocabulary: string): Promise<number[]> => {
  if (!isOffered(search, 'getTermFromTermName')) return [];
  const names = termsOf(search, vocabulary).map(nameOf).slice(0, mostNames);
  const answers = await Promise.all(
    names.map((name) =>
      read(search, `/term_from_term_name?_format=json&vocab=${vocabulary}&name=${encodeURIComponent(name)}`),
    ),
  );
  return answers.flatMap((answer) => idsIn(answer, vocabulary));
};

const byVocabulary = async (search: TermSearch, vocabulary: string): Promise<number[]> =>
  isOffered(search, 'listTermsOfVocabulary')
    ? idsIn(await read(search, `/vocabulary?_format=json&vid=${vocabulary}`), vocabulary)
    : [];

const byId = async (search: TermSearch, vocabulary: string): Promise<number[]> => {
  if (!isOffered(search, 'getTerm')) return [];
  const answers = await Promise.all(
    termsOf(search, vocabulary)
      .slice(0, mostNames)
      .map(({ tid }) => read(search, `/taxonomy/term/${tid}?_format=json`)),
  );
  return answers.flatMap((answer) =>
    answer.status === 200 ? idsIn({ ...answer, json: [answer.json] }, vocabulary) : [],
  );
};

const isOffered = ({ judge }: TermSearch, id: string): boolean => judge.operations.some((one) => one.id === id);

const read = ({ ask, account }: TermSearch, path: string): Promise<Answer> =>
  ask({ path, as: account, isJudged: false });

/** The ids in a list of records of this vocabulary. */
const idsIn = ({ status, json }: Answer, vocabulary: string): number[] => {
  if (status !== 200 || !Array.isArray(json)) return [];
  return json.flatMap((record: unknown) => {
    const id = valueIn(record, 'tid', 'value');
    return typeof id === 'number' && valueIn(record, 'vid', 'target_id') === vocabulary ? [id] : [];
  });
};
