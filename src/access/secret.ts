/** Compares secrets in constant time. */
import { timingSafeEqual } from 'node:crypto';

/** Takes the same time wherever the two texts differ. Their lengths are not secret. */
export const isSameSecret = (received: string, expected: string): boolean => {
  const [a, b] = [Buffer.from(received), Buffer.from(expected)];
  return a.byteLength === b.byteLength && timingSafeEqual(a, b);
};
