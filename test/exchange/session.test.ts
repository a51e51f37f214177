/** One way to sign in at any server: the requests, what they are kept for, and the sentence of a refusal. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  type TargetAccount,
  createSender,
  createSignIns,
  SignInRefusal,
  tokenIfIssued,
} from '../../src/exchange/exchange-target.ts';
import type { SentRequest } from '../../src/exchange/send.ts';
import { strangeServer, type Strange } from './strange-servers.ts';

const account: TargetAccount = { name: 'anna', password: 'right' };

/** Below a prefix, as a world is. `/user/login` of `anna` works with the right password. */
let server: Strange;
beforeAll(async () => {
  server = await strangeServer((request, response) => {
    void (async () => {
      let body = '';
      for await (const piece of request) body += String(piece);
      const answer = (status: number, json: unknown) =>
        response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(json));
      const { authorization = '' } = request.headers;
      if (request.url === '/~w/user/login?_format=json') {
        if (!body.includes('"right"')) return answer(400, { message: 'Sorry.' });
        if (body.includes('half')) return answer(200, { csrf_token: 'c' });
        response.setHeader('Set-Cookie', ['SESSa=1; Path=/', 'b=2; HttpOnly']);
        return answer(200, { csrf_token: 'c', logout_token: 'l/1' });
      }
      if (request.url === '/~w/jwt/token?_format=json') {
        return answer(authorization === '' ? 403 : 200, { token: 'x.y.z' });
      }
      return response.writeHead(request.url === '/~w/user/logout?_format=json&token=l%2F1' ? 204 : 404).end();
    })();
  });
});
afterAll(() => server.stop());

/** The sign-ins of a run, with the requests that they send. */
const begin = () => {
  const sent: SentRequest[] = [];
  const statuses: number[] = [];
  const sender = createSender({ baseUrl: `${server.url}/~w` });
  const ask = async (request: SentRequest) => {
    sent.push(request);
    const { reply } = await sender.send(request);
    statuses.push(reply.status);
    return reply;
  };
  const signIns = createSignIns({ baseUrl: sender.baseUrl, ask });
  return { signIns, sent, statuses, close: () => sender.close() };
};

describe('An account at a server', () => {
  it('signs in with each provider, and asks once for a token and a session', async () => {
    const { signIns, sent, statuses, close } = begin();
    const linesFor = (by: Parameters<typeof signIns.linesFor>[1], method = 'GET') =>
      signIns.linesFor(account, by, method);
    expect(await linesFor(undefined)).toEqual([['Authorization', 'Basic YW5uYTpyaWdodA==']]);
    expect(await linesFor('basic')).toEqual(await linesFor(undefined));
    expect(await linesFor('none')).toEqual([]);
    expect(await signIns.linesFor({ name: 'anonymous' }, 'session', 'GET')).toEqual([]);
    expect(sent).toEqual([]);
    expect(await Promise.all([linesFor('bearer'), linesFor('bearer', 'POST')])).toEqual([
      [['Authorization', 'Bearer x.y.z']],
      [['Authorization', 'Bearer x.y.z']],
    ]);
    expect(await Promise.all([linesFor('session'), linesFor('session', 'PUT')])).toEqual([
      [['Cookie', 'SESSa=1; b=2']],
      [
        ['Cookie', 'SESSa=1; b=2'],
        ['X-CSRF-Token', 'c'],
      ],
    ]);
    await signIns.close();
    close();
    expect(sent.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'GET /jwt/token?_format=json',
      'POST /user/login?_format=json',
      'POST /user/logout?_format=json&token=l%2F1',
    ]);
    expect(statuses).toEqual([200, 200, 204]);
  });

  it('that is refused, or lacks something, says so in one sentence', async () => {
    const { signIns, close } = begin();
    const refusal = async (made: Promise<unknown>) => {
      const error = await made.then(
        () => undefined,
        (thrown: unknown) => thrown,
      );
      expect(error).toBeInstanceOf(SignInRefusal);
      const { message, status } = error as SignInRefusal; // as expected above
      return [status, message];
    };
    expect(await refusal(signIns.logIn({ name: 'anna', password: 'wrong' }))).toEqual([
      400,
      'POST /user/login opened no session for anna, but answered 400.',
    ]);
    expect(await refusal(signIns.logIn({ name: 'half', password: 'right' }))).toEqual([
      200,
      'POST /user/login opened no session for half, but answered 200 without a cookie or a csrf_token.',
    ]);
    const known = { name: 'bob', token: 't' };
    expect(await refusal(signIns.linesFor(known, 'session', 'GET'))).toEqual([
      undefined,
      'The password of bob is not known here, so it cannot log in.',
    ]);
    expect(await refusal(signIns.linesFor(known, 'basic', 'GET'))).toEqual([
      undefined,
      'The password of bob is not known here.',
    ]);
    expect(await signIns.linesFor(known, 'bearer', 'GET')).toEqual([['Authorization', 'Bearer t']]);
    close();
  });

  it('has a token where the server issues tokens, and none where it does not', async () => {
    expect(await tokenIfIssued(fetch, `${server.url}/~w`, account)).toBe('x.y.z');
    expect(await tokenIfIssued(fetch, `${server.url}/~none`, account)).toBeUndefined();
  });
});
