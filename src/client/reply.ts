/** What a method of the client gives back: the body as a value, and the links of the answer. Refusals never come here. */
import { parseLinks, type Link } from './link.ts';

/** A success. */
export type Reply<Data> = {
  /** The body: JSON as its value, `text/plain` as a string, anything else as a `Blob`; undefined when there is none. */
  readonly data: Data;
  /** Status and headers. Its body has been read, but for `parseAs: 'stream'`. */
  readonly response: Response;
  /** Those of the `Link` header. Where it was shortened, `AtollClient.allLinks` has the rest. */
  readonly links: readonly Link[];
};

/** How a body is to be read, where its media type shall not decide. */
export type ParseAs = 'json' | 'text' | 'blob' | 'arrayBuffer' | 'stream';

/** A success, read. `response.url` resolves relative links. */
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
