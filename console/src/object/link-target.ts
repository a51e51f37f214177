/** Says where a link leads in the console: to the page of an entity, to the bytes of this one, to another format of it, or out of the console. */
import type { Link } from '../../../src/client/client.ts';
import { entityAt, type EntityKey } from './entity-address.ts';

export type Destination =
  | { readonly kind: 'entity'; readonly entity: EntityKey }
  | { readonly kind: 'bytes' }
  | { readonly kind: 'form'; readonly form: string }
  | { readonly kind: 'address'; readonly address: string };

/** A media `describes` its bytes, which this page shows under "Bytes". Other formats are under "Raw HTTP". */
export const destinationOf = ({ target, rel, type }: Link): Destination => {
  if (rel === 'alternate' && type !== undefined && Object.hasOwn(forms, type)) {
    return { kind: 'form', form: forms[type] ?? '' };
  }
  const entity = entityAt(target);
  if (entity !== undefined) return { kind: 'entity', entity };
  return rel === 'describes' ? { kind: 'bytes' } : { kind: 'address', address: target };
};

/** The forms of the wire by their media types. */
const forms: Readonly<Record<string, string>> = { 'application/json': 'json', 'application/ld+json': 'jsonld' };
