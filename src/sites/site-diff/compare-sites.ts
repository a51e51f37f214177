/** Compares two sites: what changed for clients from the first to the second, and who it breaks. */
import { providerNames } from '../../core/model/principal.ts';
import {
  type InitialTerm,
  type MethodConfiguration,
  type ResourceName,
  resourceNames,
  type Role,
  type Site,
} from '../../core/site/site.ts';
import { compareModels, compareLists } from './compare-bundles.ts';
import { compareLiving } from './compare-living.ts';
import { compareSettings } from './compare-settings.ts';
import { decidesHere } from './deciding-permissions.ts';
import {
  acceptedChanges,
  both,
  bySubject,
  type Difference,
  differencesOf,
  harmless,
  listed,
  requests,
  type Side,
  without,
} from './difference.ts';
import { textOf } from '../../openapi/openapi-records.ts';

/** Compares who may do what by which method: roles with their permissions, and resources with methods, formats, providers. */
const compareRoles = (before: Site, after: Site): readonly Difference[] => {
  const asked = new Set(before.lists.flatMap(({ permissions }) => permissions));
  const decides = (permission: string): boolean => decidesHere(permission) || asked.has(permission);
  return bySubject(
    [before.roles, after.roles],
    (id) => `role.${id}`,
    ['is new', ['is gone', requests]],
    (subject, was, is) => compareRole(subject, was, is, decides),
  );
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

const compareResources = (before: Site['resources'], after: Site['resources']): readonly Difference[] =>
  resourceNames.flatMap((name) =>
    bySubject(
      [methodsOf(before, name), methodsOf(after, name)],
      (method) => `resource.${name}.${method}`,
      ['is offered now', ['is not offered any more (405)', requests]],
      acceptedChanges,
    ),
  );

type Methods = ReadonlyMap<string, MethodConfiguration>;

const none: Methods = new Map();
/** Without a resource of its own the upload takes every provider. */
const usualUpload: Methods = new Map([['POST', { formats: ['json'], providers: providerNames }]]);

const methodsOf = (resources: Site['resources'], name: ResourceName): Methods =>
  resources.get(name)?.methods ?? (name === 'file_upload' ? usualUpload : none);

/** One difference for each vocabulary and kind of change, however many terms it has. */
const compareTerms = (before: readonly InitialTerm[], after: readonly InitialTerm[]): readonly Difference[] => {
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

/** In the order bundles and fields, terms, resources, roles, lists, what the site does by itself, settings; by the names of the first site. */
export const compareSites = (before: Site, after: Site): readonly Difference[] => [
  ...compareModels(before.model, after.model),
  ...compareTerms(before.terms, after.terms),
  ...compareResources(before.resources, after.resources),
  ...compareRoles(before, after),
  ...compareLists(before.lists, after.lists),
  ...compareLiving(before.living, after.living),
  ...compareSettings(before, after),
];
