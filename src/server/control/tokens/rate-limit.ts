/** Limits how many requests each control token may send in a minute. */
import { type HeaderValues, type PlainReply, messageReply } from '../../../openapi/openapi-host.ts';

/** One request that was counted. */
type Counted = {
  /** The answer to a request over the limit: 429. Undefined when the request may pass. */
  readonly refusal: PlainReply | undefined;
  /** `RateLimit` and `RateLimit-Policy` of every answer to a token. */
  readonly headers: HeaderValues;
};

/** Counts a request of a token. */
type CountRequest = (name: string) => Counted;

const windowMs = 60_000;

type Window = { readonly begun: number; count: number };

/**
 * Windows of one minute in memory, each begun by its token's first request. A count in a database would write there for every command,
 * more than it keeps away.
 */
export const createRateLimit = (perMinute: number, now: () => number): CountRequest => {
  const windows = new Map<string, Window>();
  return (name) => {
    const at = now();
    for (const [each, { begun }] of windows) if (at - begun >= windowMs || at < begun) windows.delete(each);
    const window = windows.get(name) ?? { begun: at, count: 0 };
    windows.set(name, window);
    window.count += 1;
    const seconds = Math.ceil((window.begun + windowMs - at) / 1000);
    const left = Math.max(0, perMinute - window.count);
    const headers = {
      'RateLimit-Policy': `"control";q=${perMinute};w=${windowMs / 1000}`,
      RateLimit: `"control";r=${left};t=${seconds}`,
    };
    return { headers, refusal: window.count > perMinute ? tooMany(name, perMinute, seconds) : undefined };
  };
};

const tooMany = (name: string, perMinute: number, seconds: number): PlainReply => {
  const said = `The control token "${name}" has sent ${perMinute} requests in this minute.`;
  const reply = messageReply(429, `${said} Ask again in ${seconds} ${seconds === 1 ? 'second' : 'seconds'}.`);
  return { ...reply, headers: { ...reply.headers, 'Retry-After': String(seconds) } };
};
