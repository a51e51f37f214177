/** Writes recorded requests as an HTTP Archive (HAR 1.2), which the developer tools of browsers read. */
import type { components } from '../../core/generated/control.ts';
import type { TrafficExchange } from './traffic-entry.ts';
import { redacted } from '../../exchange/redaction/secrets.ts';

type HttpArchive = components['schemas']['HttpArchive'];

/**
 * Follows http://www.softwareishard.com/blog/har-12-spec/, where custom members begin with an underscore. `baseUrl` is the
 * world's, `version` is Atoll's.
 */
export const httpArchive = (exchanges: readonly TrafficExchange[], baseUrl: string, version: string): HttpArchive => ({
  log: {
    version: '1.2',
    creator: { name: 'atoll', version },
    entries: exchanges.map((exchange) => harEntry(exchange, baseUrl)),
  },
});

const harEntry = (exchange: TrafficExchange, baseUrl: string): HttpArchive['log']['entries'][number] => {
  const { time, duration, method, path, status, request, response, operation, verdict, advice } = exchange;
  return {
    startedDateTime: time,
    time: duration,
    request: {
      ...messageOf(request, 'cookie'),
      method,
      url: `${baseUrl}${path}`,
      // The path need not be a valid URL, as in `OPTIONS *`.
      queryString: [...new URLSearchParams(path.replace(/^[^?]*/, ''))].map(([name, value]) => ({ name, value })),
      ...(request.body === undefined
        ? {}
        : { postData: { mimeType: first(request.headers['content-type']), text: request.body } }),
    },
    response: {
      ...messageOf(response, 'set-cookie'),
      status,
      statusText: '',
      content: {
        size: response.bytes,
        mimeType: first(response.headers['Content-Type']),
        ...(response.body === undefined ? {} : { text: response.body }),
      },
      redirectURL: '',
    },
    cache: {},
    timings: { send: 0, wait: duration, receive: 0 },
    _operation: operation,
    _verdict: verdict,
    ...(advice.length === 0 ? {} : { _advice: advice }),
  };
};

const first = (value: string | readonly string[] | undefined): string =>
  typeof value === 'string' ? value : (value?.[0] ?? '');

/** Cookies are secret, so only their presence is shown. */
const messageOf = ({ headers, bytes }: components['schemas']['TrafficMessage'], cookieHeader: string) => ({
  httpVersion: 'HTTP/1.1',
  cookies: Object.keys(headers).some((name) => name.toLowerCase() === cookieHeader)
    ? [{ name: redacted, value: redacted }]
    : [],
  headers: Object.entries(headers).flatMap(([name, value]) => [value].flat().map((one) => ({ name, value: one }))),
  // HAR 1.2 writes -1 for an unknown size.
  headersSize: -1,
  bodySize: bytes,
});
