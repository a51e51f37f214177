/** Reads a successful response: its body as a value, and its links. */
import { parseLinks, type Link } from './link.ts';

/** What a method of the client returns. */
export type Reply<Data> = {
  /** The body: JSON as its value, `text/plain` as a string, anything else as a `Blob`. Undefined when there is none. */
  readonly data: Data;
  /** Status and headers. Its body has been read already, except with `parseAs: 'stream'`. */
  readonly response: Response;
  /** The links of the `Link` header. If the server shortened it, `AtollClient.allLinks` returns the rest too. */
  readonly links: readonly Link[];
};

/** How to read a body regardless of its media type. */
export type ParseAs = 'json' | 'text' | 'blob' | 'arrayBuffer' | 'stream';

/** Reads a successful response. Relative links are resolved against `response.url`. */
export const replyOf = async (response: Response, parseAs?: ParseAs): Promise<Reply<unknown>> => ({
  data: await readBody(response, parseAs),
  response,
  links: parseLinks(response.headers.get('Link'), response.url),
});

const readBody = async (response: Response, parseAs: ParseAs | undefined): Promise<unknown> => {
  if (parseAs === 'stream') return response.body;
  const type = response.headers.get('Content-Type') ?? '';
  if (response.body === null || response.headers.get('Content-Length') === '0') return undefined;
  if (parseAs !== undefined) return response[parseAs]();
  if (/^application\/(?:[\w.-]+\+)?json\b/.test(type)) return response.json();
  return type.startsWith('text/plain') ? response.text() : response.blob();
};
