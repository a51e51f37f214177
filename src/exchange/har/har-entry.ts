/** Writes exchanges as entries of an HTTP Archive (HAR 1.2), which the developer tools of browsers read. */

export type NameValue = { readonly name: string; readonly value: string };

export type HarText = { readonly text: string; readonly encoding?: 'base64' };

export type HarMessage = {
  readonly cookies: NameValue[];
  readonly headers: NameValue[];
  /** The size of the body. */
  readonly bytes: number;
  readonly mimeType: string;
  /** The text of the body. Undefined when there is none, or when it was not kept. */
  readonly body: HarText | undefined;
};

type HarExchange = {
  /** ISO 8601. */
  readonly startedDateTime: string;
  readonly durationMs: number;
  readonly method: string;
  readonly baseUrl: string;
  /** With its query. It need not be a valid URL, as in `OPTIONS *`. */
  readonly path: string;
  readonly request: HarMessage;
  readonly status: number;
  readonly statusText?: string | undefined;
  readonly redirectURL?: string | undefined;
  readonly response: HarMessage;
};

type HarEntry = ReturnType<typeof harEntry>;

/** Follows http://www.softwareishard.com/blog/har-12-spec/, where members of one's own begin with an underscore. */
export const harEntry = (exchange: HarExchange) => {
  const { startedDateTime, durationMs, method, baseUrl, path, request, status, response } = exchange;
  return {
    startedDateTime,
    time: durationMs,
    request: {
      method,
      url: baseUrl + path,
      ...headOf(request),
      queryString: [...new URLSearchParams(path.replace(/^[^?]*/, ''))].map(([name, value]) => ({ name, value })),
      ...(request.body === undefined ? {} : { postData: { mimeType: request.mimeType, ...request.body } }),
    },
    response: {
      status,
      statusText: exchange.statusText ?? '',
      ...headOf(response),
      content: { size: response.bytes, mimeType: response.mimeType, ...response.body },
      redirectURL: exchange.redirectURL ?? '',
    },
    cache: {},
    timings: { send: 0, wait: durationMs, receive: 0 },
  };
};

const headOf = ({ cookies, headers, bytes }: HarMessage) => ({
  ...{ httpVersion: 'HTTP/1.1', cookies, headers },
  // HAR 1.2 writes -1 for an unknown size.
  ...{ headersSize: -1, bodySize: bytes },
});

/** `version` is Atoll's. */
export const harLog = <Entry extends HarEntry>(entries: Entry[], version: string) => ({
  log: { version: '1.2' as const, creator: { name: 'atoll', version }, entries },
});
