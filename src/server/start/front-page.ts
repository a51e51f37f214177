/** Leads a browser that asks for `/` to the console. Every other client is answered as the repository answers it. */
import { pageRefusal, type ControlAccess } from '../control/control-access.ts';
import { consoleAddress, leadTo } from '../control/console-page.ts';
import type { Engine } from '../../core/engine/engine.ts';
import { isRead, type PlainReply, type PlainRequest } from '../../core/engine/exchange.ts';
import type { World } from '../../core/world.ts';

/**
 * 302 to the console of the world, for a browser that the console would answer. Undefined for other requests, and where the
 * document has an operation at `/`. No redirect of a site leads away from there: the real site refuses to keep one.
 */
export const frontPageReply = (
  request: PlainRequest,
  world: World,
  access: ControlAccess,
  { operationOf }: Pick<Engine, 'operationOf'>,
): PlainReply | undefined =>
  request.path === '/' &&
  isRead(request) &&
  /(^|[\s,])text\/html\b/i.test(request.headers['accept'] ?? '') &&
  pageRefusal(request, access) === undefined &&
  operationOf(request) === undefined
    ? leadTo(consoleAddress(world), { Vary: 'Accept' })
    : undefined;
