/** Gives every test a world, and says afterwards what the test has asked of it. The fixtures of the runners are made of it. */
import { randomUUID } from 'node:crypto';
import type { AtollOptions, AtollServer, AtollWorld, TrafficPage } from '../entries/atoll.ts';
import { trafficText } from '../remote/traffic-text.ts';

/** Where `ATOLL_URL` names a server, as below `atoll exec`, the tests use that one, and the options of `startAtoll` mean nothing. */
export type TestOptions = AtollOptions & {
  /** Fails a test whose requests, or the replies to them, broke the contract, even if all that it expects is true. */
  readonly failOn?: 'violations';
};

type TestServer = { readonly server: AtollServer; readonly close: () => Promise<void> };

export const openTestServer = async (options: TestOptions): Promise<TestServer> => {
  const { connectAtoll, startAtoll } = await import('../entries/atoll.ts');
  const url = process.env['ATOLL_URL'];
  if (url !== undefined && url !== '') return { server: connectAtoll(url), close: () => Promise.resolve() };
  const atoll = await startAtoll(options);
  return { server: atoll, close: () => atoll.close() };
};

/** Should the process be killed, the world goes by itself. In seconds. */
const longestTest = 900;

/** Its name begins with that of the test, so that the reports of `atoll exec` name the test. */
export const worldOfTest = (server: AtollServer, test: string): Promise<AtollWorld> => {
  const words = test
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|(?<=^.{50}).*$/g, '')
    .replace(/-$/, '');
  return server.world({ name: `${words === '' ? 'test' : words}-${randomUUID().slice(0, 8)}`, ttl: longestTest });
};

/** The most requests of a test that are shown, the last ones. */
const shownRequests = 20;

type Ended = {
  /** What the test has asked, with the verdicts and the corrected requests. Empty when it has asked nothing. */
  readonly text: string;
  /** Whether a request or a reply broke the contract. */
  readonly isBroken: boolean;
};

/** Drops the world. */
export const endOfTest = async (world: AtollWorld): Promise<Ended> => {
  const { entries, total } = await world.traffic();
  await world.drop();
  if (entries.length === 0) return { text: '', isBroken: false };
  const earlier = total - Math.min(entries.length, shownRequests);
  const lines = entries.slice(-shownRequests).map(trafficText);
  const more = earlier === 0 ? [] : [`    … and ${earlier} earlier requests`];
  return {
    text: [`What this test asked of Atoll, in the world ${world.name}:`, ...more, ...lines].join('\n'),
    isBroken: entries.some(isBroken),
  };
};

const isBroken = ({ verdict }: TrafficPage['entries'][number]): boolean =>
  verdict.request === 'broken' || verdict.reply === 'broken';

/** An error whose text is the traffic of a test. It has no stack, which would lead into this package. */
export const trafficError = (text: string): Error => {
  const error = new Error(text);
  error.name = 'Atoll';
  error.stack = `Atoll: ${text}`;
  return error;
};

/** Ends the world of a test whose runner takes what the fixture throws for one more error of the same test. */
export const endOrThrow = async (
  world: AtollWorld,
  { failOn, isFailed }: Pick<TestOptions, 'failOn'> & { readonly isFailed: boolean },
): Promise<void> => {
  const { text, isBroken } = await endOfTest(world);
  if (text !== '' && (isFailed || (isBroken && failOn === 'violations'))) throw trafficError(text);
};

/** The folder in which the processes of the tests leave texts for the reporter. */
export const sharedFolder = {
  get: (): string | undefined => process.env['ATOLL_TEST_TRAFFIC'],
  /** For the processes that are started from now on. */
  set: (folder: string): void => {
    process.env['ATOLL_TEST_TRAFFIC'] = folder;
  },
};
