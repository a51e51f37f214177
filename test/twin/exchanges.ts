/** Requests and replies for the tests of the twin. No tests here. */
import { wholeBody } from '../../src/exchange/exchange-target.ts';
import type { HeaderLine, WireReply, WireRequest } from '../../src/exchange/exchange.ts';

export const request = (
  method: string,
  path: string,
  json?: unknown,
  headers: readonly HeaderLine[] = [],
): WireRequest => ({
  ...{ method, path },
  headers: [...headers, ...(json === undefined ? [] : [['Content-Type', 'application/json'] as const])],
  body: wholeBody(json === undefined ? new Uint8Array() : Buffer.from(JSON.stringify(json))),
});

export const reply = (status: number, json?: unknown, headers: readonly HeaderLine[] = []): WireReply => ({
  ...{ status, reason: '', trailers: [] },
  headers: [...headers, ...(json === undefined ? [] : [['Content-Type', 'application/json'] as const])],
  body: wholeBody(json === undefined ? new Uint8Array() : Buffer.from(JSON.stringify(json))),
});

export const answered = (asked: WireRequest, target: WireReply, atoll: WireReply) => ({
  request: asked,
  ...{ target, atoll },
  operation: 'getNode',
});
