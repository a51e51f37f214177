/** How secrets are compared: in a time that tells nothing about where they differ. */
import { timingSafeEqual } from 'node:crypto';

/** Whether two secrets are the same. Their lengths are no secret. */
export const sameSecret = (given: string, expected: string): boolean =>
  sameBytes(Buffer.from(given), Buffer.from(expected));

/** The same for bytes. */
export const sameBytes = (given: Uint8Array, expected: Uint8Array): boolean =>
  given.byteLength === expected.byteLength && timingSafeEqual(given, expected);
