/** The faults that any network has: slow, cut, refused. Those of this service are `fault-service.ts`. */
import { STATUS_CODES } from 'node:http';
import type { PlainReply, PlainRequest } from '../engine/exchange.ts';
import { messageReply } from '../engine/text-reply.ts';
import { malformed } from '../problem.ts';
import { faultKind, type Effect, type FaultKind } from './fault.ts';

/** Longest delay, in milliseconds: nobody's test waits longer, and a request that waits holds its connection. */
const longestMs = 60_000;

const latency = faultKind({
  name: 'latency',
  summary: 'The answer comes later: always by as much, or spread around it.',
  source: 'transport',
  parameters: {
    ms: {
      type: 'number',
      summary: 'Milliseconds; of a distribution its middle.',
      minimum: 0,
      maximum: longestMs,
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
      maximum: longestMs,
    },
  },
  isPerRequest: true,
  make:
    ({ ms, distribution, spread }, { chance, wait }) =>
    async (struck, next) => {
      if (struck.strikes()) {
        const drawn = delays[distribution]?.(ms, spread, chance) ?? ms;
        await wait(Math.min(longestMs, Math.max(0, drawn)));
      }
      return next(struck.request, struck.world);
    },
});

type Delay = (ms: number, spread: number | undefined, chance: () => number) => number;

const delays: Readonly<Record<string, Delay>> = {
  uniform: (ms, spread = ms / 2, chance) => ms + (chance() * 2 - 1) * spread,
  normal: (ms, spread = ms / 4, chance) => ms + gaussian(chance) * spread,
  lognormal: (ms, spread = 0.4, chance) => ms * Math.exp(gaussian(chance) * spread),
};

/** Box and Muller: from two even draws one of the normal distribution around 0 with deviation 1. */
const gaussian = (chance: () => number): number =>
  Math.sqrt(-2 * Math.log(1 - chance())) * Math.cos(2 * Math.PI * chance());

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
    async (struck, next) => {
      const { request, world, operation } = struck;
      if (!struck.strikes()) return next(request, world);
      if (operation?.responses.has(wanted) === true) {
        const prefer = `code=${wanted}${example === undefined ? '' : `, example=${example}`}`;
        const shown = await next({ ...request, headers: { ...request.headers, prefer } }, world);
        // A request that is refused before the operation is reached, for its media type for example, has no such body.
        if (shown.status === wanted) return withoutMockSign(shown);
      }
      if (wanted === 204 || wanted === 304) return { status: wanted, headers: {}, body: undefined };
      return messageReply(wanted, message ?? STATUS_CODES[wanted] ?? 'Unknown');
    },
});

const withoutMockSign = ({ headers, ...reply }: PlainReply): PlainReply => ({
  ...reply,
  headers: Object.fromEntries(Object.entries(headers).filter(([name]) => name !== 'Atoll-Mocked')),
});

const connectionReset = faultKind({
  name: 'connection-reset',
  summary: 'The connection is reset before a byte of the answer; the request has not been carried out.',
  source: 'transport',
  parameters: {},
  isPerRequest: true,
  make: () => async (struck, next) => (struck.strikes() ? resetReply : next(struck.request, struck.world)),
});

/** Ends the connection instead of an answer; nobody reads its status. */
export const resetReply: PlainReply = {
  status: 500,
  headers: {},
  body: undefined,
  transmissionFault: { kind: 'reset' },
};

const cutUpload = faultKind({
  name: 'cut-upload',
  summary: 'The connection ends while the body of the request is read. Nothing of it is stored; what was stored stays.',
  source: 'transport; decisions: Different from the reference (nothing lost: the old bytes stay)',
  parameters: {
    afterBytes: {
      type: 'number',
      summary: 'After so many bytes of the body (half of its Content-Length; 1 where that is not sent).',
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
    },
  },
  isPerRequest: true,
  make:
    ({ afterBytes }) =>
    async (struck, next) => {
      const { request, world } = struck;
      const announced = Number(request.headers['content-length'] ?? Number.NaN);
      const isSent = announced > 0 || request.headers['transfer-encoding'] !== undefined;
      if (!isSent || !struck.strikes()) return next(request, world);
      const bytes = afterBytes ?? (announced > 0 ? Math.floor(announced / 2) : 1);
      const cut = cutBody(request, bytes);
      const reply = await next(cut.request, world);
      if (!cut.hasHappened()) return reply;
      if (typeof reply.body === 'object') reply.body.stream.destroy();
      return resetReply;
    },
});

/** The request with a body that ends, as if the client had gone, when more than `bytes` have come. */
const cutBody = (request: PlainRequest, bytes: number): { request: PlainRequest; hasHappened: () => boolean } => {
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
    hasHappened: () => isCut,
  };
};

const cutAnswer = faultKind({
  name: 'cut-answer',
  summary:
    'The head promises the whole body, part of it is sent, then the connection ends. The request was carried out.',
  source: 'transport',
  parameters: {
    afterBytes: {
      type: 'number',
      summary: 'After so many bytes of the body (half of it).',
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
    },
  },
  isPerRequest: true,
  make: ({ afterBytes }) => disturbed({ kind: 'cut', afterBytes }),
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
  make: ({ bytesPerSecond }) => disturbed({ kind: 'trickle', bytesPerSecond }),
});

const disturbed =
  (disturbance: NonNullable<PlainReply['transmissionFault']>): Effect =>
  async (struck, next) => {
    const reply = await next(struck.request, struck.world);
    const hasBody = reply.body !== undefined && reply.body !== '';
    return hasBody && struck.strikes() ? { ...reply, transmissionFault: disturbance } : reply;
  };

/** In the order of the catalogue. */
export const transportFaults: readonly FaultKind[] = [
  latency,
  status,
  connectionReset,
  cutUpload,
  cutAnswer,
  slowAnswer,
];
