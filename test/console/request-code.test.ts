/** A recorded request as code, and as a request that can be sent again. */
import { describe, expect, it } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { runInNewContext } from 'node:vm';
import ts from 'typescript';
import { clientCode, curlCode, fetchCode, pathValues } from '../../console/src/traffic/request-code.ts';
import {
  hasSecrets,
  headersOfText,
  prettyJson,
  repeatedHeaders,
  textOfHeaders,
  type TrafficExchange,
} from '../../console/src/traffic/recorded-request.ts';

const exchangeOf = (
  change: Omit<Partial<TrafficExchange>, 'request'> & { readonly request?: Partial<TrafficExchange['request']> },
): TrafficExchange => ({
  id: 1,
  time: '2026-01-01T00:00:00.000Z',
  world: 'main',
  method: 'GET',
  path: '/node/5?_format=json',
  operation: 'getNode',
  identity: { name: 'anonymous', provider: null, credentials: 'none' },
  status: 200,
  duration: 1,
  verdict: { request: 'kept', reply: 'kept' },
  requestFaults: [],
  replyFaults: [],
  advice: [],
  response: { headers: {}, bytes: 0 },
  ...change,
  request: { headers: { host: 'localhost', 'user-agent': 'x', accept: '*/*' }, bytes: 0, ...change.request },
});

const context = { baseUrl: 'http://localhost:8000', template: '/node/{node_id}', password: undefined };

const body = JSON.stringify({
  type: [{ target_id: 'islandora_object' }],
  title: [{ value: `It's "new" \\ and \n big` }],
});
const created = exchangeOf({
  method: 'POST',
  path: '/node?_format=json',
  identity: { name: 'editor', provider: 'basic_auth', credentials: 'accepted' },
  request: { headers: { authorization: '[redacted]', 'content-type': 'application/json' }, bytes: body.length, body },
});
const creation = { ...context, template: '/node', password: 'islandora' };

/** The arguments that a shell gives to a command in place of curl. */
const shellArguments = (command: string): string[] => {
  const script = `curl() { printf '%s\\0' "$@"; }\n${command}`;
  return spawnSync('sh', ['-c', script], { env: { ATOLL_PASSWORD: 'secret' } })
    .stdout.toString()
    .split('\0')
    .slice(0, -1);
};

const syntaxFlaws = (code: string): readonly string[] =>
  (ts.transpileModule(code, { reportDiagnostics: true }).diagnostics ?? []).map(({ messageText }) =>
    typeof messageText === 'string' ? messageText : messageText.messageText,
  );

/** What the code gives to `fetch`. */
const fetched = async (code: string): Promise<readonly [string, RequestInit | undefined]> => {
  let given: readonly [string, RequestInit | undefined] | undefined;
  const fetch = (url: string, init?: RequestInit): Response => {
    if (url !== '/session/token') given = [url, init];
    return new Response('csrf');
  };
  // The code is a module with `await` at its top.
  const run = `(async () => {${code}})()`;
  await (runInNewContext(run, { fetch, btoa, console: { log: () => undefined } }) as Promise<void>);
  if (given === undefined) throw new Error('fetch was not called');
  return given;
};

describe('A recorded request as curl', () => {
  it('of a visitor has no credentials and no headers of the connection', () => {
    expect(curlCode(exchangeOf({}), context)).toBe(`curl -i 'http://localhost:8000/node/5?_format=json'`);
  });

  it('gives the shell the same body, whatever is in it', () => {
    expect(shellArguments(curlCode(created, creation))).toEqual([
      '-i',
      ...['-X', 'POST'],
      ...['-u', 'editor:islandora'],
      ...['-H', 'content-type: application/json'],
      ...['--data-binary', body],
      'http://localhost:8000/node?_format=json',
    ]);
  });

  it('reads from the shell what traffic does not keep', () => {
    expect(shellArguments(curlCode(created, { ...creation, password: undefined }))).toContain('editor:secret');
    const upload = exchangeOf({ method: 'PUT', request: { headers: { 'content-type': 'image/png' }, bytes: 9 } });
    expect(curlCode(upload, context)).toContain('--data-binary @BODY');
    const session = exchangeOf({
      method: 'DELETE',
      identity: { name: 'admin', provider: 'cookie', credentials: 'accepted' },
      request: { headers: { cookie: '[redacted]', 'x-csrf-token': '[redacted]' } },
    });
    expect(curlCode(session, context)).toBe(
      `curl -i -X DELETE -H "Cookie: $ATOLL_COOKIE" -H "X-CSRF-Token: $ATOLL_CSRF_TOKEN" 'http://localhost:8000/node/5?_format=json'`,
    );
  });
});

describe('A recorded request as fetch', () => {
  it('sends the same when it runs', async () => {
    const [url, init] = await fetched(fetchCode(created, creation));
    expect(url).toBe('http://localhost:8000/node?_format=json');
    expect(init).toEqual({
      method: 'POST',
      headers: { Authorization: `Basic ${btoa('editor:islandora')}`, 'content-type': 'application/json' },
      body,
    });
  });

  it('of a visitor is one address', async () => {
    expect(await fetched(fetchCode(exchangeOf({}), context))).toEqual([
      'http://localhost:8000/node/5?_format=json',
      undefined,
    ]);
  });

  it('sends a text as a text, and asks for a CSRF token', async () => {
    const patch = exchangeOf({
      method: 'PATCH',
      identity: { name: 'admin', provider: 'cookie', credentials: 'accepted' },
      request: { headers: { cookie: '[redacted]', 'content-type': 'text/plain' }, bytes: 5, body: "it's\n" },
    });
    const [, init] = await fetched(fetchCode(patch, context));
    expect(init).toEqual({
      method: 'PATCH',
      headers: { 'X-CSRF-Token': 'csrf', 'content-type': 'text/plain' },
      credentials: 'include',
      body: "it's\n",
    });
  });
});

describe('A recorded request as code of the client', () => {
  it('is a method with the path of the document', () => {
    expect(clientCode(exchangeOf({ path: '/node/5?_format=jsonld' }), context)).toBe(
      `import { createClient } from 'atoll-server/client';

const client = createClient({ baseUrl: 'http://localhost:8000' });
const { data, response } = await client.GET('/node/{node_id}', { params: { path: { node_id: 5 }, query: { _format: 'jsonld' } } });
console.log(response.status, data);`,
    );
  });

  it('has the account and the body', () => {
    const code = clientCode(created, creation);
    expect(code).toContain("import { createClient, basic } from 'atoll-server/client';");
    expect(code).toContain("authentication: basic('editor', 'islandora')");
    expect(code).toContain("await client.POST('/node', {");
    expect(syntaxFlaws(code)).toEqual([]);
  });

  it('uses fetch of the client where the document has no such method', () => {
    const unknown = clientCode(exchangeOf({ path: '/nothing', operation: null }), { ...context, template: undefined });
    expect(unknown).toContain("await client.fetch('http://localhost:8000/nothing', { method: 'GET' })");
    const upload = exchangeOf({
      method: 'PUT',
      identity: { name: "o'hara", provider: 'jwt_auth', credentials: 'accepted' },
      request: { headers: { authorization: '[redacted]', 'content-type': 'image/png' }, bytes: 9 },
    });
    const code = clientCode(upload, context);
    expect(code).toContain(String.raw`bearer(basic('o\'hara', 'PASSWORD'))`);
    expect(code).toContain('client.fetch');
    expect([syntaxFlaws(unknown), syntaxFlaws(code)]).toEqual([[], []]);
  });

  it('reads the values of the path', () => {
    expect(pathValues('/node/{node_id}/media/{media_type}', '/node/5/media/a%20b')).toEqual({
      node_id: 5,
      media_type: 'a b',
    });
    expect(pathValues('/node/{node_id}', '/media/5')).toBeUndefined();
    expect(pathValues('/node/{node_id}', '/node/5/6')).toBeUndefined();
    expect(pathValues('/x/{name}', '/x/%zz')).toBeUndefined();
    expect(pathValues('/x/{name}', '/x/%ff')).toBeUndefined();
  });
});

describe('A request that is sent again', () => {
  it('repeats the headers that are its own', () => {
    const headers = {
      host: 'localhost',
      authorization: '[redacted]',
      'content-type': 'text/plain',
      'sec-fetch-mode': 'cors',
      accept: '*/*',
      link: ['<a>; rel="type"', '<b>; rel="type"'],
      'x-api-key': '[redacted]',
    };
    expect(repeatedHeaders({ headers, bytes: 0 })).toEqual({
      'content-type': 'text/plain',
      link: '<a>; rel="type", <b>; rel="type"',
    });
  });

  it('reads headers as the user writes them', () => {
    const headers = { Accept: 'text/plain', Link: '<http://a/>; rel="b"' };
    expect(headersOfText(`\n  ${textOfHeaders(headers)}  \n`)).toEqual(headers);
    expect(headersOfText('')).toEqual({});
    expect(() => headersOfText('Accept: a\nno header')).toThrow('“no header” is not a header. Write “Name: value”.');
  });

  it('says where secrets were taken out', () => {
    expect(hasSecrets(created)).toBe(false);
    expect(hasSecrets(exchangeOf({ path: '/user/logout?token=[redacted]' }))).toBe(true);
    expect(hasSecrets(exchangeOf({ request: { body: '{"pass":"[redacted]"}', bytes: 20 } }))).toBe(true);
  });

  it('shows JSON with line breaks, and only JSON', () => {
    expect(prettyJson('{"a":[1]}')).toBe('{\n  "a": [\n    1\n  ]\n}');
    expect(prettyJson('plain')).toBeUndefined();
  });
});
