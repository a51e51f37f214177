/** Handlers for MSW: which requests they answer, from which world, and what becomes of cookies and of cut connections. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { getResponse, http, HttpResponse, type HttpHandler } from 'msw';
import { setupServer } from 'msw/node';
import { startAtoll, type Atoll } from '../../src/cli/entries/atoll.ts';
import { atollHandlers, createStoryWorlds, inOwnWorld, type Answering } from '../../src/browser/msw.ts';
import { withSetCookies } from '../../src/exchange/exchange.ts';
import { basicCredentials } from '../../src/basics/formats/basic-credentials.ts';

const baseUrl = 'http://localhost:8000/repository';
let atoll: Atoll;
beforeAll(async () => {
  atoll = await startAtoll({ port: false, baseUrl });
});
afterAll(() => atoll.close());

const answered = async (handlers: readonly HttpHandler[], url: string, init?: RequestInit): Promise<Response> => {
  const response = await getResponse([...handlers], new Request(url, init));
  if (response === undefined) throw new Error(`Nobody answers ${url}.`);
  return response;
};

const address = `${baseUrl}/node/1?_format=json`;
const authorization = basicCredentials('editor', 'editor');
const renaming = (title: string): RequestInit => ({
  method: 'PATCH',
  headers: { authorization, 'content-type': 'application/json' },
  body: JSON.stringify({ type: [{ target_id: 'islandora_object' }], title: [{ value: title }] }),
});
const titleOf = async (response: Response): Promise<string | undefined> =>
  ((await response.json()) as { title?: { value: string }[] }).title?.[0]?.value;
const fixtureTitle = 'Saltmarsh Quay Local History Archive';

/** Answers with one response, or fails with an error. */
const answering = (url: string, answer: () => Promise<Response>): Answering => ({ name: 'main', url, fetch: answer });

describe('The handlers of a repository', () => {
  it.each([
    [baseUrl, baseUrl],
    [baseUrl, `${baseUrl}/`],
    [baseUrl, `${baseUrl}/node/1?_format=json#top`],
    [baseUrl, `${baseUrl}/~w1/node/1`],
    ['https://repository.example.org', 'https://repository.example.org/'],
    ['https://repository.example.org:443', 'https://repository.example.org/node/1'],
    ['http://repository.example.org:80/a+b', 'http://repository.example.org/a+b/node/1'],
  ])('at %s answer %s', async (url, asked) => {
    const handlers = atollHandlers(answering(url, async () => new Response('answered')));
    expect(await (await answered(handlers, asked)).text()).toBe('answered');
  });

  it.each([
    [baseUrl, 'http://localhost:8000/'],
    [baseUrl, `${baseUrl}-of-others`],
    [baseUrl, 'http://localhost:8001/repository/node/1'],
    [baseUrl, 'https://localhost:8000/repository/node/1'],
    ['https://repository.example.org', 'https://repositoryxexample.org/node/1'],
    ['https://repository.example.org', 'https://repository.example.org.evil.example/'],
    ['https://repository.example.org', 'https://elsewhere.example/?to=https://repository.example.org/'],
  ])('at %s leave %s to others', async (url, asked) => {
    const handlers = atollHandlers(answering(url, async () => new Response('answered')));
    expect(await getResponse(handlers, new Request(asked))).toBeUndefined();
    const others = [...handlers, http.all('*', () => HttpResponse.text('of others'))];
    expect(await (await answered(others, asked)).text()).toBe('of others');
  });

  it('answer as the repository does, and keep what was written', async () => {
    const handlers = atollHandlers(atoll);
    const response = await answered(handlers, address, renaming('Renamed'));
    expect([response.status, await titleOf(response)]).toEqual([200, 'Renamed']);
    const read = await answered(handlers, address);
    const known = await atoll.fetch(address);
    expect([read.status, [...read.headers], read.url]).toEqual([200, [...known.headers], address]);
    expect(await titleOf(read)).toBe('Renamed');
    await atoll.reset();
  });

  it('send an upload whole, and answer ranges of it', async () => {
    const handlers = atollHandlers(atoll);
    const body = new Uint8Array(200_000).map((_, index) => 32 + (index % 90));
    const put = await answered(handlers, `${baseUrl}/node/3/media/file/17`, {
      method: 'PUT',
      headers: { authorization, 'content-type': 'text/plain', 'content-location': 'public://msw/long.txt' },
      body,
    });
    expect(put.status).toBe(201);
    const bytes = `${baseUrl}/sites/default/files/msw/long.txt`;
    const part = await answered(handlers, bytes, { headers: { range: 'bytes=199990-' } });
    expect([part.status, part.headers.get('content-range')]).toEqual([206, 'bytes 199990-199999/200000']);
    expect(new Uint8Array(await part.arrayBuffer())).toEqual(body.slice(199_990));
    await atoll.reset();
  });

  it('answer a cut connection as MSW does a network error', async () => {
    await atoll.faults.add({ fault: 'connection-reset' });
    const response = await answered(atollHandlers(atoll), address);
    expect([response.type, response.status]).toEqual(['error', 0]);
    await atoll.faults.clear();
  });

  it('break the body of an answer that is cut', async () => {
    await atoll.faults.add({ fault: 'cut-answer' });
    const response = await answered(atollHandlers(atoll), address);
    expect(response.status).toBe(200);
    await expect(response.text()).rejects.toThrow();
    await atoll.faults.clear();
  });

  it('end with the request that is aborted', async () => {
    const controller = new AbortController();
    const waiting = atollHandlers(
      answering(baseUrl, async () => {
        controller.abort(new Error('The reader has left.'));
        throw controller.signal.reason;
      }),
    );
    const response = await answered(waiting, address, { signal: controller.signal });
    expect(response.type).toBe('error');
  });

  it('hide no error of their own', async () => {
    const broken = atollHandlers(answering(baseUrl, () => Promise.reject(new RangeError('A mistake.'))));
    await expect(answered(broken, address)).rejects.toThrow('A mistake.');
  });
});

describe('Cookies', () => {
  const login: RequestInit = {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'editor', pass: 'editor' }),
  };

  it('are those of the client in Node: a session is opened and used, and nobody else has it', async () => {
    const handlers = atollHandlers(atoll);
    const opened = await answered(handlers, `${baseUrl}/user/login?_format=json`, login);
    const { csrf_token: token } = (await opened.json()) as { csrf_token: string };
    const cookie = opened.headers.getSetCookie().map((each) => each.replace(/;.*/, ''))[0] ?? '';
    const sent = { ...renaming('By a session'), headers: { 'content-type': 'application/json', cookie } };
    expect((await answered(handlers, address, sent)).status).toBe(403);
    const protectedFrom = { ...sent, headers: { ...sent.headers, 'x-csrf-token': token } };
    expect((await answered(handlers, address, protectedFrom)).status).toBe(200);
    const without = { ...sent, headers: { 'content-type': 'application/json', 'x-csrf-token': token } };
    expect((await answered(handlers, address, without)).status).toBe(401);
    await atoll.reset();
  });

  it('reach the store of MSW where a response of the platform drops them', async () => {
    const cookies = ['SESS=1; Path=/', 'other=2'];
    const handlers = atollHandlers(answering(baseUrl, async () => withSetCookies(new Response('in'), cookies)));
    const response = await answered(handlers, address);
    expect(response).toBeInstanceOf(HttpResponse);
    const stored = Object.getOwnPropertySymbols(response).map((key) => Reflect.get(response, key) as unknown);
    expect(stored).toContain(cookies.join(', ')); // as MSW 2 keeps them
  });
});

describe('A world', () => {
  it('answers at the address of its repository, and leads its client into itself', async () => {
    const world = await atoll.world();
    const handlers = atollHandlers(world);
    await answered(handlers, address, renaming('In a world'));
    const read = await answered(handlers, address);
    expect(read.headers.get('link')).toContain(`<${world.url}/`);
    expect(await titleOf(read)).toBe('In a world');
    expect(await titleOf(await answered(handlers, `${world.url}/node/1?_format=json`))).toBe('In a world');
    expect(await titleOf(await answered(atollHandlers(atoll), address))).toBe(fixtureTitle);
    await world.drop();
  });

  it('gives way to one that the request names itself', async () => {
    const [world, other] = [await atoll.world(), await atoll.world()];
    await answered(atollHandlers(other), address, renaming('In the other'));
    const read = await answered(atollHandlers(world), address, { headers: { 'Atoll-World': other.name } });
    expect(await titleOf(read)).toBe('In the other');
    await Promise.all([world.drop(), other.drop()]);
  });

  it('is made for a test, and dropped with it, beside those of other tests', async () => {
    const server = setupServer();
    const ask = (init?: RequestInit) => answered(server.listHandlers() as HttpHandler[], address, init); // all are of HTTP
    const names: string[] = [];
    const testOf = (title: string) =>
      inOwnWorld(server, atoll, async ({ name }) => {
        names.push(name);
        expect(await titleOf(await ask())).toBe(fixtureTitle);
        await ask(renaming(title));
        await new Promise((resolve) => setImmediate(resolve));
        expect(await titleOf(await ask())).toBe(title);
      });
    await Promise.all(['one', 'two', 'three'].map((title) => testOf(title)()));
    expect(new Set(names).size).toBe(3);
    const failing = inOwnWorld(server, atoll, () => Promise.reject(new Error('A failing test.')));
    await expect(failing()).rejects.toThrow('A failing test.');
    expect((await atoll.worlds()).map(({ name }) => name)).toEqual(['main']);
    expect(server.listHandlers()).toEqual([]);
  });

  it('begins with a fixture that the test names', async () => {
    const server = setupServer();
    const test = inOwnWorld(
      server,
      atoll,
      async () => {
        expect((await answered(server.listHandlers() as HttpHandler[], address)).status).toBe(404); // all are of HTTP
      },
      { from: 'empty' },
    );
    await test();
    expect.assertions(1);
  });
});

describe('Stories', () => {
  it('have a world each, with its content, time and faults', async () => {
    const stories = createStoryWorlds(atoll);
    const ask = (url = address) => answered(stories.handlers, url);
    expect(await titleOf(await ask())).toBe(fixtureTitle);

    const first = await stories.enter({ prepare: ({ fetch }) => fetch('/node/1?_format=json', renaming('A story')) });
    expect(await titleOf(await ask())).toBe('A story');

    const { atoll: second } = await stories.loader({
      parameters: {
        atoll: { clock: { now: '2030-05-01T12:00:00Z', mode: 'frozen' }, faults: [{ fault: 'maintenance-page' }] },
      },
    });
    expect((await ask()).status).toBe(503);
    expect((await second.clock.get()).now).toContain('2030-05-01T12:00:00');

    await stories.enter({ from: 'empty' });
    expect((await ask()).status).toBe(404);
    await stories.loader({ parameters: {} });
    expect(await titleOf(await ask())).toBe(fixtureTitle);

    const names = (await atoll.worlds()).map(({ name }) => name);
    expect(names).toHaveLength(2);
    expect(names).not.toContain(first.name);
  });

  it('follow each other when they are opened at once, and one that fails hinders none', async () => {
    const stories = createStoryWorlds(atoll);
    const before = (await atoll.worlds()).length;
    const opened = await Promise.allSettled([
      stories.enter({ prepare: ({ fetch }) => fetch('/node/1?_format=json', renaming('Slow')) }),
      stories.enter({ from: 'nothing of this name' }),
      stories.enter({ prepare: () => Promise.reject(new Error('The content cannot be made.')) }),
      stories.enter({ prepare: ({ fetch }) => fetch('/node/1?_format=json', renaming('Last')) }),
    ]);
    expect(opened.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected', 'fulfilled']);
    expect(await titleOf(await answered(stories.handlers, address))).toBe('Last');
    expect(await atoll.worlds()).toHaveLength(before + 1);
  });
});
