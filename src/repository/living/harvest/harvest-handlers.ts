/** Answers the requests of harvesters. */
import { listVerdict, throwIfDenied } from '../../content/verdicts.ts';
import type { AnyHandler } from '../../engine/handler.ts';
import { linkHeader } from '../../links/typed-link.ts';
import { answerHarvest, type Arguments } from './answer.ts';
import { harvesters, type HarvestSettings } from './harvest-settings.ts';
import { Problem } from '../../../openapi/openapi-terms.ts';

export const harvestHandlers = (settings: HarvestSettings): Readonly<Record<string, AnyHandler>> => ({
  getHarvest: harvester(settings),
});

const harvester =
  (settings: HarvestSettings): AnyHandler =>
  (request, world, records) => {
    throwIfDenied(listVerdict(request.identity.principal, harvesters));
    const given = filled(request.query);
    refuseOtherFormat(given['_format'], world.baseUrl + settings.path);
    const { site, store, baseUrl, basePath, clock } = world;
    return () => ({
      status: 200,
      mediaType: 'text/xml',
      body: answerHarvest(given, {
        ...{ settings, basePath, origin: baseUrl.slice(0, baseUrl.length - basePath.length) },
        viewer: { principal: request.identity.principal, records, site, store },
        now: Math.floor(clock.now() / 1000),
      }),
    });
  };

/** The texts of the query. The real site takes an empty one for an absent one. */
const filled = (query: Readonly<Record<string, unknown>>): Arguments =>
  Object.fromEntries(
    Object.entries(query).flatMap(([name, value]) =>
      typeof value === 'string' && value !== '' ? [[name, value]] : [],
    ),
  );

/** The only format is one of its own. */
const refuseOtherFormat = (format: string | undefined, url: string): void => {
  if (format === undefined || format === 'oai_dc') return;
  const link = linkHeader({ target: `${url}?_format=oai_dc`, rel: 'alternate', type: 'text/xml' });
  const message = `No route found for the specified format ${format.slice(0, 100)}. Supported formats: oai_dc.`;
  throw new Problem(406, message, { headers: { Link: [link] } });
};
