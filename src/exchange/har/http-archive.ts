/** Writes the traffic of a world as an HTTP Archive. */
import type { components } from '../../client/generated/control.ts';
import { redacted } from '../redaction/secrets.ts';
import { harEntry, harLog, type HarMessage } from './har-entry.ts';

type Schemas = components['schemas'];

/** `baseUrl` is the world's, `version` is Atoll's. */
export const httpArchive = (
  exchanges: readonly Schemas['TrafficExchange'][],
  baseUrl: string,
  version: string,
): Schemas['HttpArchive'] =>
  harLog(
    exchanges.map(({ time, duration, method, path, status, request, response, operation, verdict, advice }) => ({
      ...harEntry({
        ...{ startedDateTime: time, durationMs: duration, method, baseUrl, path, status },
        ...{ request: messageOf(request, 'cookie'), response: messageOf(response, 'set-cookie') },
      }),
      _operation: operation,
      _verdict: verdict,
      ...(advice.length === 0 ? {} : { _advice: advice }),
    })),
    version,
  );

/** Cookies are secret, so only their presence is shown. */
const messageOf = ({ headers, bytes, body }: Schemas['TrafficMessage'], cookieHeader: string): HarMessage => {
  const lines = Object.entries(headers).flatMap(([name, value]) => [value].flat().map((one) => ({ name, value: one })));
  const valueOf = (header: string): string | undefined =>
    lines.find(({ name }) => name.toLowerCase() === header)?.value;
  return {
    ...{ bytes, headers: lines, body: body === undefined ? undefined : { text: body } },
    mimeType: valueOf('content-type') ?? '',
    cookies: valueOf(cookieHeader) === undefined ? [] : [{ name: redacted, value: redacted }],
  };
};
