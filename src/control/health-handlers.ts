/** Answers `/_atoll/health`: the server's status, durability and version. */
import type { ControlHandlers } from './control-handlers.ts';

export const healthHandlers = (version: string): Pick<ControlHandlers, 'getHealth'> => ({
  getHealth: async (_request, world) => async () => ({
    status: 200,
    mediaType: 'application/json',
    body: { status: 'ok', durability: world.durability, version },
  }),
});
