/** The application of a server that serves documents alone: its worlds have no site, no accounts and no content. */
import { ConfigurationError } from '../../basics/configuration-error.ts';
import { type HostedWorld, jsonReply } from '../../openapi/openapi-host.ts';
import { collectionNamed, collectionsIn } from '../../storage/collections/entity-collections.ts';
import type { ApplicationOnDisk } from '../application.ts';
import type { ContentHandlers } from '../control/control-handlers.ts';
import { type ControlHost, hostFacts } from '../control/host-facts.ts';
import { plainContent } from './plain-content.ts';
import { plainFixtures } from './plain-fixtures.ts';
import type { WorldAddress } from '../worlds/world-address.ts';
import { Problem } from '../../openapi/openapi-terms.ts';

/** There is no content. */
const plainControl = (host: ControlHost): ContentHandlers => ({
  getRepository: async (_request, world) => async () =>
    jsonReply({
      ...hostFacts(world, host),
      site: { name: 'Atoll', langcode: 'en', languages: ['en'] },
      counts: { node: 0, media: 0, file: 0, taxonomy_term: 0, user: 0, path_alias: 0, redirect: 0 },
      ...{ accounts: [], providers: [], entryPoints: [] },
    }),
  getModel: async () => async () => jsonReply({ bundles: [] }),
  listEntities: async () => async () => jsonReply({ total: 0, page: 0, pages: 0, entities: [] }),
});

const plainApplication: ApplicationOnDisk = {
  hasRepository: false,
  ...{ content: plainContent, fixturesOf: plainFixtures },
  control: plainControl,
  faults: [],
  createState: () => () => undefined,
  createViews: ({ name, site, durability, clock }, { store, blobs, ids }) => {
    const views = new Map<WorldAddress, HostedWorld>();
    const collections = collectionsIn(store);
    const collection = collectionNamed(collections);
    const hosted = { name, site, durability, clock, store, blobs, ids, collections, collection };
    return {
      at: (address) => {
        const { baseUrl, basePath } = address;
        const known = views.get(address) ?? withoutRepository({ ...hosted, baseUrl, basePath });
        views.set(address, known);
        return known;
      },
      end: () => undefined,
    };
  },
};

type Hosting = {
  readonly areDocumentsAlone?: boolean | undefined;
  readonly loadApplication?: (() => Promise<ApplicationOnDisk>) | undefined;
};

/** What a server with these options hosts. */
export const applicationOf = async ({ areDocumentsAlone, loadApplication }: Hosting): Promise<ApplicationOnDisk> => {
  if (areDocumentsAlone === true) return plainApplication;
  if (loadApplication === undefined)
    throw new ConfigurationError('This program has no repository. Name a document that it serves.');
  return loadApplication();
};

/** Commands about content are refused: there is none. */
const withoutRepository = (hosted: HostedWorld): HostedWorld => {
  const refuse = (): never => {
    throw new Problem(404, 'This server serves documents, and has no repository.');
  };
  const world = { ...hosted, access: nobody };
  for (const name of ['repository', 'cachesOf']) Object.defineProperty(world, name, { get: refuse, enumerable: false });
  return world;
};

const noAccounts = (): never => {
  throw new Problem(404, 'This server has no accounts.');
};

/** Everybody is the anonymous visitor. */
const nobody = {
  anonymous: { uid: 0, name: '', roles: [], permissions: new Set(), mayEverything: false },
  ...{ providers: [], cookieName: 'SESS', setCookie: noAccounts, login: noAccounts, issueToken: noAccounts },
  ...{ principal: () => Promise.resolve(undefined), session: () => undefined, logout: () => undefined },
  ...{ csrfToken: noAccounts, publishedKeys: () => Promise.resolve([]) },
};
