/** Starts a process that reads files of strangers, and speaks to it. */
import { type ChildProcess, spawn } from 'node:child_process';
import type { Derivative, DerivativeOrder } from '../../repository/repository-content.ts';
import { decoderBounds, type DecoderReply, type DecoderRequest } from './decoder-messages.ts';
import { decoderFolder } from './decoder-text.ts';

/** A file that was not read, and why. */
export class GivenUp extends Error {}

/** Resolves when the process has the message. */
export type Send = (request: DecoderRequest) => Promise<void>;

/** A process that reads one file at a time. */
export type Decoder = {
  /** `work` sends the source and says what to make of it. Rejects with `GivenUp` when the process gives the file up, or ends. */
  readonly run: (order: DerivativeOrder, work: (send: Send) => Promise<void>) => Promise<Derivative>;
  readonly end: () => void;
};

/** The program comes as the first message, so that it need not be a file of its own, and is run as the body of a function. */
const bootstrap = "process.once('message', (text) => new Function('require', 'decoderText', text)(require, text))";

/** `text` is its program. Where no process can be started, `run` rejects with the system's code. */
export const startDecoder = (text: string): Decoder => {
  const child = spawn(process.execPath, ['-e', bootstrap], {
    // Packages that users install are found from there. The environment may have secrets.
    ...{ cwd: decoderFolder, env: {} },
    ...{ stdio: ['ignore', 'ignore', 'ignore', 'ipc'], serialization: 'advanced', windowsHide: true },
  });
  child.unref();
  child.channel?.unref();
  const ended = endOf(child);
  const send = (message: DecoderRequest | string): Promise<void> =>
    new Promise((resolve, reject) => {
      child.send(message, (error) => (error === null ? resolve() : reject(reasonOf(ended))));
    });
  // Where it fails, the first run does.
  send(text).catch(() => undefined);
  return {
    run: async (order, work) => {
      const over = new AbortController();
      const derivative = derivativeFrom(child, { ended, over: over.signal });
      try {
        const sent = send({ order }).then(() => work(send));
        // The answer may come before all is sent: a process can end at the beginning of a file.
        return await Promise.race([derivative, sent.then(() => derivative)]);
      } finally {
        over.abort();
      }
    },
    end: () => void child.kill('SIGKILL'),
  };
};

/** Aborted, with the reason, when the process has ended or could not be started. */
const endOf = (child: ChildProcess): AbortSignal => {
  const ending = new AbortController();
  child.on('error', ({ code = 'unknown' }: NodeJS.ErrnoException) => {
    if (child.pid === undefined) ending.abort(new Error(`No process can be started to read files: ${code}.`));
  });
  child.on('exit', () => ending.abort(new GivenUp('Reading the file ended the process that read it.')));
  return ending.signal;
};

const reasonOf = ({ reason }: AbortSignal): Error =>
  reason instanceof Error ? reason : new GivenUp('Reading the file ended the process that read it.');

/** The process ends by itself when a file passes a bound. This is for one that cannot. */
const mostMs = decoderBounds.passedMs + 5000;

/** Resolves with what the process answers. It is listened to until `over` is aborted. */
const derivativeFrom = (
  child: ChildProcess,
  { ended, over }: { readonly ended: AbortSignal; readonly over: AbortSignal },
): Promise<Derivative> =>
  new Promise((resolve, reject) => {
    const pieces: Uint8Array[] = [];
    const hear = (reply: DecoderReply): void => {
      if ('piece' in reply) pieces.push(reply.piece);
      else if ('givenUp' in reply) reject(new GivenUp(reply.givenUp));
      else resolve({ bytes: new Uint8Array(Buffer.concat(pieces)), placeholder: reply.done.placeholder });
    };
    const fail = (): void => reject(reasonOf(ended));
    const timer = setTimeout(() => reject(new GivenUp('Reading the file took too long.')), mostMs).unref();
    child.on('message', hear);
    ended.addEventListener('abort', fail, { signal: over });
    over.addEventListener('abort', () => {
      clearTimeout(timer);
      child.off('message', hear);
    });
    if (ended.aborted) fail();
  });
