/** Which refusal wins when a request has several faults: each row has its own fault and every later one (decisions: Order of refusals). */
import { beforeAll, describe, expect, it } from '@jest/globals';
import { createTestAtoll, type TestAtoll } from '../support/atoll.ts';
import { anonymous, basic, bearer, cookie, visit, type Visitor, withoutToken } from '../support/visitors.ts';

let atoll: TestAtoll;
let token: Visitor;
let session: Visitor;

const maxJsonBytes = 400;

/** PATCH of nodes takes tokens only, PATCH of media everything; JSON may have 400 bytes. */
beforeAll(async () => {
  atoll = await createTestAtoll({
    site: (site) => {
      const resource = site.resources.get('node');
      if (resource === undefined) throw new Error('the default site offers nodes');
      const methods = new Map(resource.methods).set('PATCH', { formats: ['json'], providers: ['jwt_auth'] });
      return { ...site, maxJsonBytes, resources: new Map(site.resources).set('node', { ...resource, methods }) };
    },
  });
  token = await bearer(atoll, 'editor');
  session = await cookie(atoll, 'editor');
});

const malformed = `{${' '.repeat(maxJsonBytes)}`;
const type = [{ target_id: 'islandora_object' }];
const reference = [{ target_id: 'islandora_object' }];

const rows: [string, () => [Visitor, string, string, string, string], number, RegExp][] = [
  [
    'path',
    () => [anonymous, 'PATCH', '/nothing/999?_format=foo', 'text/plain', malformed],
    404,
    /^No route found for "PATCH/,
  ],
  [
    'method',
    () => [anonymous, 'PATCH', '/entity/file/999?_format=foo', 'text/plain', malformed],
    405,
    /Method Not Allowed/,
  ],
  [
    'media type',
    () => [anonymous, 'PATCH', '/node/999?_format=foo', 'text/plain', malformed],
    415,
    /matches "Content-Type: text\/plain/,
  ],
  ['format', () => [anonymous, 'PATCH', '/node/999?_format=foo', 'application/json', malformed], 406, /foo/],
  [
    'entity',
    () => [basic('plain'), 'PATCH', '/node/999?_format=json', 'application/json', malformed],
    404,
    /was not converted/,
  ],
  [
    'access, nobody',
    () => [anonymous, 'PATCH', '/media/1?_format=json', 'application/json', malformed],
    401,
    /^No authentication/,
  ],
  [
    'access, nobody, no Basic',
    () => [anonymous, 'PATCH', '/node/5?_format=json', 'application/json', malformed],
    403,
    /permission is required/,
  ],
  [
    'access',
    () => [basic('plain'), 'PATCH', '/node/5?_format=json', 'application/json', malformed],
    403,
    /'edit any islandora_object content'/,
  ],
  [
    'provider',
    () => [basic('editor'), 'PATCH', '/node/5?_format=json', 'application/json', malformed],
    403,
    /^The used authentication method/,
  ],
  ['size', () => [token, 'PATCH', '/node/5?_format=json', 'application/json', malformed], 413, /larger than 400 bytes/],
  [
    'JSON',
    () => [token, 'PATCH', '/node/5?_format=json', 'application/json', '{"nid":[{"value":9}]'],
    400,
    /^Syntax error$/,
  ],
  [
    'shape',
    () => [token, 'PATCH', '/node/5?_format=json', 'application/json', json({ nid: [{ value: 9 }], title: [] })],
    422,
    /bundle|type/,
  ],
  [
    'field',
    () => [token, 'PATCH', '/node/5?_format=json', 'application/json', json({ type, nid: [{ value: 9 }], title: [] })],
    403,
    /nid/,
  ],
  [
    'validation',
    () => [token, 'PATCH', '/node/5?_format=json', 'application/json', json({ type: reference, title: [] })],
    422,
    /^Unprocessable Entity: validation failed\.\ntitle/,
  ],
];

const json = (value: unknown): string => JSON.stringify(value);

describe('the order of refusals', () => {
  it.each(rows)('%s', async (_fault, request, status, message) => {
    const [visitor, method, url, contentType, body] = request();
    const response = await visit(atoll, visitor, method, url).set('Content-Type', contentType).send(body);
    expect([response.status, (response.body as { message: string }).message]).toEqual([
      status,
      expect.stringMatching(message),
    ]);
  });

  it('a session without its CSRF token is refused after access and before the body', async () => {
    const bare = withoutToken(session);
    const media = '/media/1?_format=json';
    const tooLong = { 'Content-Type': 'application/json' };
    const refused = await visit(atoll, bare, 'PATCH', media).set(tooLong).send(malformed);
    expect([refused.status, refused.body]).toEqual([403, { message: 'X-CSRF-Token request header is missing' }]);
    const wrong = await visit(atoll, { ...bare, token: 'x'.repeat(43) }, 'PATCH', media)
      .set(tooLong)
      .send(malformed);
    expect([wrong.status, wrong.body]).toEqual([403, { message: 'X-CSRF-Token request header is invalid' }]);
    const right = await visit(atoll, session, 'PATCH', media).set(tooLong).send(malformed);
    expect(right.status).toBe(413);
    const powerless = withoutToken(await cookie(atoll, 'plain'));
    const denied = await visit(atoll, powerless, 'PATCH', media).set(tooLong).send(malformed);
    expect([denied.status, (denied.body as { message: string }).message]).toEqual([
      403,
      expect.stringContaining('permission'),
    ]);
  });

  it('an upload is refused for its node before its media type and its headers', async () => {
    const put = (path: string, visitor: Visitor) => visit(atoll, visitor, 'PUT', path).send('x');
    expect((await put('/node/999/media/nonsense/999', anonymous)).body).toMatchObject({
      message: expect.stringContaining('"node" parameter'),
    });
    for (const path of ['/node/22/media/nonsense/16', '/node/22/media/image/999']) {
      expect((await put(path, anonymous)).status).toBe(404);
    }
    expect((await put('/node/22/media/image/16', anonymous)).status).toBe(401);
    expect((await put('/node/22/media/image/16', basic('plain'))).status).toBe(403);
    expect((await put('/node/22/media/image/16', basic('editor'))).status).toBe(400);
  });
});
