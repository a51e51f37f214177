/** Reads, sets and advances the clock of a world. */
import { jsonReply } from '../../openapi/openapi-host.ts';
import type { ControlHandlers } from './control-handlers.ts';
import type { components } from '../../client/generated/control.ts';
import { latestTime, type WorldClock } from '../worlds/world-clock.ts';
import { isoTime } from './world-handlers.ts';
import type { Worlds } from '../worlds/worlds.ts';
import { notFound, unprocessable } from '../../openapi/openapi-terms.ts';

type Schemas = components['schemas'];

export const clockHandlers = (worlds: Worlds): Pick<ControlHandlers, 'getClock' | 'setClock' | 'advanceClock'> => {
  const clockOf = async (name: string): Promise<WorldClock> => {
    const clock = (await worlds.find(name))?.clock;
    if (clock === undefined) throw notFound(`There is no world "${name}".`);
    return clock;
  };
  return {
    getClock: async (_request, world) => async () => clockReply(await clockOf(world.name)),
    setClock:
      async (_request, world) =>
      async ({ json }) => {
        const clock = await clockOf(world.name);
        set(clock, json);
        return clockReply(clock);
      },
    advanceClock:
      async (_request, world) =>
      async ({ json }) => {
        const { seconds } = json;
        const clock = await clockOf(world.name);
        requireWritable(clock.now() + seconds * 1000);
        clock.advance(Math.round(seconds * 1000));
        return clockReply(clock);
      },
  };
};

const set = (clock: WorldClock, setting: Schemas['ClockSetting']): void => {
  const present = clock.read();
  const mode = setting.mode ?? (setting.scale === undefined ? present.mode : 'scaled');
  const scale = setting.scale ?? present.scale;
  if (setting.scale !== undefined && mode !== 'scaled') throw unprocessable(`A clock that is ${mode} has no scale.`);
  if (mode === 'scaled' && scale === undefined) throw unprocessable('A scaled clock needs its scale.');
  const now = setting.now === undefined ? undefined : Date.parse(setting.now);
  if (now !== undefined) requireWritable(now);
  clock.set({ mode, now, scale });
};

/** Records store times as seconds since 1970. */
const requireWritable = (time: number): void => {
  if (!(time >= 0 && time <= latestTime)) throw unprocessable('The clock goes from 1970 to 9999.');
};

const clockReply = (clock: WorldClock) => {
  const { now, ...rest } = clock.read();
  return jsonReply({ now: isoTime(now), ...rest });
};
