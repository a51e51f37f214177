/** Compares two sites in what their documents do not show: what changed for clients from the first to the second, and who it breaks. */
import type { InitialTerm, Role, Site } from '../../repository/repository.ts';
import { compareModels } from './compare-bundles.ts';
import { compareLists } from './compare-lists.ts';
import { compareLiving } from './compare-living.ts';
import { compareSettings } from './compare-settings.ts';
import { decidesHere } from './deciding-permissions.ts';
import { both, type Difference, differencesOf, harmless, listed, requests, type Side, without } from './difference.ts';
import { textOf } from '../../openapi/openapi-records.ts';

/** No document names roles, and a lost permission is a 403. */
const compareRoles = (before: Site, after: Site): readonly Difference[] => {
  const asked = new Set(before.lists.flatMap(({ permissions }) => permissions));
  const decides = (permission: string): boolean => decidesHere(permission) || asked.has(permission);
  return [...new Set([...before.roles.keys(), ...after.roles.keys()])].flatMap((id) => {
    const { found, note } = differencesOf(`role.${id}`);
    const [was, is] = [before.roles.get(id), after.roles.get(id)];
    if (was !== undefined && is !== undefined) return compareRole(`role.${id}`, was, is, decides);
    note(was === undefined, 'is new', harmless);
    note(is === undefined, 'is gone', requests);
    return found;
  });
};

const compareRole = (
  subject: string,
  before: Role,
  after: Role,
  decides: (permission: string) => boolean,
): readonly Difference[] => {
  const { found, note, toggled } = differencesOf(subject);
  const [no, yes] = ['may not do everything any more', 'may do everything now'];
  toggled(before.isAdmin, after.isAdmin, [no, requests], [yes, harmless]);
  if (after.isAdmin) return found;
  const fewer = before.isAdmin ? [] : without(before.permissions, after.permissions);
  const [deciding, idle] = [fewer.filter(decides), fewer.filter((permission) => !decides(permission))];
  note(deciding.length > 0, `has lost ${counted(deciding)}`, requests);
  note(idle.length > 0, `has lost, without an effect here, ${counted(idle)}`, harmless);
  const more = without(after.permissions, before.permissions);
  note(more.length > 0, `has gained ${counted(more)}`, harmless);
  return found;
};

const counted = (permissions: readonly string[]): string =>
  `${permissions.length === 1 ? 'the permission' : 'the permissions'} ${listed([...permissions].sort())}`;

/** Clients send ids of terms that they know. One difference for each vocabulary and kind of change, however many terms it has. */
const compareTerms = (before: readonly InitialTerm[], after: readonly InitialTerm[]): readonly Difference[] => {
  const byUuid = new Map(after.map((term) => [term.uuid, term]));
  const known = new Set(before.map(({ uuid }) => uuid));
  const gained = new Set(after.filter(({ uuid }) => !known.has(uuid)));
  const changes = createChanges();
  for (const was of before) {
    const is = byUuid.get(was.uuid) ?? namesakeOf(was, gained);
    if (is === undefined) changes.add(was, 'has lost', nameOf(was), both);
    else {
      gained.delete(is);
      if (is.uuid !== was.uuid)
        changes.add(was, `has another uuid${is.tid === was.tid ? '' : ' and id'} for`, nameOf(was), both);
      else if (is.tid !== was.tid)
        changes.add(was, 'has other ids for', `${nameOf(was)} (${is.tid} instead of ${was.tid})`, both);
      if (nameOf(is) !== nameOf(was))
        changes.add(was, 'has other names for', `${nameOf(was)} (now ${nameOf(is)})`, requests);
      if (addressOf(is) !== addressOf(was)) changes.add(was, 'has other URIs for', nameOf(was), both);
    }
  }
  for (const is of gained) changes.add(is, 'has gained', nameOf(is), harmless);
  return changes.all();
};

const namesakeOf = (was: InitialTerm, among: ReadonlySet<InitialTerm>): InitialTerm | undefined =>
  [...among].find((is) => is.vocabulary === was.vocabulary && nameOf(is) === nameOf(was));

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

/** In the order bundles and fields, terms, roles, lists, what the site does by itself, settings; by the names of the first site. */
export const compareSites = (before: Site, after: Site): readonly Difference[] => [
  ...compareModels(before.model, after.model),
  ...compareTerms(before.terms, after.terms),
  ...compareRoles(before, after),
  ...compareLists(before.lists, after.lists),
  ...compareLiving(before.living, after.living),
  ...compareSettings(before, after),
];
