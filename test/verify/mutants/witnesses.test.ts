/** Each planted bug changes an answer, so that `npm run test:suite -- verify` asks `atoll verify` for nothing that cannot be seen. */
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Answer } from '../../../src/server/start/dispatch.ts';
import { startServer, type TestServer } from '../../support/server.ts';
import { mutants } from './all-mutants.ts';
import { alteredAnswer } from './mutant-server.ts';
import { basicOf, type Alteration, type SeenReply, type Send, type Witness } from './mutant.ts';

let server: TestServer;

beforeAll(async () => {
  const now = Date.parse('2026-05-01T12:00:00Z');
  server = await startServer({
    port: undefined,
    baseUrl: 'http://localhost',
    seed: 'witness',
    traffic: 0,
    clock: { now: () => now },
  });
});
afterAll(() => server.stop());

const healthy: Alteration = (request, ask) => ask(request);

/** Requests by a sender that reads whole answers. */
const sendTo =
  (answer: Answer): Send =>
  async (method, target, { as, headers, json, body = json === undefined ? undefined : JSON.stringify(json) } = {}) => {
    const [path = '', query = ''] = target.split('?');
    const bytes = body === undefined ? undefined : Buffer.from(body);
    const reply = await answer({
      ...{ method, path, query, address: '127.0.0.1' },
      headers: {
        host: 'localhost',
        ...(as === undefined ? {} : { authorization: basicOf(as) }),
        ...(json === undefined ? {} : { 'content-type': 'application/json' }),
        ...(bytes === undefined ? {} : { 'content-length': String(bytes.length) }),
        ...headers,
      },
      body: Readable.from(bytes === undefined || bytes.length === 0 ? [] : [bytes]),
    });
    const sentBody =
      method === 'HEAD'
        ? Buffer.alloc(0)
        : typeof reply.body === 'object'
          ? await buffer(reply.body.stream)
          : Buffer.from(reply.body ?? '');
    const lines = Object.entries(reply.headers).map(([name, value]) => [name, [value].flat()] as const);
    return { status: reply.status, headers: Object.fromEntries(lines), body: sentBody };
  };

/** What the witness sees in a world that begins anew, as text. How JSON is written makes no difference. */
const seenBy = async (witness: Witness, alteration: Alteration): Promise<string> => {
  await server.worlds.reset('main');
  const outcome = await witness(sendTo(alteredAnswer(server.answer, alteration)));
  return JSON.stringify(outcome, (_name, value: unknown) => (isReply(value) ? readable(value) : value));
};

const isReply = (value: unknown): value is SeenReply =>
  typeof value === 'object' && value !== null && 'status' in value && Buffer.isBuffer((value as SeenReply).body); // only read for its type

const readable = ({ status, headers, body }: SeenReply): object => {
  const text = body.toString('latin1');
  if (!text.startsWith('{')) return { seen: status, headers, text };
  const others = Object.entries(headers).filter(([name]) => name.toLowerCase() !== 'content-length');
  return { seen: status, headers: others, json: JSON.parse(body.toString()) as unknown };
};

describe('the planted bugs', () => {
  it('have names of their own and rules', () => {
    expect(new Set(mutants.map(({ name }) => name)).size).toBe(mutants.length);
    expect(mutants.length).toBeGreaterThan(65);
    expect(mutants.filter(({ rule }) => !/\w.*[.:)]/.test(rule)).map(({ name }) => name)).toEqual([]);
  });

  it.each(mutants.map((mutant) => [mutant.name, mutant] as const))('%s: its witness sees it', async (_name, mutant) => {
    const right = await seenBy(mutant.witness, healthy);
    const wrong = await seenBy(mutant.witness, mutant.alter());
    expect(wrong).not.toBe(right);
    // A witness is no witness when the healthy server answers it differently each time.
    expect(await seenBy(mutant.witness, healthy)).toBe(right);
  });
});
