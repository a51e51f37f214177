/** Replaces Node's timers. Those of browsers are numbers, and know no `unref` and no `setImmediate`. */

type Id = ReturnType<typeof globalThis.setTimeout>;

/** A timer that can be set not to keep the process running, where the platform has that. */
export class Timer {
  readonly id: Id;
  constructor(id: Id) {
    this.id = id;
  }
  unref(): this {
    // A number in browsers, an object where tests run in Node.
    if (typeof this.id === 'object') this.id.unref();
    return this;
  }
}

const start = globalThis.setTimeout.bind(globalThis);
const startRepeated = globalThis.setInterval.bind(globalThis) as unknown as typeof start;
const end = globalThis.clearTimeout.bind(globalThis);

export const setTimeout = (run: () => void, ms?: number): Timer => new Timer(start(run, ms));
export const setInterval = (run: () => void, ms?: number): Timer => new Timer(startRepeated(run, ms));
/** Timeouts and intervals share their numbers (HTML standard, timers). */
export const clearTimeout = (timer: Timer | undefined): void => end(timer?.id);
export const clearInterval = clearTimeout;

const { setImmediate: ownImmediate } = globalThis as { setImmediate?: (run: () => void) => unknown };

const turns: (() => void)[] = [];
let port: { postMessage(message: undefined): void } | undefined;

/** Runs after what waits already. A nested timer of zero would wait for four milliseconds. */
export const setImmediate = (run: (value?: undefined) => void): void => {
  if (ownImmediate !== undefined) return void ownImmediate(() => run());
  turns.push(() => run());
  port ??= openPort();
  port.postMessage(undefined);
};

const openPort = () => {
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = () => turns.shift()?.();
  return port2;
};
