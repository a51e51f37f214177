/** Answers `/_atoll/repository`: the address, the site, the accounts and the counts of a world. */
import {
  entityTypes,
  isPublished,
  labelOf,
  providerNames,
  type ProviderName,
  type Site,
  repositoryWorld,
  type World,
} from '../../repository/repository.ts';
import type { components } from '../../client/generated/control.ts';
import { jsonReply } from '../../openapi/openapi-host.ts';
import { type ControlHandlers, type ControlHost, hostFacts } from '../../server/server-application.ts';
import { entryPoints } from './entry-points.ts';
import { firstValue, items, type Entity } from '../../openapi/openapi-records.ts';

type Repository = components['schemas']['Repository'];
type Account = components['schemas']['RepositoryAccount'];

const maxAccounts = 200;

export const repositoryHandlers = (host: ControlHost): Pick<ControlHandlers, 'getRepository'> => ({
  getRepository: async (_request, world) => async () => jsonReply(await repositoryOf(repositoryWorld(world), host)),
});

const repositoryOf = async (world: World, host: ControlHost): Promise<Repository> => {
  const { site } = world;
  const providers = providersOf(site);
  const { paths, ...facts } = hostFacts(world, host);
  return {
    ...facts,
    site: { name: site.name, langcode: site.langcode, languages: [...site.languages] },
    counts: await countsIn(world),
    accounts: await accountsIn(world),
    providers,
    paths: { ...paths, ...(providers.includes('jwt_auth') ? { token: '/jwt/token' } : {}) },
    entryPoints: await entryPoints(world),
  };
};

/** In the order in which they are tried. */
const providersOf = ({ resources }: Site): ProviderName[] => {
  const used = new Set<ProviderName>();
  for (const { methods } of resources.values()) {
    for (const { providers } of methods.values()) for (const provider of providers) used.add(provider);
  }
  return providerNames.filter((name) => used.has(name));
};

const countsIn = async ({ store }: World): Promise<Repository['counts']> => {
  const counts = { node: 0, media: 0, file: 0, taxonomy_term: 0, user: 0, path_alias: 0, redirect: 0 };
  for (const type of entityTypes) counts[type] = (await store.list(type, { offset: 0, limit: 0 })).total;
  return counts;
};

const accountsIn = async ({ store, site }: World): Promise<Account[]> => {
  const { entities } = await store.list('user', { offset: 0, limit: maxAccounts + 1 });
  return entities
    .filter(({ id }) => id !== 0)
    .slice(0, maxAccounts)
    .map((user) => accountOf(user, site));
};

const accountOf = (user: Entity, site: Site): Account => {
  const mail = firstValue(user, 'mail');
  const password = demoPasswordOf(user, site);
  return {
    id: user.id,
    name: labelOf(user),
    ...(typeof mail === 'string' ? { mail } : {}),
    roles: items(user, 'roles').flatMap(({ target_id: id }) =>
      typeof id === 'string' ? [{ id, label: site.roles.get(id)?.label ?? id }] : [],
    ),
    ...(password === undefined ? {} : { password }),
    blocked: !isPublished(user),
  };
};

/** A demo password is public until somebody gives the account another one. */
const demoPasswordOf = ({ id, password }: Entity, { accounts }: Site): string | undefined => {
  const account = accounts.find(({ uid }) => uid === id);
  return account?.passwordHash === password ? account?.demoPassword : undefined;
};
