/** Follows the traffic of a running server. */
import { ConfigurationError } from '../../basics/configuration-error.ts';
import { fetchRunningServer, type ServerOptions } from './server-connection.ts';
import type { ControlSchemas } from '../../client/control/control-types.ts';
import type { TrafficFilter } from '../../exchange/worlds/controlled-world.ts';
import { controlOf, orConfigurationError } from './server-connection.ts';

type Entry = ControlSchemas['TrafficEntry'];

/** Reports each entry until the server ends or the signal comes. Throws `ConfigurationError` when the server refuses or does not answer. */
export const followTraffic = async (
  server: ServerOptions,
  query: TrafficFilter,
  onEntry: (entry: Entry) => void,
  signal: AbortSignal,
): Promise<void> => {
  const { body } = await controlOf(server).open('streamTraffic', { query, signal }).catch(orConfigurationError);
  try {
    if (body !== null) await readEntries(body, onEntry);
  } catch (error) {
    if (!signal.aborted) throw error;
  }
};

const readEntries = async (body: ReadableStream<Uint8Array>, onEntry: (entry: Entry) => void): Promise<void> => {
  let rest = '';
  const decoder = new TextDecoder();
  for await (const bytes of body) {
    const piece = decoder.decode(bytes, { stream: true });
    // An empty line ends an event (HTML Standard §9.2.6). The server writes the data of an event on one line.
    const events = (rest + piece).split('\n\n');
    rest = events.pop() ?? '';
    for (const event of events) {
      const data = /^data: (.*)$/m.exec(event)?.[1];
      if (data !== undefined) onEntry(JSON.parse(data) as Entry); // `src/server/control/openapi.yaml` says so
    }
  }
};
