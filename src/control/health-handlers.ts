/** Whether the server answers, and how safely it stores. */
import type { ControlHandlers } from './control-handlers.ts';

/** `version` is the program's. */
export const serverHandlers = (version: string): Pick<ControlHandlers, 'getHealth'> => ({
  getHealth: async (_request, world) => async () => ({
    status: 200,
    mediaType: 'application/json',
    body: { status: 'ok', durability: world.durability, version },
  }),
});
