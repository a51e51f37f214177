/** Leaves the challenge of HTTP Basic out of answers: for everybody or for pages in browsers where a server was started so, and for the server's own pages. */
import type { DocumentObject } from '../../openapi/openapi-terms.ts';
import type { PlainReply, PlainRequest, Interceptor, CreateWorldInterceptors } from '../../openapi/openapi-host.ts';

/** The clients for which a 401 has `WWW-Authenticate: Basic`, for which a browser asks people in a dialog of its own. */
export type BasicChallenge = 'always' | 'outside-browsers' | 'never';

/**
 * The interceptor that leaves challenges out. None where every challenge is sent, as on the real site.
 */
export const challengeInterceptors = (challenge: BasicChallenge = 'always'): readonly CreateWorldInterceptors[] => {
  if (challenge === 'always') return [];
  const intercept: Interceptor['intercept'] = (next) => async (request, world) => {
    const reply = await next(request, world);
    const isLeftOut = reply.status === 401 && (challenge === 'never' || isOfPage(request));
    return isLeftOut ? withoutChallenge(reply) : reply;
  };
  return [() => ({ interceptors: [{ intercept }], drop: () => undefined })];
};

const withoutChallenge = ({ headers, ...reply }: PlainReply): PlainReply => ({
  ...reply,
  headers: Object.fromEntries(Object.entries(headers).filter(([name]) => name !== 'WWW-Authenticate')),
  isReused: false,
});

/**
 * Whether a script or an element of a page sends the request. A person who opens an address in a browser gets the challenge: the
 * dialog is the only way to give a name there. Node's `fetch` sends `Sec-Fetch-Mode` too, but not `Sec-Fetch-Site`.
 */
const isOfPage = ({ headers }: PlainRequest): boolean => {
  if (headers['sec-fetch-site'] !== undefined) return headers['sec-fetch-mode'] !== 'navigate';
  // Browsers send no Sec-Fetch headers to another machine without https.
  if (headers['origin'] !== undefined || headers['x-requested-with'] !== undefined) return true;
  const { accept, 'user-agent': agent = '' } = headers;
  return agent.startsWith('Mozilla/') && accept !== undefined && !accept.includes('text/html');
};

/** The name under which the pages below `/_atoll/` get a challenge. Their scripts show it as `WWW-Authenticate`. */
const challengeOfOwnPages = 'Atoll-Challenge';

/**
 * The reply as a script of a page below `/_atoll/` gets it. A browser opens its own dialog for a challenge wherever cookies go
 * along, and holds the answer back until somebody closes it. So the challenge has another name there. `Referer` says which
 * page asks: no site can set it to a page of another origin.
 */
export const withoutDialog = ({ headers }: PlainRequest, reply: PlainReply): PlainReply => {
  const { 'WWW-Authenticate': challenge } = reply.headers;
  if (challenge === undefined || headers['sec-fetch-mode'] === 'navigate') return reply;
  if (headers['referer'] === undefined || !/^https?:\/\/[^/?#]+(?:\/[^?#]*)?\/_atoll\//.test(headers['referer']))
    return reply;
  const left = withoutChallenge(reply);
  return { ...left, headers: { ...left.headers, [challengeOfOwnPages]: challenge } };
};

/** The document that does not promise the challenge, where some answers have none. */
export const withPossibleChallenge = (
  document: DocumentObject,
  challenge: BasicChallenge = 'always',
): DocumentObject => (challenge === 'always' ? document : withOptional(document));

const withOptional = (document: DocumentObject): DocumentObject => {
  const { headers = {} } = document.components;
  const header = headers['WWW-Authenticate'];
  if (typeof header !== 'object' || header === null) return document;
  const optional = { ...headers, 'WWW-Authenticate': { ...header, required: false } };
  return { ...document, components: { ...document.components, headers: optional } };
};
