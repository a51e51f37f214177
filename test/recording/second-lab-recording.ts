/** Turns the recorded sessions of the second lab into exchanges and recordings. No tests here. */
import { openRecorder } from '../../src/exchange/files/recorder.ts';
import { wholeBody } from '../../src/exchange/redaction/decoded-body.ts';
import type { HeaderLine, WireBody, WireExchange } from '../../src/exchange/wire-exchange.ts';
import { accountOf } from '../contract/recordings/second-lab/credentials.ts';
import { recordedGroup, type Group, type Recorded } from '../contract/recordings/second-lab/groups.ts';
import { startOf, timesOf } from '../contract/recordings/second-lab/times.ts';

/** The server of the second lab. */
export const secondLabTarget = 'http://localhost:8000';

/** The exchanges of a session in order. Bodies that the lab has only counted are cut off, with no bytes kept. */
export const secondLabExchanges = (group: Group): WireExchange[] => {
  const recorded = recordedGroup(group);
  const times = timesOf(recorded);
  let at = startOf(recorded);
  return recorded.map((exchange, index) => {
    at = Math.max(at, times[index] ?? at);
    return wireExchange(exchange, at);
  });
};

/** Writes a session as a recording into a new directory. */
export const recordSecondLab = async (group: Group, directory: string): Promise<void> => {
  const recorder = await openRecorder(directory, { target: secondLabTarget, now: () => 0 });
  for (const exchange of secondLabExchanges(group)) await recorder.add(exchange);
  await recorder.close();
};

const wireExchange = ({ request, response, sent }: Recorded, at: number): WireExchange => ({
  at,
  durationMs: 0,
  account: request.credentials === null ? undefined : accountOf(request.credentials),
  request: {
    method: request.method,
    path: request.path,
    headers: [...headerLines(request.headers), ...credentialLines(request.credentials)],
    body: sent === undefined ? wholeBody(new Uint8Array()) : wholeBody(sent),
  },
  reply: {
    status: response.status,
    reason: '',
    headers: headerLines(response.headers),
    trailers: [],
    body: request.method === 'HEAD' ? wholeBody(new Uint8Array()) : replyBody(response.body),
  },
});

const headerLines = (headers: Readonly<Record<string, string | readonly string[]>>): HeaderLine[] =>
  Object.entries(headers).flatMap(([name, value]) => [value].flat().map((one): HeaderLine => [name, one]));

/** The lab has masked all secrets, so that these are only as different as their accounts. */
const credentialLines = (credentials: string | null): HeaderLine[] => {
  if (credentials === null) return [];
  const account = accountOf(credentials);
  const kind = credentials.slice(account.length);
  if (kind === ' (token)') return [['Authorization', `Bearer token-of-${account}-0123456789`]];
  if (kind.startsWith(' (session cookie')) {
    const csrf: HeaderLine[] = kind.includes('X-CSRF-Token') ? [['X-CSRF-Token', `csrf-token-of-${account}`]] : [];
    return [['Cookie', `SESS${'0'.repeat(32)}=session-of-${account}`], ...csrf];
  }
  const password = /^ \(password "(.*)"\)$/.exec(kind)?.[1] ?? 'pw';
  return [['Authorization', `Basic ${Buffer.from(`${account}:${password}`).toString('base64')}`]];
};

const replyBody = (body: unknown): WireBody => {
  if (body === null || body === undefined) return wholeBody(new Uint8Array());
  if (typeof body !== 'string') return wholeBody(Buffer.from(JSON.stringify(body)));
  const counted = /^\((?:[\w ]+, )?(\d+) bytes/.exec(body);
  if (counted === null) return wholeBody(Buffer.from(body));
  return { bytes: Number(counted[1]), kept: new Uint8Array(), isWhole: false, sha256: '0'.repeat(64) };
};
