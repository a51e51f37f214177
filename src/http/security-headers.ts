/** The headers that every answer carries (R 2.1; decisions: Caching headers). */
import type { HeaderValues } from '../engine/exchange.ts';

export const securityHeaders: HeaderValues = {
  'Cache-Control': 'must-revalidate, no-cache, private',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'SAMEORIGIN',
};
