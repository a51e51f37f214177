/** The application of a server that serves documents alone: its worlds have no site, no accounts and no content. */
import { ConfigurationError } from '../../basics/configuration-error.ts';
import { type HostedWorld, jsonReply } from '../../openapi/openapi-host.ts';
import { collectionNamed, collectionsIn } from '../../storage/storage.ts';
import type { ApplicationOnDisk } from '../application.ts';
import type { ContentHandlers } from '../control/control-handlers.ts';
import { type ControlHost, hostFacts } from '../control/host-facts.ts';
import { plainContent } from './plain-content.ts';
import { plainFixtures } from './plain-fixtures.ts';
import type { WorldAddress } from '../worlds/world-address.ts';

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
        const known = views.get(address) ?? { ...hosted, baseUrl, basePath };
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
