/**
 * Sessions of the client in a browser: whose session it is, and that no dialog holds a request up. The browser here is a
 * `fetch` with a jar of cookies, which never answers a 401 with a challenge while cookies may go with the request.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { basic, bearer, bodyOf, createClient, session, type AtollClient } from '../../src/client/client.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { createClock } from '../support/atoll.ts';

const world = globalThis as { document?: object }; // only browsers have one
const clock = createClock();
let server: TestServer;
beforeAll(async () => {
  server = await startServer({ clock });
  world.document = {};
});
beforeEach(async () => {
  server.answers.length = 0;
});
afterAll(async () => {
  delete world.document;
  await server.stop();
  expect(server.errors).toEqual([]);
});

/** Keeps cookies and hides them. `dialogs` counts the requests that wait for a person. */
const createBrowser = () => {
  let jar: string | undefined;
  const browser = {
    dialogs: 0,
    fetch: async (request: Request): Promise<Response> => {
      const isWithCookies = request.credentials === 'include';
      const sent = new Request(request);
      if (isWithCookies && jar !== undefined) sent.headers.set('Cookie', jar);
      const answer = await fetch(sent);
      const [set] = answer.headers.getSetCookie();
      if (isWithCookies && set !== undefined) jar = /Max-Age=0|=deleted/.test(set) ? undefined : set.split(';', 1)[0];
      if (isWithCookies && answer.status === 401 && answer.headers.has('WWW-Authenticate')) {
        browser.dialogs += 1;
        await new Promise((resolve) => request.signal.addEventListener('abort', resolve));
        throw request.signal.reason;
      }
      const headers = new Headers(answer.headers);
      headers.delete('Set-Cookie');
      return new Response(answer.status === 204 ? null : answer.body, { status: answer.status, headers });
    },
  };
  return browser;
};

const endSessions = (): void => clock.advance(2_000_001);

const passwords = { admin: 'islandora', editor: 'editor', plain: 'plain' };
type Name = keyof typeof passwords;
const accountOf = (name: Name) => ({ name, password: passwords[name] });

describe('in a browser', () => {
  let browser: ReturnType<typeof createBrowser>;
  beforeEach(() => {
    browser = createBrowser();
  });
  const clientOf = (authentication: ReturnType<typeof session>): AtollClient =>
    createClient({ baseUrl: server.url, authentication, fetch: browser.fetch });
  const as = (name: Name): AtollClient => clientOf(session(accountOf(name)));
  const authorOf = async (client: AtollClient): Promise<number | undefined> => {
    const body = bodyOf('node', { type: 'islandora_object', title: 'By somebody', field_model: 24 });
    return (await client.POST('/node', { body })).data.uid[0]?.target_id;
  };
  const logIn = (name: Name): Promise<Response> =>
    browser.fetch(
      new Request(`${server.url}/user/login?_format=json`, {
        method: 'POST',
        credentials: 'include',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ name, pass: passwords[name] }),
      }),
    );

  it('the session of another account ends, and the named one logs in: 201 by each', async () => {
    const [admin, editor] = [as('admin'), as('editor')];
    const authors = [
      await authorOf(admin),
      await authorOf(editor),
      await authorOf(admin),
      await authorOf(as('editor')),
    ];
    expect(authors).toEqual([1, 2, 1, 2]);
    expect(server.answers.filter((answer) => answer === 'logout 204')).toHaveLength(3);
  });

  it('a session of the same account is used, in whatever case its name is written', async () => {
    await authorOf(as('editor'));
    server.answers.length = 0;
    expect(await authorOf(clientOf(session({ name: 'Editor', password: 'editor' })))).toBe(2);
    expect(server.answers).toEqual(['login 403', 'getSessionToken 200', 'createNode 201']);
  });

  it('a session that somebody else opened is told by a token, and is not used for another account', async () => {
    await logIn('admin');
    await expect(authorOf(as('editor'))).rejects.toThrow('The browser holds a session of "admin", not of "editor"');
    expect(server.answers.filter((answer) => answer.startsWith('createNode'))).toEqual([]);
    expect(await authorOf(as('admin'))).toBe(1);
  });

  it('a session that somebody else opened meanwhile is noticed by its CSRF token: nothing is written', async () => {
    const editor = as('editor');
    await authorOf(editor);
    endSessions();
    await logIn('admin');
    await expect(authorOf(editor)).rejects.toThrow('The browser holds a session of "admin", not of "editor"');
    expect(server.answers.filter((answer) => answer.startsWith('createNode'))).toEqual([
      'createNode 201',
      'createNode 403',
    ]);
  });

  it('no session is no wait: 401 at once, for a write, a read and a token', async () => {
    const nobody = clientOf(session());
    await expect(authorOf(nobody)).rejects.toMatchObject({ status: 401 });
    await expect(nobody.GET('/media/{media_id}', { params: { path: { media_id: 1 } } })).rejects.toMatchObject({
      status: 401,
    });
    const byToken = createClient({
      baseUrl: server.url,
      authentication: bearer(session()),
      fetch: browser.fetch,
    });
    await expect(authorOf(byToken)).rejects.toMatchObject({ status: 401 });
    expect(browser.dialogs).toBe(0);
  });

  it('a session that ends between two requests leaves a dialog: a write rejects, and is not sent once more', async () => {
    const editor = as('editor');
    await authorOf(editor);
    // However long the machine takes, the client has just seen the session.
    const now = jest.spyOn(performance, 'now').mockReturnValue(performance.now());
    // The browser forgets the cookie with this answer, and the client is not told.
    endSessions();
    await browser.fetch(new Request(`${server.url}/user/login_status?_format=json`, { credentials: 'include' }));
    server.answers.length = 0;
    await expect(authorOf(editor)).rejects.toThrow('The session ended before the request was answered.');
    expect(browser.dialogs).toBe(1);
    expect(server.answers.filter((answer) => answer.startsWith('createNode'))).toEqual(['createNode 401']);
    now.mockRestore();
    expect(await authorOf(editor)).toBe(2);
  });

  const answering = (path: string, status: number, text: string) => async (request: Request) =>
    request.url.includes(path) ? new Response(text, { status }) : browser.fetch(request);

  it('a site that does not say whether somebody is logged in takes writes with the session', async () => {
    const fetch = answering('/user/login_status', 404, 'blocked');
    const client = createClient({ baseUrl: server.url, authentication: session(accountOf('editor')), fetch });
    expect(await authorOf(client)).toBe(2);
  });

  it('a page in place of a token leaves the owner of a session unknown', async () => {
    await logIn('admin');
    const fetch = answering('/jwt/token', 200, '<!doctype html>');
    const client = createClient({ baseUrl: server.url, authentication: session(accountOf('editor')), fetch });
    await expect(authorOf(client)).rejects.toThrow('of an unknown account, not of "editor"');
  });

  it('a password needs no session, and asks for none', async () => {
    const client = createClient({
      baseUrl: server.url,
      authentication: basic('editor', 'editor'),
      fetch: browser.fetch,
    });
    expect(await authorOf(client)).toBe(2);
    expect(server.answers).toEqual(['createNode 201']);
  });
});
