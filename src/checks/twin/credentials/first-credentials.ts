/** Gives Atoll the password of its own account, where it answers before the target does. */
import { buffer } from 'node:stream/consumers';
import { Readable } from 'node:stream';
import type { PlainRequest } from '../../../core/engine/exchange.ts';
import type { Passage } from '../../proxy/proxied-exchange.ts';
import { createBodyReader } from '../../../exchange/send.ts';
import type { Wallet } from './credential-map.ts';

/** The lines with the other password, and with the length of another body where there is one. */
export const withOwnPassword = (lines: readonly string[], wallet: Wallet, length: number | undefined): string[] =>
  lines.map((part, at) => {
    if (at % 2 === 0) return part;
    const name = (lines[at - 1] ?? '').toLowerCase();
    if (name === 'authorization') return wallet.ownBasic(part);
    return name === 'content-length' && length !== undefined ? String(length) : part;
  });

/** `sent` is what the client sent, `body` is what Atoll gets. */
type Login = { readonly sent: Uint8Array; readonly body: PlainRequest['body']; readonly length: number };

/** No login is longer. */
const longestLogin = 64 * 1024;

/** The body of a login with the other password, read whole. Undefined for other requests. */
export const loginWithOwnPassword = async ({ plain, sent }: Passage, wallet: Wallet): Promise<Login | undefined> => {
  const isLogin = plain.method === 'POST' && plain.path === '/user/login';
  if (!isLogin || sent === undefined || Number(plain.headers['content-length'] ?? longestLogin + 1) > longestLogin) {
    return undefined;
  }
  const bytes = await buffer(Readable.from(plain.body, { objectMode: false })); // it only iterates
  const reader = createBodyReader({ keptBytes: longestLogin });
  reader.add(bytes);
  const headers = Object.entries(plain.headers).map(([name, value = '']) => [name, value] as const);
  const request = { method: 'POST', path: '/user/login', headers, body: reader.body() };
  const own = wallet.loginBody(request, { from: 'target', status: undefined, account: undefined }) ?? bytes;
  return { sent: bytes, body: Readable.from([own]), length: own.length };
};
