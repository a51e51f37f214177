/** Parts of the document that the reads of this part have in common. */
import { anonymousPrincipal } from '../site/permissions.ts';
import { listVerdict } from '../content/verdicts.ts';
import type { Part } from '../../openapi/openapi-terms.ts';
import type { Site } from '../site/site.ts';

/** Who may ask: those with one of the permissions or roles. */
type Guard = Parameters<typeof listVerdict>[1];

/** A session, or no credentials at all where visitors have the permission. Neither a view nor the harvest accepts others. */
export const securityFor = ({ roles }: Pick<Site, 'roles'>, guard: Guard): readonly Part[] =>
  listVerdict(anonymousPrincipal(roles), guard) === undefined ? [{ cookie: [] }, {}] : [{ cookie: [] }];

export const errorResponse = (description: string, examples: Part): Part => ({
  description,
  content: { 'application/json': { schema: { $ref: '#/components/schemas/ErrorMessage' }, examples } },
});

/** The refusals that a view and the harvest have alike. */
export const refusals: Part = {
  '403': errorResponse('A permission is missing, or the credentials are of a provider that is not accepted here.', {
    providerNotAllowed: { $ref: '#/components/examples/ProviderNotAllowed' },
  }),
  '500': { $ref: '#/components/responses/UnexpectedError' },
  '503': { $ref: '#/components/responses/Busy' },
};
