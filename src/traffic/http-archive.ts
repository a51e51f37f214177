/** Remembered requests as an HTTP Archive, for browsers' developer tools and everything else that reads HAR 1.2. */
import type { TrafficExchange } from './traffic-entry.ts';
import { redacted } from './secrets.ts';

type NameValue = { readonly name: string; readonly value: string };

/** http://www.softwareishard.com/blog/har-12-spec/; members of our own begin with an underscore, as it asks. */
export type HttpArchive = {
  readonly log: {
    readonly version: '1.2';
    readonly creator: { readonly name: string; readonly version: string };
    readonly entries: readonly HarEntry[];
  };
};

export type HarEntry = {
  readonly startedDateTime: string;
  /** Milliseconds. */
  readonly time: number;
  readonly request: HarRequest;
  readonly response: HarResponse;
  readonly cache: Record<string, never>;
  readonly timings: { readonly send: number; readonly wait: number; readonly receive: number };
  readonly _operation: string | null;
  readonly _verdict: TrafficExchange['verdict'];
};

type HarMessage = {
  readonly httpVersion: string;
  readonly cookies: readonly NameValue[];
  readonly headers: readonly NameValue[];
  readonly headersSize: number;
  readonly bodySize: number;
};
type HarRequest = HarMessage & {
  readonly method: string;
  readonly url: string;
  readonly queryString: readonly NameValue[];
  readonly postData?: { readonly mimeType: string; readonly text: string };
};
type HarResponse = HarMessage & {
  readonly status: number;
  readonly statusText: string;
  readonly content: { readonly size: number; readonly mimeType: string; readonly text?: string };
  readonly redirectURL: string;
};

/** `baseUrl` is that of the world; `version` the program's. */
export const httpArchive = (exchanges: readonly TrafficExchange[], baseUrl: string, version: string): HttpArchive => ({
  log: {
    version: '1.2',
    creator: { name: 'atoll', version },
    entries: exchanges.map((exchange) => harEntry(exchange, baseUrl)),
  },
});

/** What is not known is -1 (HAR 1.2, "headersSize"). */
const unknown = -1;

const harEntry = (exchange: TrafficExchange, baseUrl: string): HarEntry => {
  const { time, duration, method, path, status, request, response, operation, verdict } = exchange;
  const sentType = first(request.headers['content-type']);
  return {
    startedDateTime: time,
    time: duration,
    request: {
      ...messageOf(request.headers, request.bytes, 'cookie'),
      method,
      url: `${baseUrl}${path}`,
      // Not every target makes an address: `OPTIONS *` has no path.
      queryString: [...new URLSearchParams(path.replace(/^[^?]*/, ''))].map(([name, value]) => ({ name, value })),
      ...(request.body === undefined ? {} : { postData: { mimeType: sentType, text: request.body } }),
    },
    response: {
      ...messageOf(response.headers, response.bytes, 'set-cookie'),
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
  };
};

const first = (value: string | readonly string[] | undefined): string =>
  typeof value === 'string' ? value : (value?.[0] ?? '');

/** Cookies are secrets; that there were some is told. */
const messageOf = (
  headers: Readonly<Record<string, string | readonly string[]>>,
  bytes: number,
  cookieHeader: string,
): HarMessage => ({
  httpVersion: 'HTTP/1.1',
  cookies: Object.keys(headers).some((name) => name.toLowerCase() === cookieHeader)
    ? [{ name: redacted, value: redacted }]
    : [],
  headers: Object.entries(headers).flatMap(([name, value]) => [value].flat().map((one) => ({ name, value: one }))),
  headersSize: unknown,
  bodySize: bytes,
});
