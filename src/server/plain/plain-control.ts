/** What the control interface says of content where there is no repository: there is none. */
import { jsonReply } from '../../openapi/openapi-host.ts';
import type { ContentHandlers } from '../control/control-handlers.ts';
import { type ControlHost, hostFacts } from '../control/host-facts.ts';

export const plainControl = (host: ControlHost): ContentHandlers => ({
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
