/** Compares an Atoll of the tests, by the product's own comparison, with a recording. No tests here. */
import type { AddressInfo } from 'node:net';
import { createRecordedTwin, type RecordedExchange, type RecordedTwin } from '../../src/checks/twin/recorded.ts';
import { translateHeaders, translatePath } from '../../src/checks/twin/translate-request.ts';
import { createSender, type Sender } from '../../src/exchange/exchange-target.ts';
import type { WireExchange, WireRequest } from '../../src/exchange/exchange.ts';
import { deliberateDifferences } from '../differences/deliberate-differences.ts';
import { baseUrl, type TestAtoll } from '../support/atoll.ts';

/** A difference that the twin has found, and why it may be. */
export type Judged = NonNullable<Awaited<ReturnType<RecordedTwin['compare']>>>[number];

/** What an id is of. */
export type IdKind = Parameters<RecordedTwin['session']['comparison']['pairs']['learn']>[0]['kind'];

type TestTwin = RecordedTwin & {
  /** Sends a request that was not recorded, as the twin would. */
  readonly send: (request: WireRequest) => Promise<{ readonly status: number; readonly text: string }>;
  readonly end: () => void;
};

type Recording = {
  readonly exchanges: readonly RecordedExchange[];
  readonly target: string;
  /** Milliseconds since 1970. */
  readonly sameClockSince: number;
  readonly onSecond?: (exchange: WireExchange) => void;
};

/** The twin moves the clock of this Atoll to the times of the exchanges. `end` leaves the Atoll as it is. */
export const twinOf = async (
  atoll: TestAtoll,
  { exchanges, target, sameClockSince, onSecond }: Recording,
): Promise<TestTwin> => {
  const { port } = atoll.server.address() as AddressInfo; // it listens on TCP
  const sender = createSender({ baseUrl: `http://127.0.0.1:${port}` });
  const own = {
    started: { url: baseUrl, world: atoll.world(), localWorlds: atoll.worlds },
    ...{ sender, differences: await deliberateDifferences(), hasSameKey: true },
    operationOf: () => undefined,
    passwordOf: (account: string) => atoll.site.accounts.find(({ name }) => name === account)?.demoPassword,
  };
  const twin = createRecordedTwin(exchanges, {
    ...{ own, acceptances: [], targetUrls: [target], shownTarget: target, sameClockSince, onSecond },
    stepTo: (at) => moveClock(atoll, at),
  });
  return { ...twin, end: () => sender.close(), send: (request) => sendTo(twin, sender, request) };
};

const sendTo = async (
  { session: { comparison, credentialMap } }: RecordedTwin,
  sender: Sender,
  request: WireRequest,
): Promise<{ readonly status: number; readonly text: string }> => {
  const context = { from: 'target' as const, status: 200, account: undefined };
  const { lines } = await credentialMap.credentials(request, context);
  const { reply } = await sender.send({
    ...{ method: request.method, path: translatePath(request.path, 'target', comparison), body: request.body.kept },
    headers: [...translateHeaders(request.headers, 'target', comparison), ...lines],
  });
  return { status: reply.status, text: Buffer.from(reply.body.kept).toString() };
};

/** Forward only: to the time, or a moment later. */
export const moveClock = ({ clock }: TestAtoll, at: number): void => {
  if (at > clock.now()) clock.set(new Date(at).toISOString());
  else clock.advance(0.001);
};
