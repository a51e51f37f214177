/** Lists the security headers of every answer, as on the real site. */
import type { HeaderValues } from '../../core/engine/exchange.ts';

export const securityHeaders: HeaderValues = {
  'Cache-Control': 'must-revalidate, no-cache, private',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'SAMEORIGIN',
};
