/** Writes what passes a proxy or a twin to a recording. */
import { openRecorder, type RedactionRules } from '../../exchange/exchange-files.ts';
import type { WireExchange } from '../../exchange/exchange.ts';

/** Where exchanges are recorded, without secrets. */
export type RecordOptions = { readonly directory: string; readonly rules?: RedactionRules | undefined };

/** The most exchanges that may wait to be written: each may hold two bodies. */
const mostWaiting = 64;

/** `target` is the base URL of the server that answers. Throws `ConfigurationError`. */
export const openRecording = async (
  { directory, rules }: RecordOptions,
  target: string,
  warn: (message: string) => void,
) => {
  const recorder = await openRecorder(directory, { target, rules });
  let waiting = 0;
  let last: Promise<void> = Promise.resolve();
  return {
    add: (exchange: WireExchange): void => {
      waiting += 1;
      last = recorder
        .add(exchange)
        .catch((error: unknown) => warn(`An exchange is not recorded: ${String(error)}`))
        .finally(() => (waiting -= 1));
    },
    /** Whether the disk does not keep up: new requests wait until it has. */
    isBehind: (): boolean => waiting >= mostWaiting,
    caughtUp: (): Promise<void> => last,
    close: (): Promise<void> => recorder.close(),
  };
};

export type Recording = Awaited<ReturnType<typeof openRecording>>;
