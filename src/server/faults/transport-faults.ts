/** Defines the faults of any service and of the network before it: failures, slow, cut and refused connections. */
import { STATUS_CODES } from 'node:http';
import { discardStream, slowed } from '../../basics/byte-streams.ts';
import {
  responseTypes,
  hasBody,
  type PlainReply,
  type PlainRequest,
  type TransmissionFault,
  messageReply,
  textReply,
} from '../../openapi/openapi-host.ts';
import type { RandomSource } from '../../basics/random-source.ts';
import { answerAltered, answerInstead, faultKind, type Effect, type FaultKind } from './fault.ts';
import { malformed, unexpectedErrorMessage } from '../../openapi/openapi-terms.ts';

/** The longest delay. No test waits longer, and a waiting request keeps its connection. */
const maxDelayMs = 60_000;

const unexpectedError = faultKind({
  name: 'unexpected-error',
  summary: '500 with one sentence of plain text, where JSON was asked for; the request has not been carried out.',
  source: 'the real site (uncaught exceptions, storage errors)',
  parameters: {},
  isPerRequest: true,
  make: () => answerInstead({ ...textReply('text/plain; charset=UTF-8', unexpectedErrorMessage), status: 500 }),
});

const latency = faultKind({
  name: 'latency',
  summary: 'The answer comes later: always by as much, or spread around it.',
  source: 'transport',
  parameters: {
    ms: {
      type: 'number',
      summary: 'Milliseconds; of a distribution its middle.',
      minimum: 0,
      maximum: maxDelayMs,
      default: 200,
    },
    distribution: {
      type: 'text',
      summary: 'How the delays are spread.',
      choices: ['fixed', 'uniform', 'normal', 'lognormal'],
      default: 'fixed',
    },
    spread: {
      type: 'number',
      summary:
        'uniform: at most so many ms more or less (half of ms). normal: standard deviation in ms (a quarter of ms). lognormal: standard deviation of the logarithm (0.4).',
      minimum: 0,
      maximum: maxDelayMs,
    },
  },
  isPerRequest: true,
  make: ({ ms, distribution, spread }, { random, wait }) =>
    answerAltered(async () => {
      const drawn = delays[distribution]?.(ms, spread, random) ?? ms;
      await wait(Math.min(maxDelayMs, Math.max(0, drawn)));
      return {};
    }),
});

type Delay = (ms: number, spread: number | undefined, random: RandomSource) => number;

const delays: Readonly<Record<string, Delay>> = {
  uniform: (ms, spread = ms / 2, random) => ms + (random() * 2 - 1) * spread,
  normal: (ms, spread = ms / 4, random) => ms + gaussian(random) * spread,
  lognormal: (ms, spread = 0.4, random) => ms * Math.exp(gaussian(random) * spread),
};

/** A number of the normal distribution with mean 0 and deviation 1 (Box–Muller transform). */
const gaussian = (random: RandomSource): number =>
  Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());

const status = faultKind({
  name: 'status',
  summary: "A status that you choose, with the body that the contract's document shows for it.",
  source: 'transport',
  parameters: {
    status: { type: 'number', summary: 'The status.', minimum: 200, maximum: 599, default: 503 },
    example: { type: 'text', summary: 'The name of one of its examples in the document.' },
    message: { type: 'text', summary: 'The message of a status that the operation does not document.' },
  },
  isPerRequest: true,
  make:
    ({ status: wanted, example, message }) =>
    async (context, next) => {
      const { request, world, operation } = context;
      if (!context.trigger()) return next(request, world);
      if (operation !== undefined && responseTypes(operation, wanted) !== undefined) {
        const prefer = `code=${wanted}${example === undefined ? '' : `, example=${example}`}`;
        const documented = await next({ ...request, headers: { ...request.headers, prefer } }, world);
        // The engine may have refused the request before the operation, for example for its media type.
        if (documented.status === wanted) return withoutMockHeader(documented);
      }
      if (wanted === 204 || wanted === 304) return { status: wanted, headers: {}, body: undefined };
      return messageReply(wanted, message ?? STATUS_CODES[wanted] ?? 'Unknown');
    },
});

const withoutMockHeader = ({ headers, ...reply }: PlainReply): PlainReply => ({
  ...reply,
  headers: Object.fromEntries(Object.entries(headers).filter(([name]) => name !== 'Atoll-Mocked')),
});

const connectionReset = faultKind({
  name: 'connection-reset',
  summary: 'The connection is reset before a byte of the answer; the request has not been carried out.',
  source: 'transport',
  parameters: {},
  isPerRequest: true,
  make: () => answerInstead(resetReply),
});

/** Ends the connection without an answer. Its status is not sent. */
export const resetReply: PlainReply = {
  status: 500,
  headers: {},
  body: undefined,
  transmissionFault: { kind: 'reset' },
};

/** The parameter `afterBytes` of the faults that cut a body. */
const bytesBefore = (summary: string) =>
  ({ type: 'number', summary, minimum: 0, maximum: Number.MAX_SAFE_INTEGER }) as const;

const cutUpload = faultKind({
  name: 'cut-upload',
  summary: 'The connection ends while the body of the request is read. Nothing of it is stored; earlier content stays.',
  source: 'transport; unlike the real site, nothing is lost: the old bytes stay',
  parameters: {
    afterBytes: bytesBefore('After so many bytes of the body (half of its Content-Length; 1 where that is not sent).'),
  },
  isPerRequest: true,
  make:
    ({ afterBytes }) =>
    async (context, next) => {
      const { request, world } = context;
      const announced = Number(request.headers['content-length'] ?? Number.NaN);
      if (!hasBody(request.headers) || !context.trigger()) return next(request, world);
      const bytes = afterBytes ?? (announced > 0 ? Math.floor(announced / 2) : 1);
      const cut = cutBody(request, bytes);
      const reply = await next(cut.request, world);
      if (!cut.isCut()) return reply;
      if (typeof reply.body === 'object') discardStream(reply.body.stream);
      return resetReply;
    },
});

/** The request with a body that fails after `bytes`, as if the client had disconnected. */
const cutBody = (request: PlainRequest, bytes: number): { request: PlainRequest; isCut: () => boolean } => {
  let isCut = false;
  const body = async function* (): AsyncGenerator<Uint8Array, void> {
    let rest = bytes;
    for await (const piece of request.body) {
      if (rest > 0) yield piece.subarray(0, rest);
      rest -= piece.length;
      if (rest < 0) {
        isCut = true;
        throw malformed('The body ended before it was complete.');
      }
    }
  };
  return {
    request: { ...request, body: { [Symbol.asyncIterator]: body } },
    isCut: () => isCut,
  };
};

const slowUpload = faultKind({
  name: 'slow-upload',
  summary: 'The body of the request is read slowly, so that its sender sees progress.',
  source: 'transport',
  parameters: {
    bytesPerSecond: {
      type: 'number',
      summary: 'So many bytes a second.',
      minimum: 1,
      maximum: 1_000_000_000,
      default: 1_000_000,
    },
  },
  isPerRequest: true,
  make: ({ bytesPerSecond }, { wait }) =>
    answerAltered(
      ({ request }) => ({ request: { ...request, body: slowed(request.body, bytesPerSecond, wait) } }),
      ({ headers }) => hasBody(headers),
    ),
});

const cutAnswer = faultKind({
  name: 'cut-answer',
  summary:
    'The head promises the whole body, part of it is sent, then the connection ends. The request was carried out.',
  source: 'transport',
  parameters: { afterBytes: bytesBefore('After so many bytes of the body (half of it).') },
  isPerRequest: true,
  make: ({ afterBytes }) => withTransmissionFault({ kind: 'cut', afterBytes }),
});

const slowAnswer = faultKind({
  name: 'slow-answer',
  summary: 'The body of the answer trickles in.',
  source: 'transport',
  parameters: {
    bytesPerSecond: {
      type: 'number',
      summary: 'So many bytes a second.',
      minimum: 1,
      maximum: 1_000_000_000,
      default: 1000,
    },
  },
  isPerRequest: true,
  make: ({ bytesPerSecond }) => withTransmissionFault({ kind: 'trickle', bytesPerSecond }),
});

const withTransmissionFault =
  (transmissionFault: TransmissionFault): Effect =>
  async (context, next) => {
    const reply = await next(context.request, context.world);
    const isEmpty = reply.body === undefined || reply.body === '';
    return !isEmpty && context.trigger() ? { ...reply, transmissionFault } : reply;
  };

/** The faults of this file, in the order of the catalogue. */
export const transportFaults: readonly FaultKind[] = [
  unexpectedError,
  latency,
  status,
  connectionReset,
  cutUpload,
  slowUpload,
  cutAnswer,
  slowAnswer,
];
