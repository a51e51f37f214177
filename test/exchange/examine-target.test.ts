/** A target that is not such a server gets one clear line, with little memory and without a hang. */
import { describe, expect, it } from '@jest/globals';
import { examineTarget } from '../../src/exchange/exchange-target.ts';
import { endless, strangeServer } from './strange-servers.ts';
import type { RequestListener } from 'node:http';

const judged = async (listener: RequestListener): Promise<string> => {
  const server = await strangeServer(listener);
  try {
    await examineTarget({ baseUrl: server.url, silenceMs: 2000 });
    return 'a repository';
  } catch (error) {
    expect(error).toMatchObject({ name: 'TargetError' });
    return (error as Error).message.replace(server.url, 'TARGET'); // as expected above
  } finally {
    server.stop();
  }
};

describe('A target', () => {
  it.each<[string, RequestListener, RegExp]>([
    [
      'HTML',
      (_request, response) => response.setHeader('Content-Type', 'text/html').end('<p>'),
      /answers HTML in place/,
    ],
    [
      'a redirect',
      (_request, response) => response.writeHead(301, { location: 'https://a.example/' }).end(),
      /redirects to https:\/\/a\.example\//,
    ],
    ['plain text', (_request, response) => response.setHeader('Content-Type', 'text/plain').end('hello'), /not JSON/],
    ['nothing', (_request, response) => response.writeHead(500).end(), /is 500 with no media type/],
    ['an endless body', endless, /longer than 1 MiB/],
    ['a cut connection', (request) => request.socket.destroy(), /connection was cut/],
  ])('that answers with %s is none', async (_name, listener, line) => {
    const message = await judged(listener);
    expect(message).toMatch(line);
    expect(message).toMatch(/^TARGET: [^\n]+$/);
  });

  it('that refuses with JSON is one', async () => {
    const refuses: RequestListener = (_request, response) =>
      response.writeHead(403, { 'Content-Type': 'application/json' }).end('{"message":"no"}');
    expect(await judged(refuses)).toBe('a repository');
  });
});
