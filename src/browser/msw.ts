/** The package's entry `atoll-server/msw`: request handlers for Mock Service Worker, in a browser and in Node. */
import { literalPattern } from '../basics/formats/literal-pattern.ts';
import { http, HttpResponse, type HttpHandler } from 'msw';
import { setCookiesOf, withCookie } from '../exchange/exchange.ts';
import type {
  AtollWorld,
  ClockSetting,
  FaultOptions,
  WorldCommands,
  WorldOptions,
  AtollServer,
} from '../exchange/exchange-worlds.ts';

export type * from '../exchange/exchange-worlds.ts';

/** A repository of `createAtoll` or `startAtoll`, or one of its worlds. */
export type Answering = Pick<WorldCommands, 'name' | 'url' | 'fetch'>;

/**
 * Handlers that answer every request at the address of a repository and below. Other requests are left to MSW. When they are given a world, they
 * answer at the address of its repository, so that a client needs no other one. With a function, each request asks it who
 * answers; all that it gives belong to one repository.
 */
export const atollHandlers = (answering: Answering | (() => Answering)): HttpHandler[] => {
  const current = typeof answering === 'function' ? answering : () => answering;
  return [
    http.all(addressesBelow(repositoryUrl(current())), ({ request, cookies }) => answer(current(), request, cookies)),
  ];
};

/** What `inOwnWorld` needs of `setupServer(…)`. */
export type BoundedServer = {
  boundary<Args extends unknown[], Result>(callback: (...args: Args) => Result): (...args: Args) => Result;
  use(...handlers: HttpHandler[]): void;
};

/**
 * Makes a test that runs in a world of its own: `test('…', inOwnWorld(server, atoll, async (world) => { … }))`. Requests that the
 * test starts are answered by its world, those of tests that run at the same time by theirs. The world is dropped at the end. In Node only,
 * as `server.boundary`.
 */
export const inOwnWorld = (
  server: BoundedServer,
  atoll: Pick<AtollServer, 'world'>,
  test: (world: AtollWorld) => unknown,
  options: WorldOptions = {},
): (() => Promise<void>) =>
  server.boundary(async () => {
    const world = await atoll.world(options);
    try {
      server.use(...atollHandlers(world));
      await test(world);
    } finally {
      await world.drop();
    }
  });

/** The content, time and failures of a story: `parameters: { atoll: { … } }`. */
export type StoryParameters = {
  /** What its world begins with: the name of a fixture, a snapshot or another world. Default: the main world. */
  readonly from?: string;
  readonly clock?: ClockSetting;
  readonly faults?: readonly FaultOptions[];
  /** Makes what else the story shows, for example by `world.fetch`. It runs before the faults begin. */
  readonly prepare?: (world: AtollWorld) => unknown;
};

/** One world at a time: that of the story which is shown. */
export type StoryWorlds = {
  /** For `setupWorker`. They answer from the world of the story, and before the first one from the main world. */
  readonly handlers: readonly HttpHandler[];
  /** Makes a world for a story and drops the one before. Call it before the story asks for something. */
  enter(parameters?: StoryParameters): Promise<AtollWorld>;
  /** A loader of Storybook: it reads `parameters.atoll`. */
  readonly loader: (context: { readonly parameters: { readonly atoll?: StoryParameters } }) => Promise<StoryLoaded>;
};

export type StoryLoaded = { readonly atoll: AtollWorld };

/** Gives every story a world of its own: in Storybook by `loader`, elsewhere by `enter`. */
export const createStoryWorlds = (atoll: Answering & Pick<AtollServer, 'world'>): StoryWorlds => {
  let shown: Answering & Partial<Pick<AtollWorld, 'drop'>> = atoll;
  let last: Promise<unknown> = Promise.resolve();
  const change = async (parameters: StoryParameters): Promise<AtollWorld> => {
    const world = await worldOf(atoll, parameters);
    await shown.drop?.();
    shown = world;
    return world;
  };
  const enter = (parameters: StoryParameters = {}): Promise<AtollWorld> => {
    const entered = last.then(() => change(parameters));
    // The next story does not depend on how this one went.
    last = entered.catch(() => undefined);
    return entered;
  };
  return {
    handlers: atollHandlers(() => shown),
    enter,
    loader: async ({ parameters }) => ({ atoll: await enter(parameters.atoll) }),
  };
};

const worldOf = async (
  atoll: Pick<AtollServer, 'world'>,
  { from, clock, faults = [], prepare }: StoryParameters,
): Promise<AtollWorld> => {
  const world = await atoll.world(from === undefined ? {} : { from });
  try {
    if (clock !== undefined) await world.clock.set(clock);
    await prepare?.(world);
    for (const fault of faults) await world.faults.add(fault);
    return world;
  } catch (error) {
    await world.drop();
    throw error;
  }
};

/** The address of the repository that a world belongs to. */
const repositoryUrl = ({ name, url }: Answering): string =>
  url.endsWith(`/~${name}`) ? url.slice(0, -name.length - 2) : url;

/** MSW compares it with the address without its query. */
const addressesBelow = (url: string): RegExp => {
  const { origin, pathname } = new URL(url); // as requests have it, without a port that is the default one
  return new RegExp(`^${literalPattern(`${origin}${pathname.replace(/\/$/, '')}`)}(?:/.*)?$`);
};

const answer = async ({ name, fetch }: Answering, request: Request, cookies: Cookies): Promise<Response> => {
  const asked = new Request(request);
  if (name !== 'main' && !asked.headers.has('Atoll-World')) asked.headers.set('Atoll-World', name);
  try {
    const response = await fetch(withCookie(asked, cookieHeader(request, cookies)));
    return replyOf(response);
  } catch (error) {
    // The engine rejects as a network does: the connection was cut, or the client went away.
    if (error instanceof TypeError || request.signal.aborted) return HttpResponse.error();
    throw error;
  }
};

type Cookies = Readonly<Record<string, string>>;

/** MSW keeps cookies in a browser, and knows those of an address. In Node a request has them itself. */
const cookieHeader = (request: Request, cookies: Cookies): string =>
  request.headers.get('Cookie') ??
  (hasCredentials(request)
    ? Object.entries(cookies)
        .map(([name, value]) => `${name}=${value}`)
        .join('; ')
    : '');

/** MSW 2 does not ask for it. */
const hasCredentials = ({ credentials, url }: Request): boolean => {
  const { location } = globalThis as { readonly location?: { readonly origin: string } }; // there is none in Node
  return credentials === 'include' || (credentials === 'same-origin' && new URL(url).origin === location?.origin);
};

/**
 * A reply as MSW takes it. In a browser only one of its own class brings cookies into its store. In Node none may: MSW 2
 * has one store for all, and a client without cookies would be logged in.
 */
const replyOf = (response: Response): Response => {
  const setCookies = setCookiesOf(response);
  if (setCookies.length === response.headers.getSetCookie().length) return response;
  const headers = new Headers(response.headers);
  for (const cookie of setCookies) headers.append('Set-Cookie', cookie);
  const { status, statusText, body } = response;
  return new HttpResponse(body, { status, statusText, headers });
};
