/** Describes the operation of harvesters for the document of a site. */
import { xmlDocument } from '../../../basics/formats/xml.ts';
import type { Part } from '../../../openapi/openapi-terms.ts';
import type { SitePath } from '../../document/specialise.ts';
import type { Site } from '../../site/site.ts';
import { errorResponse, refusals, securityFor } from '../responses.ts';
import { badVerb } from './answer.ts';
import { element } from './oai-element.ts';
import { harvesters, type HarvestSettings } from './harvest-settings.ts';

const parameter = (name: string, description: string, example: string): Part => ({
  ...{ name, in: 'query', description, allowEmptyValue: true },
  ...{ schema: { type: 'string' }, example },
});

/** A wrong argument is an error in an answer of 200, so each is any text. */
const parameters: readonly Part[] = [
  parameter('verb', 'One of the six verbs.', 'Identify'),
  parameter('metadataPrefix', 'The format of records.', 'oai_dc'),
  parameter('identifier', 'The record of `GetRecord`.', 'oai:localhost:node-1'),
  parameter('set', 'The set that a list is of.', 'oai_pmh:all_repository_items'),
  parameter('from', 'The records that have changed since, in UTC.', '2026-01-01'),
  parameter('until', 'The records that have changed until then, in UTC.', '2027-01-01T00:00:00Z'),
  parameter('resumptionToken', 'Where a list goes on. All other arguments are not looked at then.', 'none'),
  {
    ...{
      name: '_format',
      in: 'query',
      description: 'The format of the answer. May be left out.',
      allowEmptyValue: true,
    },
    ...{ schema: { type: 'string', enum: ['oai_dc'] }, example: 'oai_dc' },
  },
];

const example = xmlDocument(
  element(
    'OAI-PMH',
    [element('responseDate', '2026-11-23T16:01:07Z'), element('request', 'http://localhost:8000/oai/request'), badVerb],
    { xmlns: 'http://www.openarchives.org/OAI/2.0/' },
  ),
);

export const harvestPaths = ({ path }: HarvestSettings, site: Site): readonly SitePath[] => [
  [
    path,
    {
      get: {
        ...{
          operationId: 'getHarvest',
          tags: ['Beyond the contract'],
          summary: 'Harvest the metadata of the repository',
        },
        description:
          'OAI-PMH 2.0 with its six verbs. Errors of the protocol are answered with 200 and an element `error` for each. Lists come in parts.',
        ...{ security: securityFor(site, harvesters), parameters },
        responses: {
          '200': {
            description: 'A document of OAI-PMH.',
            content: { 'text/xml': { schema: { type: 'string' }, examples: { badVerb: { value: example } } } },
          },
          ...refusals,
          '406': {
            ...errorResponse('`_format` is something else than oai_dc.', {
              formatNotHarvested: {
                value: { message: 'No route found for the specified format json. Supported formats: oai_dc.' },
              },
            }),
            headers: { Link: { $ref: '#/components/headers/AlternateLink' } },
          },
        },
      },
    },
  ],
];
