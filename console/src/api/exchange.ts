/** Sends one request to the repository and returns the reply as the wire has it, refusals included. */
import { clientOf, lookAfterSession, type Acting } from './acting.ts';
import { baseUrl } from './address.ts';
import { ownHeaders } from './own-requests.ts';
import { shellWord } from './shell-word.ts';

export type PlainAsk = {
  readonly method: string;
  /** Within the world, with the query. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** True for a request that the user sends as a client would. It then counts in traffic and coverage. */
  readonly isCounted?: boolean;
};

export type PlainAnswer = {
  readonly status: number;
  readonly headers: readonly (readonly [string, string])[];
  /** Bytes that are not text are left out. */
  readonly text: string | undefined;
  readonly bytes: number;
  readonly milliseconds: number;
};

/** Sends a request with the credentials of an account. Throws only when no answer arrives. */
export const exchange = async (acting: Acting, ask: PlainAsk): Promise<PlainAnswer> => {
  const { authentication, exchange: server } = clientOf(acting).connection;
  const credentials = await authentication.credentials(server, ask.method);
  const own = ownHeaders();
  if (ask.isCounted === true) delete own['Atoll-Page'];
  const begun = performance.now();
  const response = await fetch(baseUrl + ask.path, {
    method: ask.method,
    headers: { ...own, ...credentials, ...ask.headers },
    credentials: authentication.cookies,
    // A browser's cache writes other headers for a part of a file, and leaves requests out.
    cache: 'no-store',
    ...(ask.body === undefined ? {} : { body: ask.body }),
  });
  if (response.status === 401 || response.status === 403) void lookAfterSession();
  const bytes = await response.arrayBuffer();
  return {
    status: response.status,
    headers: [...response.headers].map(([name, value]) => [name === challengeHere ? 'www-authenticate' : name, value]),
    text: isText(response.headers.get('Content-Type')) ? new TextDecoder().decode(bytes) : undefined,
    bytes: bytes.byteLength,
    milliseconds: performance.now() - begun,
  };
};

/** What the server calls a challenge where it answers its own pages, so that no dialog of the browser opens. */
const challengeHere = 'atoll-challenge';

const isText = (type: string | null): boolean => type === null || /^text\/|json|xml|javascript/.test(type);

/** The `curl` command of a request. */
export const curlOf = ({ method, path, headers = {}, body }: PlainAsk, acting: Acting): string => {
  const words = [
    'curl -i',
    ...(method === 'GET' ? [] : method === 'HEAD' ? ['-I'] : [`-X ${method}`]),
    ...(acting === undefined ? [] : [`-u ${shellWord(`${acting.name}:${acting.password}`)}`]),
    ...Object.entries(headers).map(([name, value]) => `-H ${shellWord(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`--data-binary ${shellWord(body)}`]),
    shellWord(baseUrl + path),
  ];
  return words.join(' ');
};
