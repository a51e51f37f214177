/**
 * The program of the process that reads files of strangers. Its first thread takes orders and watches; each file is read in a thread
 * of its own, which leaves nothing behind. A file that takes too much time or memory ends the process, and with it whatever its decoder
 * has allocated.
 */
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import {
  type Derivative,
  type DerivativeOrder,
  makeDerivative,
  makePlaceholder,
} from '../../repository/repository-content.ts';
import { decoderBounds as bounds, type DecoderReply, type DecoderRequest, pieceBytes } from './decoder-messages.ts';
import { textOfPdf } from './pdf-text.ts';
import { greyPicture, scalePicture } from './pictures/scale-picture.ts';

/** What the thread of a file gets. */
type FileTask = {
  readonly order: DerivativeOrder;
  readonly source: Uint8Array<ArrayBuffer>;
  readonly placeholder: string | undefined;
};

const readers = { scalePicture, greyPicture, textOfPdf };

const readFile = async ({ order, source, placeholder }: FileTask): Promise<void> => {
  const derivative =
    placeholder === undefined
      ? await makeDerivative(order, source, readers)
      : await makePlaceholder(order, source, { reason: placeholder, readers });
  parentPort?.postMessage(derivative);
};

/** Sends a reply to the server, and resolves when it is on its way. */
const sendReply = (reply: DecoderReply): Promise<void> =>
  new Promise((resolve) => void process.send?.(reply, undefined, {}, () => resolve()));

const sendDerivative = async ({ bytes, placeholder }: Derivative): Promise<void> => {
  for (let at = 0; at < bytes.length; at += pieceBytes) await sendReply({ piece: bytes.slice(at, at + pieceBytes) });
  await sendReply({ done: { placeholder } });
};

const giveUp = async (reason: string): Promise<never> => {
  await sendReply({ givenUp: reason });
  process.exit();
};

const tooMuchMemory = `Reading the file took more than ${bounds.memoryBytes / 1024 / 1024} MiB of memory.`;

/** Calls back when the file has passed a bound. Returns what ends the watch. */
const watch = (onPassed: (reason: string) => void): (() => void) => {
  const [began, used] = [Date.now(), process.cpuUsage()];
  const look = (): void => {
    const { user, system } = process.cpuUsage(used);
    const isTooLong = user + system > bounds.processorMs * 1000 || Date.now() - began > bounds.passedMs;
    if (isTooLong) onPassed(`Reading the file took more than ${bounds.processorMs / 1000} s.`);
    else if (process.memoryUsage.rss() > bounds.memoryBytes) onPassed(tooMuchMemory);
  };
  const timer = setInterval(look, 10);
  return () => clearInterval(timer);
};

/** Reads a file in a thread, by the text of this program. */
const runThread = (text: string, task: FileTask): Promise<Derivative> =>
  new Promise((resolve, reject) => {
    const options = { eval: true, workerData: task, transferList: [task.source.buffer] };
    const thread = new Worker(text, { ...options, resourceLimits: { maxOldGenerationSizeMb: bounds.heapMegabytes } });
    thread.once('message', resolve);
    thread.once('error', reject);
    thread.once('exit', () => reject(new Error('The thread has ended.')));
  });

const isOutOfMemory = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';

/** `text` is that of this program. */
const serveOrders = (text: string): void => {
  let order: DerivativeOrder | undefined;
  let pieces: Uint8Array[] = [];
  const finish = async (asked: DerivativeOrder, placeholder: string | undefined): Promise<void> => {
    const source = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
    pieces.reduce((at, piece) => (source.set(piece, at), at + piece.length), 0);
    pieces = [];
    const endWatch = watch((reason) => void giveUp(reason));
    try {
      await sendDerivative(await runThread(text, { order: asked, source, placeholder }));
    } catch (error) {
      await giveUp(isOutOfMemory(error) ? tooMuchMemory : 'Reading the file has failed.');
    } finally {
      endWatch();
    }
  };
  process.on('message', (request: DecoderRequest) => {
    if ('order' in request) order = request.order;
    else if ('piece' in request) pieces.push(request.piece);
    else if (order !== undefined) void finish(order, request.finish.placeholder);
  });
  process.on('disconnect', () => process.exit());
  // A terminal sends it to the server as well, which ends this process when it is done.
  process.on('SIGINT', () => undefined);
};

/** Written by `decoder-process.ts`, which starts this program. */
declare const decoderText: string;

if (isMainThread) serveOrders(decoderText);
else void readFile(workerData as FileTask); // `runThread` gives it
