/** Answers `/_atoll/health`: the server's status and the reasons for it, its durability and version. */
import type { ReadHealth } from '../worlds/disk-health.ts';
import { jsonReply, type ControlHandlers } from './control-handlers.ts';

export const healthHandlers = (version: string, readHealth: ReadHealth): Pick<ControlHandlers, 'getHealth'> => ({
  getHealth: async (_request, world) => async () => {
    const reasons = [...(await readHealth())];
    const isLost = reasons.some(({ code }) => code === 'directory_lost');
    const status = isLost ? 'failed' : reasons.length === 0 ? 'ok' : 'degraded';
    return jsonReply({ status, reasons, durability: world.durability, version });
  },
});
