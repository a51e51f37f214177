/** Reads the stream of a server's traffic, event by event. */
import { controlHeader } from '../../library/control-command.ts';
import type { components } from '../../generated/control.ts';
import { ConfigurationError } from '../../site/read-yaml.ts';
import type { ServerOptions } from './ask-control.ts';
import { reach } from './reach.ts';

type Entry = components['schemas']['TrafficEntry'];

/** Calls back with each entry, until the server ends. Throws `ConfigurationError` when it refuses, or nobody answers. */
export const followTraffic = async (
  { url, controlToken }: ServerOptions,
  query: string,
  heard: (entry: Entry) => void,
): Promise<void> => {
  const address = `${url.replace(/\/$/, '')}/_atoll/traffic/stream${query}`;
  const { ok, status, body } = await reach(address, { headers: controlHeader(controlToken) });
  if (!ok || body === null) throw new ConfigurationError(`${address} answered ${status}.`);
  let rest = '';
  for await (const piece of body.pipeThrough(new TextDecoderStream()) as AsyncIterable<string>) {
    // Events are parted by an empty line (HTML, 9.2.6); this server writes each one's data on one line.
    const events = (rest + piece).split('\n\n');
    rest = events.pop() ?? '';
    for (const event of events) {
      const data = /^data: (.*)$/m.exec(event)?.[1];
      if (data !== undefined) heard(JSON.parse(data) as Entry); // what `src/control/openapi.yaml` says
    }
  }
};
