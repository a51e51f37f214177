/** Planted bugs in authentication by Basic, token and cookie. */
import {
  asAccount,
  basicOf,
  get,
  isAnonymous,
  isRead,
  media,
  mutantsOf,
  newNode,
  newTitle,
  one,
  onRefusal,
  onReply,
  onRequest,
  reads,
  sent,
  withHeader,
  withJson,
  withStatus,
  type SeenReply,
  type SeenRequest,
  type Send,
  type Witness,
} from './mutant.ts';

const any = /./;
const isBearer = ({ headers }: SeenRequest): boolean => /^Bearer /i.test(headers['authorization'] ?? '');
const isBasic = ({ headers }: SeenRequest): boolean => /^Basic /i.test(headers['authorization'] ?? '');
const withoutAuthorization = (request: SeenRequest): SeenRequest => ({
  ...request,
  headers: { ...request.headers, authorization: undefined },
});

/** The account that a token names, whoever made it. */
const partsOf = ({
  headers,
}: SeenRequest): { readonly alg?: unknown; readonly sub?: unknown; readonly exp?: unknown } => {
  const [head = '', payload = ''] = (headers['authorization'] ?? '').replace(/^Bearer /i, '').split('.');
  try {
    const read = (part: string): object => JSON.parse(Buffer.from(part, 'base64url').toString()) as object; // parts of tokens are objects
    return { ...read(head), ...read(payload) };
  } catch {
    return {};
  }
};
const isOld = (request: SeenRequest): boolean => Number(partsOf(request).exp) < Date.now() / 1000;
const asNamed = (request: SeenRequest): SeenRequest => {
  const { sub } = partsOf(request);
  return typeof sub === 'string' ? asAccount(request, sub) : request;
};
const refused = (request: SeenRequest, reply: SeenReply): boolean => isBearer(request) && reply.status === 403;

const tokenOf = async (send: Send, account: string): Promise<string> => {
  const { body } = await send('GET', '/jwt/token?_format=json', { as: account });
  return (JSON.parse(body.toString()) as { token?: string }).token ?? ''; // a token's answer
};
const encoded = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url');
const bearing =
  (change: (token: string) => string): Witness =>
  async (send) =>
    send('GET', '/media/1?_format=json', {
      headers: { authorization: `Bearer ${change(await tokenOf(send, 'editor'))}` },
    });
/** Another claim under the same signature. */
const altered =
  (claims: object) =>
  (token: string): string => {
    const [head = '', payload = '', signature = ''] = token.split('.');
    const before = JSON.parse(Buffer.from(payload, 'base64url').toString()) as object; // the claims of a token
    return [head, encoded({ ...before, ...claims }), signature].join('.');
  };

const login = async (
  send: Send,
): Promise<{ readonly cookie: string; readonly csrf: string; readonly logout: string }> => {
  const reply = await send('POST', '/user/login?_format=json', { json: { name: 'editor', pass: 'editor' } });
  const set = Object.entries(reply.headers).find(([name]) => name.toLowerCase() === 'set-cookie')?.[1][0] ?? '';
  const { csrf_token: csrf = '', logout_token: logout = '' } = JSON.parse(reply.body.toString()) as Record<
    string,
    string
  >; // the answer of a login
  return { cookie: set.split(';')[0] ?? '', csrf, logout };
};
const inSession =
  (method: string, path: string, json?: unknown): Witness =>
  async (send) => {
    const { cookie } = await login(send);
    return send(method, path, { headers: { cookie }, ...(json === undefined ? {} : { json }) });
  };

export const accessMutants = mutantsOf('authentication', [
  [
    'any-password-will-do',
    'HTTP Basic credentials (username and password).',
    onRefusal(
      (request, reply) => isBasic(request) && reply.status === 403,
      (request) => {
        const [account = ''] = Buffer.from((request.headers['authorization'] ?? '').slice(6), 'base64')
          .toString()
          .split(':');
        return asAccount(request, account);
      },
    ),
    one('GET', '/media/1?_format=json', { headers: { authorization: basicOf('editor', 'wrong') } }),
  ],
  [
    'anyone-may-create',
    'Unauthenticated create requests receive 401.',
    onRefusal(sent('POST', /^\/node$/, 401), (request) => asAccount(request, 'admin')),
    one('POST', '/node?_format=json', { json: newNode }),
  ],
  [
    'anyone-may-update',
    'Unauthenticated update requests receive 401.',
    onRefusal(sent('PATCH', any, 401), (request) => asAccount(request, 'admin')),
    one('PATCH', '/node/5?_format=json', { json: newTitle }),
  ],
  [
    'anyone-may-delete',
    'Unauthenticated delete requests receive 401.',
    onRefusal(sent('DELETE', any, 401), (request) => asAccount(request, 'admin')),
    one('DELETE', '/node/5?_format=json'),
  ],
  [
    'anyone-may-upload',
    'Unauthenticated create, update or delete requests receive 401.',
    onRefusal(sent('PUT', any, 401), (request) => asAccount(request, 'admin')),
    one('PUT', '/node/22/media/file/16?_format=json', {
      body: 'a text',
      headers: { 'content-type': 'text/plain', 'content-location': 'public://a.txt' },
    }),
  ],
  [
    'tokens-without-signature-are-taken',
    'jwt_auth: Bearer <ACCESS_TOKEN>: the token is one that the service has signed.',
    onRefusal((request, reply) => refused(request, reply) && partsOf(request).alg === 'none', asNamed),
    bearing((token) => `${encoded({ alg: 'none', typ: 'JWT' })}.${token.split('.')[1] ?? ''}.`),
  ],
  [
    'altered-tokens-are-taken',
    'jwt_auth: the signature of a token is checked.',
    onRefusal(
      (request, reply) => refused(request, reply) && partsOf(request).alg !== 'none' && !isOld(request),
      asNamed,
    ),
    bearing(altered({ sub: 'admin', webid: '1', drupal: { uid: '1' }, exp: 4_000_000_000 })),
  ],
  [
    'expired-tokens-are-taken',
    'A token that has expired is refused.',
    onRefusal((request, reply) => refused(request, reply) && isOld(request), asNamed),
    bearing(altered({ exp: 1_500_000_000 })),
  ],
  [
    'tokens-are-ignored',
    'jwt_auth: the token can be reused in later requests.',
    onRequest(isBearer, withoutAuthorization),
    bearing((token) => token),
  ],
  [
    'tokens-are-refused-for-writes',
    'Providers are accepted per resource and per HTTP method: jwt_auth may write nodes.',
    onReply(
      (request) => isBearer(request) && !isRead(request),
      (reply) =>
        withStatus(withJson(reply, { message: 'The used authentication method is not allowed on this route.' }), 403),
    ),
    async (send) =>
      send('PATCH', '/node/5?_format=json', {
        json: newTitle,
        headers: { authorization: `Bearer ${await tokenOf(send, 'editor')}` },
      }),
  ],
  [
    'basic-is-ignored-for-media',
    'basic_auth is accepted on media.',
    onRequest((request) => media.test(request.path) && isBasic(request), withoutAuthorization),
    get('/media/1?_format=json', 'editor'),
  ],
  [
    'token-for-nobody',
    'GET /jwt/token needs an authenticated user.',
    onRefusal(
      (request, reply) => request.path === '/jwt/token' && isAnonymous(request) && reply.status >= 400,
      (request) => asAccount(request, 'viewer'),
    ),
    get('/jwt/token?_format=json'),
  ],
  [
    'token-under-another-name',
    'GET /jwt/token: 200; JSON {"token": <ACCESS_TOKEN>}.',
    onReply(reads(/^\/jwt\/token$/), (reply) => withJson(reply, { access_token: 'eyJhbGciOiJub25lIn0.e30.' })),
    async (send) => (await send('GET', '/jwt/token?_format=json', { as: 'editor' })).body.toString().slice(0, 8),
  ],
  [
    'token-is-no-jwt',
    'The access token is a JWT.',
    onReply(reads(/^\/jwt\/token$/), (reply) => withJson(reply, { token: 'b7a1c0de' })),
    async (send) => (await tokenOf(send, 'editor')).length,
  ],
  [
    'token-of-another-account',
    'The token is for the user that asks.',
    onRequest(
      ({ path, headers }) => path === '/jwt/token' && headers['authorization'] !== undefined,
      (request) => asAccount(request, 'admin'),
    ),
    async (send) =>
      send('DELETE', '/node/5?_format=json', { headers: { authorization: `Bearer ${await tokenOf(send, 'viewer')}` } }),
  ],
  [
    'session-writes-without-csrf-token',
    'A write with a session cookie needs X-CSRF-Token.',
    onRefusal(
      (request, reply) => request.headers['cookie'] !== undefined && !isRead(request) && reply.status === 403,
      (request) => asAccount(request, 'admin'),
    ),
    inSession('PATCH', '/node/5?_format=json', newTitle),
  ],
  [
    'sessions-are-ignored',
    'cookie: the session cookie of a login allows reading the resource URIs.',
    onRequest(
      ({ path }) => !path.startsWith('/user/'),
      (request) => ({ ...request, headers: { ...request.headers, cookie: undefined } }),
    ),
    inSession('GET', '/media/1?_format=json'),
  ],
  [
    'login-sets-no-cookie',
    'POST /user/login answers with the session cookie.',
    onReply(sent('POST', /^\/user\/login$/, 200), (reply) => withHeader(reply, 'Set-Cookie')),
    async (send) => (await login(send)).cookie === '',
  ],
  [
    'logout-ends-nothing',
    'After POST /user/logout the session is no longer valid.',
    () => async (request, ask) => {
      if (request.path !== '/user/logout') return ask(request);
      return { status: 204, headers: {}, body: Buffer.alloc(0) };
    },
    async (send) => {
      const { cookie, logout } = await login(send);
      await send('POST', `/user/logout?_format=json&token=${logout}`, { headers: { cookie } });
      return send('GET', '/media/1?_format=json', { headers: { cookie } });
    },
  ],
]);
