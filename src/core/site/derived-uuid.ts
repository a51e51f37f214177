/** Derives uuids from names, so that what has none of its own gets the same one each time. */
import { digest } from '../../basics/secrets/digest.ts';

/** A uuid that depends on the text alone. */
export const derivedUuid = (text: string): string => {
  const hex = digest('sha256', text, 'hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
};
