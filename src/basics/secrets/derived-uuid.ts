/** Derives uuids from names, so that what has none of its own gets the same one each time. */
import { digest } from './digest.ts';

/** A uuid of version 4 (RFC 9562 §5.4) that depends on the text alone. `variant` makes its digit from one of the hash. */
export const derivedUuid = (text: string, variant: (digit: number) => string = () => '8'): string => {
  const hex = digest('sha256', text, 'hex');
  const fourth = variant(Number.parseInt(hex.charAt(16), 16)) + hex.slice(17, 20);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${fourth}-${hex.slice(20, 32)}`;
};
