/** Follows the traffic of a running server. */
import { controlHeader } from '../../library/control-command.ts';
import { ConfigurationError } from '../../basics/configuration-error.ts';
import { fetchRunningServer, type Schemas, type ServerOptions } from './server-connection.ts';

type Entry = Schemas['TrafficEntry'];

/** Reports each entry until the server ends or the signal comes. Throws `ConfigurationError` when the server refuses or does not answer. */
export const followTraffic = async (
  { url, controlToken }: ServerOptions,
  query: string,
  onEntry: (entry: Entry) => void,
  signal: AbortSignal,
): Promise<void> => {
  const address = `${url}/_atoll/traffic/stream${query}`;
  const { ok, status, body } = await fetchRunningServer(address, { headers: controlHeader(controlToken), signal });
  if (!ok || body === null) throw new ConfigurationError(`${address} answered ${status}.`);
  try {
    await readEntries(body, onEntry);
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
      if (data !== undefined) onEntry(JSON.parse(data) as Entry); // `src/control/openapi.yaml` says so
    }
  }
};
