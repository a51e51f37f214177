/** Sends a request and finds it in the traffic of its world, with the verdict of the contract. */
import { randomUUID } from 'node:crypto';
import type { TrafficExchange, WorldCommands } from '../../exchange/exchange-worlds.ts';
import type { Call } from '../session/session.ts';
import { sendRequest, type SandboxRequest, type SandboxAnswer } from './sandbox-request.ts';

/** `exchange` is undefined where the server remembers no traffic. */
export type WatchedAnswer = SandboxAnswer & { readonly exchange: TrafficExchange | undefined };

/** Tells the request of this call from those of others in the same world. */
const markHeader = 'Atoll-Trial';

/** Where the traffic of a world is in a database, it comes after some 200 ms. */
const waits = [0, 300, 700];

export const sendWatched = async (
  call: Call,
  world: WorldCommands,
  request: SandboxRequest,
): Promise<WatchedAnswer> => {
  const mark = randomUUID();
  const last = (await world.traffic({ limit: '1' })).entries.at(-1)?.id ?? 0;
  const answer = await sendRequest(call, world, request, { sessions: call.sessions, marks: { [markHeader]: mark } });
  for (const ms of waits) {
    if (ms > 0) await new Promise((resolve) => setTimeout(resolve, ms));
    call.signal.throwIfAborted();
    const exchange = await exchangeOf(world, mark, { since: String(last), method: request.method });
    if (exchange !== undefined) return { ...answer, exchange };
    // A server that remembers nothing will not remember this one either.
    if (last === 0 && (await world.countTraffic({})).count === 0) break;
  }
  return { ...answer, exchange: undefined };
};

const exchangeOf = async (
  world: WorldCommands,
  mark: string,
  query: { readonly since: string; readonly method: string },
): Promise<TrafficExchange | undefined> => {
  const { entries } = await world.traffic({ ...query, limit: '50' });
  for (const { id } of entries.toReversed()) {
    const exchange = await world.exchange(id);
    if (exchange.request.headers[markHeader.toLowerCase()] === mark) return exchange;
  }
  return undefined;
};
