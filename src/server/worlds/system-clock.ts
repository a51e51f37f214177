/** Has the machine's own clock and ids, the defaults when a caller provides no others. */
import { randomBytes, randomUUID } from 'node:crypto';
import type { Clock, Identifiers } from '../../core/model/clock.ts';

export const systemClock: Clock = { now: Date.now, steady: () => performance.now() };

export const systemIds: Identifiers = {
  uuid: () => randomUUID(),
  secret: () => randomBytes(32).toString('base64url'),
};
