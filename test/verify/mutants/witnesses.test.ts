/** Each planted bug changes an answer, so that `npm run test:suite -- verify` asks `atoll verify` for nothing that cannot be seen. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mutants } from './all-mutants.ts';
import { sendOver, startSwitchable, type Switchable } from './mutant-server.ts';
import { omit, type Mutant, type SeenReply } from './mutant.ts';

let server: Switchable;

beforeAll(async () => {
  const now = Date.parse('2026-05-01T12:00:00Z');
  server = await startSwitchable({ seed: 'witness', traffic: 0, clock: { now: () => now } });
});
afterAll(() => server.stop());

/** Shows as text what the witness of a bug sees in a fresh world. The layout of the JSON makes no difference. */
const seen = async ({ witness }: Mutant, bug?: Mutant): Promise<string> => {
  await server.become(bug);
  const outcome = await witness(sendOver(server.url));
  return JSON.stringify(outcome, (_name, value: unknown) => (isReply(value) ? readable(value) : value));
};

const isReply = (value: unknown): value is SeenReply =>
  typeof value === 'object' && value !== null && 'status' in value && Buffer.isBuffer((value as SeenReply).body); // only read for its type

const readable = ({ status, headers, body }: SeenReply): object => {
  const text = body.toString('latin1');
  // Node's listener has a clock of its own.
  const stable = omit(headers, 'date');
  if (!text.startsWith('{')) return { seen: status, headers: stable, text };
  return { seen: status, headers: omit(stable, 'content-length'), json: JSON.parse(body.toString()) as unknown };
};

describe('the planted bugs', () => {
  it('have names of their own and rules', () => {
    expect(new Set(mutants.map(({ name }) => name)).size).toBe(mutants.length);
    expect(mutants.length).toBeGreaterThan(65);
    expect(mutants.filter(({ rule }) => !/\w.*[.:)]/.test(rule)).map(({ name }) => name)).toEqual([]);
  });

  it.each(mutants.map((mutant) => [mutant.name, mutant] as const))('%s: its witness sees it', async (_name, mutant) => {
    const right = await seen(mutant);
    expect(await seen(mutant, mutant)).not.toBe(right);
    // A witness is no witness when the healthy server answers it differently each time.
    expect(await seen(mutant)).toBe(right);
  });
});
