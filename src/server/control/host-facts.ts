/** What `/_atoll/repository` says of a server, whatever it hosts. */
import { type ServedContract, allCollections } from '../../contract/contract.ts';
import type { components } from '../../client/generated/control.ts';
import type { HostedWorld } from '../../openapi/openapi-host.ts';

/** What does not depend on the world. */
export type ControlHost = {
  readonly version: string;
  readonly hasGuides: boolean;
  readonly hasHelp: boolean;
  readonly contract: () => Pick<ServedContract, 'documented'>;
};

type HostFacts = Pick<
  components['schemas']['Repository'],
  'world' | 'baseUrl' | 'version' | 'started' | 'durability' | 'paths' | 'hasRepository' | 'documents' | 'collections'
>;

export const hostFacts = (world: HostedWorld, { version, hasGuides, hasHelp, contract }: ControlHost): HostFacts => {
  const { name, baseUrl, durability } = world;
  const { documents = [], areAlone = false, collections = [] } = contract().documented ?? {};
  return {
    world: name,
    baseUrl,
    version,
    started: new Date(performance.timeOrigin).toISOString(),
    durability,
    paths: {
      login: '/user/login?_format=json',
      logout: '/user/logout?_format=json',
      loginStatus: '/user/login_status?_format=json',
      sessionToken: '/session/token',
      ...(hasGuides ? { llms: '/llms.txt' } : {}),
      ...(hasHelp ? { help: '/_atoll/help/' } : {}),
    },
    hasRepository: !areAlone,
    documents: documents.map(({ title, version: ofDocument, basePath, operations, firstPath }) => ({
      ...{ title, version: ofDocument, url: `${baseUrl}${basePath}`, operations },
      ...(firstPath === undefined ? {} : { firstUrl: `${baseUrl}${basePath}${firstPath}` }),
    })),
    collections: world.collections === undefined ? 0 : allCollections(collections, world.collections).length,
  };
};
