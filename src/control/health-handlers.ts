/** Answers `/_atoll/health`: the server's status, durability and version. */
import { jsonReply, type ControlHandlers } from './control-handlers.ts';

export const healthHandlers = (version: string): Pick<ControlHandlers, 'getHealth'> => ({
  getHealth: async (_request, world) => async () => jsonReply({ status: 'ok', durability: world.durability, version }),
});
