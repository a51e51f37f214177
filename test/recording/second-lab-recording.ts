/** Turns the recorded sessions of the second lab into exchanges and recordings. No tests here. */
import { wholeBody } from '../../src/exchange/exchange-target.ts';
import type { HeaderLine, WireBody, WireExchange } from '../../src/exchange/exchange.ts';
import {
  accountOf,
  credentialLines,
  sessionTokenOf,
  unmaskedReply,
  unmaskedRequest,
} from '../contract/recordings/second-lab/credentials.ts';
import { pictureWith, recordedGroup, type Group, type Recorded } from '../contract/recordings/second-lab/groups.ts';
import { startOf, timesOf } from '../contract/recordings/second-lab/times.ts';

/** How a session of the second lab is recorded: by the server that it had. */
export const secondLab = { target: 'http://localhost:8000', now: (): number => 0 };

/** The exchanges of a session in order. Bodies that the lab has only counted are cut off, with no bytes kept. */
export const secondLabExchanges = (group: Group): WireExchange[] => {
  const recorded = recordedGroup(group);
  const times = timesOf(recorded);
  const logins = new Map<string, number>();
  let at = startOf(recorded);
  let last = '';
  return recorded.map((exchange, index) => {
    at = Math.max(at, times[index] ?? at);
    const name = loginIn(exchange);
    logins.set(name, (logins.get(name) ?? 0) + 1);
    const session = logins.get(name) === 1 ? name : `${name}-${exchange.number}`;
    const wire = wireExchange(exchange, { at, last, session });
    if (exchange.response.body === '<token>') last = sessionTokenOf(exchange.number);
    return wire;
  });
};

/** The account that has logged in, or an empty text. */
const loginIn = ({ response }: Recorded): string =>
  /"current_user":.*"name":\s?"([^"]*)"/.exec(JSON.stringify(response.body))?.[1] ?? '';

type Meeting = { readonly at: number; readonly last: string; readonly session: string };

const wireExchange = (recorded: Recorded, { at, last, session }: Meeting): WireExchange => {
  const { request, response, sent, label } = recorded;
  const { credentials } = request;
  const asked = (text: string): string => unmaskedRequest(text, { label, at, credentials, last });
  const answered = (text: string): string => unmaskedReply(text, recorded.number, session);
  return {
    ...{ at, durationMs: 0, account: credentials === null ? undefined : accountOf(credentials) },
    request: {
      ...{ method: request.method, path: asked(request.path) },
      headers: [...headerLines(request.headers, asked), ...credentialLines(credentials, { label, at })],
      body: wholeBody(sent ?? new Uint8Array()),
    },
    reply: {
      ...{ status: response.status, reason: '', trailers: [], headers: headerLines(response.headers, answered) },
      body: request.method === 'HEAD' ? wholeBody(new Uint8Array()) : replyBody(response.body, answered),
    },
  };
};

const headerLines = (
  headers: Readonly<Record<string, string | readonly string[]>>,
  unmasked: (text: string) => string,
): HeaderLine[] =>
  Object.entries(headers).flatMap(([name, value]) => [value].flat().map((one): HeaderLine => [name, unmasked(one)]));

const replyBody = (body: unknown, unmasked: (text: string) => string): WireBody => {
  if (body === null || body === undefined) return wholeBody(new Uint8Array());
  if (typeof body !== 'string') return wholeBody(Buffer.from(unmasked(JSON.stringify(body))));
  const picture = pictureWith(/^\(binary \d+ ([0-9a-f]{32})\)$/.exec(body)?.[1] ?? '');
  if (picture !== undefined) return wholeBody(picture);
  const counted = /^\((?:[\w ]+, )?(\d+) bytes/.exec(body);
  if (counted === null) return wholeBody(Buffer.from(unmasked(body)));
  return { bytes: Number(counted[1]), kept: new Uint8Array(), isWhole: false, sha256: '0'.repeat(64) };
};
