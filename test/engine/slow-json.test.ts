/** A JSON body that does not arrive in time. */
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createTestAtoll } from '../support/atoll.ts';
import { type Served, serveOnPort } from '../support/server.ts';
import { converse } from '../support/sockets.ts';

let listener: Served;
beforeAll(async () => {
  listener = await serveOnPort(await createTestAtoll({ app: { jsonMs: 300 } }));
});
afterAll(() => listener.stop());

it('answers 408 to a JSON body that trickles on beyond its time, however steadily', async () => {
  const conversation = await converse(listener.port);
  const authorization = `Basic ${Buffer.from('editor:editor').toString('base64')}`;
  conversation.send(
    'POST /node HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 100000\r\n' +
      `Authorization: ${authorization}\r\n\r\n`,
  );
  const trickle = setInterval(() => conversation.send(' '), 20);
  try {
    const answer = await conversation.until(/\r\n\r\n.*\}/s);
    expect(answer).toMatch(/^HTTP\/1\.1 408 /);
    expect(answer).toContain('{"message":"The body did not arrive within 0.3 seconds."}');
  } finally {
    clearInterval(trickle);
    conversation.close();
  }
});
