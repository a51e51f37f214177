/** Compares who may do what by which method: roles with their permissions, and resources with methods, formats, providers. */
import { providerNames } from '../../core/model/principal.ts';
import {
  resourceNames,
  type HttpMethod,
  type MethodConfiguration,
  type ResourceName,
  type Role,
  type Site,
} from '../../core/site/site.ts';
import { byName, differencesOf, harmless, listed, requests, without, type Difference } from './difference.ts';

export const compareRoles = (before: Site['roles'], after: Site['roles']): readonly Difference[] =>
  byName(before, after, (id, was, is) => compareRole(`role.${id}`, was, is));

const compareRole = (subject: string, before: Role | undefined, after: Role | undefined): readonly Difference[] => {
  if (before === undefined) return [{ subject, change: 'is new', breaks: harmless }];
  if (after === undefined) return [{ subject, change: 'is gone', breaks: requests }];
  const { found, note } = differencesOf(subject);
  note(before.isAdmin && !after.isAdmin, 'may not do everything any more', requests);
  note(!before.isAdmin && after.isAdmin, 'may do everything now', harmless);
  if (after.isAdmin) return found;
  const fewer = before.isAdmin ? [] : without(before.permissions, after.permissions);
  note(fewer.length > 0, `has lost ${counted(fewer)}`, requests);
  const more = without(after.permissions, before.permissions);
  note(more.length > 0, `has gained ${counted(more)}`, harmless);
  return found;
};

const counted = (permissions: readonly string[]): string =>
  `${permissions.length === 1 ? 'the permission' : 'the permissions'} ${listed([...permissions].sort())}`;

export const compareResources = (before: Site['resources'], after: Site['resources']): readonly Difference[] =>
  resourceNames.flatMap((name) =>
    byName(methodsOf(before, name), methodsOf(after, name), (method, was, is) =>
      compareMethod(`resource.${name}.${method}`, was, is),
    ),
  );

type Methods = ReadonlyMap<HttpMethod, MethodConfiguration>;

const none: Methods = new Map();
/** Without a resource of its own the upload takes every provider. */
const usualUpload: Methods = new Map([['POST', { formats: ['json'], providers: providerNames }]]);

const methodsOf = (resources: Site['resources'], name: ResourceName): Methods =>
  resources.get(name)?.methods ?? (name === 'file_upload' ? usualUpload : none);

const compareMethod = (
  subject: string,
  before: MethodConfiguration | undefined,
  after: MethodConfiguration | undefined,
): readonly Difference[] => {
  if (before === undefined) return [{ subject, change: 'is offered now', breaks: harmless }];
  if (after === undefined) return [{ subject, change: 'is not offered any more (405)', breaks: requests }];
  const { found, note } = differencesOf(subject);
  const formats = without(before.formats, after.formats);
  note(formats.length > 0, `does not have the format ${listed(formats)} any more (406)`, requests);
  const newFormats = without(after.formats, before.formats);
  note(newFormats.length > 0, `has the format ${listed(newFormats)} now`, harmless);
  const providers = without(before.providers, after.providers);
  note(providers.length > 0, `does not take ${listed(providers)} any more (403)`, requests);
  const newProviders = without(after.providers, before.providers);
  note(newProviders.length > 0, `takes ${listed(newProviders)} now`, harmless);
  return found;
};
