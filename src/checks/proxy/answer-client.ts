/** Answers one request of a client: asks the target, lets the faults on demand act, checks the answer and passes it on. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { streamOf } from '../../basics/byte-streams.ts';
import { type PlainReply, faultHeader } from '../../openapi/openapi-host.ts';
import { type Faults, writeFaultyReply, startWriting, writeOwnReply } from '../../server/server-start.ts';
import { isOwnRequest, type RecordedExchange, type WireExchange } from '../../exchange/exchange.ts';
import { keepBytes, type KeptBytes } from '../../exchange/exchange-target.ts';
import type { World } from '../../repository/repository.ts';
import { askTarget, isTargetReply, type AskOptions, type TargetReply } from './ask-target.ts';
import { holdBody, isHoldable, type HeldBody, clientLines, hasReplyBody, passReply } from './pass-reply.ts';
import { beginExchange, type ProxiedExchange, ownExchange, targetExchange } from './proxied-exchange.ts';
import { brokenReply, failureReply, proxyHeader } from './refusals.ts';
import type { Special, Watch } from './watch.ts';

type AnswerOptions = Omit<AskOptions, 'watch'> & {
  readonly watch: Watch;
  readonly faults: () => Faults;
  readonly world: () => World;
  /** Whether an answer that breaks the document becomes a 502. */
  readonly fails: boolean;
  readonly keptBytes: number;
  /** Whether exchanges are checked and shown at all. */
  readonly isWatched: boolean;
  /** Receives each exchange with the target after its end. Bodies then have their hashes. */
  readonly onExchange: ((exchange: WireExchange) => void) | undefined;
  /** Receives the exchanges that did not come about, with the line that the client got. */
  readonly onFailure: (message: string) => void;
};

/** Answers the requests of clients. The returned function never rejects. */
export const createClientAnswering = (options: AnswerOptions) => {
  const { watch, faults, world, keptBytes } = options;
  const keep = (): KeptBytes => keepBytes(keptBytes, options.onExchange !== undefined);
  const show = createShowing(options);
  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const proxied = beginExchange(request, response, keep);
    try {
      let asked: PlainReply | undefined;
      const intercepted = faults().intercept(
        async (plain) => (asked = await askTarget(options, proxied, plain)),
        ({ method, path }) => watch.operationOf(method, path),
      );
      const reply = await intercepted(proxied.plain, world());
      if (proxied.hasClientLeft) return;
      if (isTargetReply(reply)) {
        await passTargetReply({ options, show, keep }, proxied, reply, reply === asked);
        return;
      }
      if (asked !== undefined && isTargetReply(asked)) asked.message.destroy();
      await answerItself(show, proxied, reply);
    } catch {
      response.destroy();
    }
  };
};

type Parts = { readonly options: AnswerOptions; readonly show: Show; readonly keep: () => KeptBytes };

const passTargetReply = async (
  { options, show, keep }: Parts,
  proxied: ProxiedExchange,
  reply: TargetReply,
  isUntouched: boolean,
): Promise<void> => {
  const { message } = reply;
  const kept = keep();
  const seen = (isEnded: boolean): WireExchange => targetExchange(proxied, message, kept.body(isEnded));
  const lines = clientLines(proxied, message);
  const outgoing = options.rewriting?.reply(lines, message, proxied.request) ?? { lines, changed: undefined };
  if (!isUntouched) outgoing.lines.push(faultHeader, String(reply.headers[faultHeader] ?? ''));
  let held: HeldBody | undefined;
  try {
    if (options.fails || reply.transmissionFault !== undefined) held = await hold(proxied, message, kept, options);
    const broken = options.fails ? await judgeEarly(options.watch, seen, held) : undefined;
    if (broken !== undefined) {
      if (held?.isWhole !== true) message.destroy();
      await writeOwnReply(proxied, broken.reply);
      show.judged(proxied, broken.judged, seen(held?.isWhole === true));
      return;
    }
  } catch (error) {
    await answerItself(show, proxied, failureReply(error));
    return;
  }
  if (reply.transmissionFault === undefined) {
    const isWhole = await passReply(proxied, { message, kept, held, ...outgoing });
    show.later(proxied, seen(isWhole), { isCut: !isWhole });
    return;
  }
  await writeDisturbed(proxied, reply, { held, lines: outgoing.lines });
  show.later(proxied, seen(held?.isWhole === true), { fault: reply.transmissionFault });
};

/** Undefined for an answer that is passed on while it comes. */
const hold = async (
  { request }: ProxiedExchange,
  message: IncomingMessage,
  kept: KeptBytes,
  { keptBytes }: AnswerOptions,
): Promise<HeldBody | undefined> => {
  if (!hasReplyBody(request.method ?? '', message) || !isHoldable(message, keptBytes)) return undefined;
  const held = await holdBody(message, keptBytes);
  held.pieces.forEach(kept.add);
  return held;
};

/** The refusal in place of an answer that breaks the document. Only the head is judged of a body that is not whole. */
const judgeEarly = async (
  watch: Watch,
  seen: (isEnded: boolean) => WireExchange,
  held: HeldBody | undefined,
): Promise<{ readonly reply: PlainReply; readonly judged: RecordedExchange } | undefined> => {
  const judged = await watch.judge(seen(held?.isWhole === true));
  if (judged.observations.replyViolations.length === 0) return undefined;
  const broken = { operation: judged.operation?.id ?? '', status: judged.status };
  return { judged, reply: brokenReply(broken, await watch.explain(judged)) };
};

/** Writes an answer of the proxy itself, or of a fault on demand, and shows it. */
const answerItself = async (show: Show, proxied: ProxiedExchange, reply: PlainReply): Promise<void> => {
  await writeOwnReply(proxied, reply);
  show.own(proxied, reply);
};

type Disturbed = { readonly held: HeldBody | undefined; readonly lines: string[] };

const writeDisturbed = async (
  proxied: ProxiedExchange,
  reply: TargetReply,
  { held, lines }: Disturbed,
): Promise<void> => {
  const { request, response } = proxied;
  const { status, transmissionFault, message } = reply;
  if (transmissionFault === undefined) return;
  response.sendDate = false;
  const body =
    held?.isWhole === true
      ? { stream: streamOf(held.pieces), length: held.pieces.reduce((sum, { length }) => sum + length, 0) }
      : reply.body;
  const faulty = { body, startWriting: () => startWriting(response, status, lines) };
  await writeFaultyReply(request, response, faulty, transmissionFault);
  message.destroy();
};

type Show = ReturnType<typeof createShowing>;

/** Shows exchanges in traffic and coverage. A check can wait until the pieces of other exchanges have been passed on. */
const createShowing = ({ watch, isWatched, onExchange, onFailure }: AnswerOptions) => {
  const isShown = ({ plain }: ProxiedExchange): boolean => isWatched && !isOwnRequest(plain);
  const judged = (proxied: ProxiedExchange, seen: RecordedExchange, exchange: WireExchange): void => {
    if (isShown(proxied)) watch.show(seen);
    onExchange?.(exchange);
  };
  const judgeAndShow = (exchange: WireExchange, special: Special): void => {
    watch.judge(exchange).then(
      (seen) => watch.show(seen, special),
      (error: unknown) => onFailure(`An exchange could not be checked: ${String(error)}`),
    );
  };
  return {
    judged,
    later: (proxied: ProxiedExchange, exchange: WireExchange, special: Special): void => {
      onExchange?.(exchange);
      if (!isShown(proxied)) return;
      setImmediate(() => {
        judgeAndShow(exchange, special);
      });
    },
    own: (proxied: ProxiedExchange, reply: PlainReply): void => {
      const exchange = ownExchange(proxied, reply);
      const special = { isOwn: true, fault: reply.transmissionFault };
      if (isShown(proxied)) judgeAndShow(exchange, special);
      const text = typeof reply.body === 'string' && proxyHeader in reply.headers ? reply.body : undefined;
      if (text !== undefined) onFailure((JSON.parse(text) as { readonly message: string }).message); // a refusal of `refusals.ts`
    },
  };
};
