/** Checks the address of a media that another site shows (oEmbed). Nothing is fetched from there. */
import type { Bundle } from '../../model/bundle.ts';
import type { Violation } from '../../problem.ts';
import type { ReceivedFields } from '../fields/denormalise.ts';
import { isEmptyItem } from '../fields/field-types.ts';

/** The violation of a source that is no web address. The real site also asks the provider, and refuses unknown ones. */
export const addressViolations = ({ source, fields }: Bundle, received: ReceivedFields): Violation[] => {
  if (source?.kind !== 'oembed') return [];
  const type = fields.get(source.field)?.type;
  const sent = (received.get(source.field) ?? []).filter((item) => type !== undefined && !isEmptyItem(item, type));
  return sent.every((item) => isWebAddress(item['value'] ?? item['uri']))
    ? []
    : [{ path: source.field, message: 'The given URL does not match any known oEmbed providers.' }];
};

const isWebAddress = (value: unknown): boolean =>
  typeof value === 'string' && /^https?:\/\/[^/?#]/i.test(value) && URL.canParse(value);
