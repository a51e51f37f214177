/** Links from one representation of an entity to the others. */
import type { Entity } from '../model/entity.ts';
import type { Format } from '../site/site.ts';
import { entityUrl, type EntityLink, type LinkContext } from './link-source.ts';

const mediaTypes: { readonly [F in Format]: string } = { json: 'application/json', jsonld: 'application/ld+json' };

/** Every enabled format but the current one, in the order of the configuration (contract: Signposting; reference 4.3). */
export const alternateLinks = (entity: Entity, context: LinkContext): EntityLink[] =>
  context.formats
    .filter((format) => format !== context.format)
    .map((format) => ({
      kind: 'kept',
      target: `${entityUrl(entity, context)}?_format=${format}`,
      rel: 'alternate',
      type: mediaTypes[format],
    }));
