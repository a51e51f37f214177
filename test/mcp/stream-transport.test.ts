/** The lines of a client of `atoll mcp`: one that is too long, or is not a message, ends nothing. */
import { expect, it } from '@jest/globals';
import { createStreamTransport } from '../../src/mcp/stream-transport.ts';

const ping = (id: number): string => `${JSON.stringify({ jsonrpc: '2.0', id, method: 'ping' })}\n`;

/** The ids of the messages that were read, and what was answered, when the input comes in such pieces. */
const readIn = async (text: string, pieceBytes: number) => {
  const bytes = Buffer.from(text);
  const pieces = async function* (): AsyncGenerator<Uint8Array> {
    for (let at = 0; at < bytes.length; at += pieceBytes) yield Promise.resolve(bytes.subarray(at, at + pieceBytes));
  };
  const written: unknown[] = [];
  const ids: unknown[] = [];
  const transport = createStreamTransport(pieces(), (line) => written.push(JSON.parse(line)));
  transport.onmessage = (message) => ids.push('id' in message ? message.id : undefined);
  await transport.start();
  await transport.ended;
  return { ids, written };
};

it.each([64 * 1024, 16 * 1024 * 1024])(
  'A line of 11 MiB, in pieces of %i bytes, gets a JSON-RPC error, and the next line is read',
  async (pieceBytes) => {
    const long = `{"jsonrpc":"2.0","id":2,"method":"${'x'.repeat(11 * 1024 * 1024)}"}\n`;
    const { ids, written } = await readIn(ping(1) + long + ping(3), pieceBytes);
    expect(ids).toEqual([1, 3]);
    expect(written).toEqual([
      { jsonrpc: '2.0', id: null, error: { code: -32600, message: 'A message may have 10 MiB at most.' } },
    ]);
  },
);

it('A line that is not a message is passed over', async () => {
  expect((await readIn(`${ping(1)}{"a":\n${ping(2)}`, 7)).ids).toEqual([1, 2]);
});
