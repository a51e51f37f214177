/** Compares the terms that two sites bring along. Clients know them by id, by name and by URI. */
import { textOf } from '../../core/model/entity.ts';
import type { InitialTerm } from '../../core/site/site.ts';
import { both, harmless, listed, requests, type Difference, type Side } from './difference.ts';

/** One difference for each vocabulary and kind of change, however many terms it has. */
export const compareTerms = (before: readonly InitialTerm[], after: readonly InitialTerm[]): readonly Difference[] => {
  const byUuid = new Map(after.map((term) => [term.uuid, term]));
  const changes = createChanges();
  for (const was of before) {
    const is = byUuid.get(was.uuid);
    if (is === undefined) changes.add(was, 'has lost', nameOf(was), both);
    else {
      if (is.tid !== was.tid)
        changes.add(was, 'has other ids for', `${nameOf(was)} (${is.tid} instead of ${was.tid})`, both);
      if (nameOf(is) !== nameOf(was))
        changes.add(was, 'has other names for', `${nameOf(was)} (now ${nameOf(is)})`, requests);
      if (addressOf(is) !== addressOf(was)) changes.add(was, 'has other URIs for', nameOf(was), both);
    }
  }
  const known = new Set(before.map(({ uuid }) => uuid));
  for (const is of after) if (!known.has(is.uuid)) changes.add(is, 'has gained', nameOf(is), harmless);
  return changes.all();
};

const nameOf = ({ fields }: InitialTerm): string => textOf(fields['name']?.[0]?.['value']);

/** The URIs in all fields: the one of the term, and those of authorities. */
const addressOf = ({ fields }: InitialTerm): string =>
  Object.values(fields)
    .flatMap((items) => items.flatMap(({ uri }) => (typeof uri === 'string' ? [uri] : [])))
    .join(' ');

const createChanges = () => {
  const found = new Map<
    string,
    { readonly subject: string; readonly what: string; readonly names: string[]; readonly breaks: readonly Side[] }
  >();
  return {
    add: ({ vocabulary }: InitialTerm, what: string, name: string, breaks: readonly Side[]): void => {
      const key = `${vocabulary} ${what}`;
      const known = found.get(key) ?? { subject: `taxonomy_term.${vocabulary}.terms`, what, names: [], breaks };
      known.names.push(name);
      found.set(key, known);
    },
    all: (): Difference[] =>
      [...found.values()].map(({ subject, what, names, breaks }) => ({
        subject,
        change: `${what} ${listed(names)}`,
        breaks,
      })),
  };
};
