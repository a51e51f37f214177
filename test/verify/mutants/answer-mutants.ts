/** Planted bugs in statuses, in errors, in authentication and in who may do what. */
import {
  any,
  basicOf,
  body,
  both,
  bug,
  by,
  called,
  eachLine,
  empty,
  file,
  header,
  isAnonymous,
  isRead,
  json,
  media,
  newNode,
  newTitle,
  node,
  nodes,
  not,
  omit,
  one,
  onRefusal,
  onReply,
  onRequest,
  planted,
  read,
  reads,
  record,
  refusal,
  rewritten,
  sending,
  sent,
  set,
  status,
  upload,
  valuesOf,
  write,
  type Bug,
  type Match,
  type SeenReply,
  type SeenRequest,
  type Send,
  type Witness,
} from './mutant.ts';

const writes = 'POST PATCH DELETE';
const html = 'text/html; charset=UTF-8';
const plainText = 'text/plain; charset=UTF-8';

const hasType = (reply: SeenReply, type: string): boolean => valuesOf(reply, 'Content-Type').includes(type);

const nodeMade = onReply(sent('POST', nodes, 201));
const mediaMade = onReply(sent('PUT', upload, 201));
const missing = onReply(reads(record, 404));

const missingNode = read('/node/999999');
const missingMedia = read('/media/999999', 'editor');
const postBy = (account?: string): Witness => write('POST', '/node', account, newNode);
const patchBy = (account?: string): Witness => write('PATCH', '/node/5', account, newTitle);
const deleteBy = (account?: string): Witness => write('DELETE', '/node/5', account);
const deleteFileBy = (account: string): Witness => write('DELETE', '/entity/file/1', account);
const deleteMissing = write('DELETE', '/node/999999', 'admin');
const put = write('PUT', '/node/5', 'admin');
const head = one('HEAD', '/node/5?_format=json');
const patchFile = write('PATCH', '/entity/file/1', 'admin', { filename: [{ value: 'a.png' }] });
const picture = { 'content-type': 'image/png', 'content-location': 'public://a.png' };
const uploadPicture = (method: string): Witness =>
  one(method, '/node/22/media/image/16', { as: 'editor', body: 'no picture', headers: picture });
const text = { 'content-type': 'text/plain', 'content-location': 'public://a.txt' };
const uploadBy = (as?: string): Witness =>
  one('PUT', '/node/22/media/file/16?_format=json', { as, body: 'a text', headers: text });

const noSuchMethod = sent('PUT POST PATCH', any, 405);

const statusMutants = planted('statuses', postBy('editor'), {
  'POST /node: 201; Location header with the new node’s URI; body: the created node.': {
    'create-answers-200': nodeMade(status(200)),
  },
  'PATCH: 200; body: the updated node.': {
    'patch-answers-204': onReply(sent('PATCH', record, 200))(empty(204)).seenBy(patchBy('editor')),
  },
  'DELETE: 204, no body.': {
    'delete-answers-200': onReply(sent('DELETE', node, 204))(json({}, 200)).seenBy(deleteBy('admin')),
  },
  'DELETE /entity/file/{file_id}: 204, no body.': {
    'file-delete-answers-202': onReply(sent('DELETE', file, 204))(status(202)).seenBy(deleteFileBy('admin')),
  },
  'deleted: 404 (also after a successful DELETE).': {
    'deleted-again-answers-204': onReply(sent('DELETE', record, 404))(empty(204)).seenBy(deleteMissing),
  },
  'GET of an entity that does not exist: 404.': { 'missing-answers-200': missing(json({}, 200)).seenBy(missingNode) },
  'The entity does not exist or was deleted: 404.': {
    'missing-answers-410': missing(status(410)).seenBy(missingMedia),
  },
  'Methods that a path does not have: 405.': {
    'wrong-method-answers-404': onReply(noSuchMethod)(status(404, 'Allow')).seenBy(put),
  },
  '405 has an Allow header (RFC 9110 §15.5.6).': {
    'wrong-method-without-allow': onReply(sent('PUT POST PATCH DELETE GET', any, 405))(header('Allow')).seenBy(put),
  },
  'Allow lists the methods of the path: nodes can be read, patched and deleted.': {
    'allow-leaves-out-methods': onReply(sent('PUT POST PATCH', record, 405))(
      rewritten('Allow', /DELETE, |, DELETE/, ''),
    ).seenBy(put),
  },
  'Files cannot be patched.': {
    'files-can-be-patched': onRefusal(sent('PATCH', file, 405))(by('admin'), set({ method: 'GET' })).seenBy(patchFile),
  },
  'The upload endpoint accepts only PUT.': {
    'upload-takes-post': onRefusal(sent('POST', upload, 405))(set({ method: 'PUT' })).seenBy(uploadPicture('POST')),
  },
  'HEAD of the same resources as GET: headers only.': {
    'head-is-refused': onReply(sent('HEAD', record, 200))(header('Allow', 'GET'), status(405)).seenBy(head),
  },
  'POST /node: Location header with the new node’s URI.': { 'location-is-missing': nodeMade(header('Location')) },
  'Location gives the URI of the new node.': {
    'location-names-another-node': nodeMade(rewritten('Location', /\d+$/, '1')),
  },
  'Location gives the URI of the new node, whose path is /node/{node_id}.': {
    'location-is-relative-to-nothing': nodeMade(rewritten('Location', /\/node\//, '/nodes/')),
  },
  'PUT of an upload: 201; Location header with the media URI.': {
    'upload-location-is-missing': mediaMade(header('Location')).seenBy(uploadPicture('PUT')),
  },
  'Location gives the media.': {
    'upload-location-names-the-node': mediaMade(
      eachLine('Location', (value, { path }) => value.replace(/\/media\/\d+$/, path.replace(/\/media.*/, ''))),
    ).seenBy(uploadPicture('PUT')),
  },
  'PUT of an upload: 201; empty body.': {
    'upload-answers-with-a-body': mediaMade(json({ status: 'created' })).seenBy(uploadPicture('PUT')),
  },
  'HEAD: headers only, including Link headers.': {
    'head-has-no-links': onReply(sent('HEAD', any))(header('Link')).seenBy(head),
  },
  'HEAD has the headers of GET (RFC 9110 §9.3.2).': {
    'head-has-another-media-type': onReply(sent('HEAD', any, 200))(called(html)).seenBy(head),
  },
  'The representation of `_format=json` is JSON: `application/json`.': {
    'json-is-called-html': onReply((request, reply) => isRead(request) && hasType(reply, 'application/json'))(
      called(html),
    ).seenBy(read('/node/5')),
  },
});

const hasMessage: Match = (_request, reply) => reply.body.toString().startsWith('{"message"');
const withMessage =
  (change: (message: unknown) => unknown) =>
  (reply: SeenReply): SeenReply =>
    json(change((JSON.parse(reply.body.toString()) as { message: unknown }).message))(reply); // a refusal of the healthy server
const missingWithMessage = onReply(both(reads(record, 404), hasMessage));
const everyMethod = 'GET HEAD POST PATCH PUT DELETE';
const unauthenticated = onReply(sent(everyMethod, any, 401));

const errorMutants = planted('errors', missingNode, {
  'The 404 body is JSON with one member `message`.': {
    'missing-tells-more-than-a-message': missingWithMessage(withMessage((message) => ({ message, code: 404 }))),
    'missing-says-error-instead-of-message': missingWithMessage(withMessage((error) => ({ error }))),
  },
  'The message says that the parameter (`node`, `media` or `file`) could not be converted for the route path.': {
    'missing-does-not-say-what': missingWithMessage(json({ message: 'Not Found' })),
  },
  'The 404 has the content type `application/json`.': {
    'missing-media-is-a-page': onReply(reads(media, 404))(
      body('<!DOCTYPE html><title>Page not found</title>', html),
    ).seenBy(missingMedia),
    'missing-json-is-called-text': missing(called(plainText)),
  },
  'The body of a refusal is {"message": string}.': {
    'forbidden-message-is-a-list': onReply(both(sent(everyMethod, any, 403), hasMessage))(
      withMessage((message) => ({ message: [message] })),
    ).seenBy(postBy('viewer')),
  },
  'The body of a 401 is {"message": string}.': {
    'unauthenticated-has-no-body': unauthenticated(empty(401)).seenBy(postBy()),
  },
  '401 has a WWW-Authenticate header (RFC 9110 §15.5.2).': {
    'unauthenticated-without-challenge': unauthenticated(header('WWW-Authenticate')).seenBy(postBy()),
  },
  'Unauthenticated create, update or delete requests receive 401.': {
    'unauthenticated-answers-403': onReply(sent(writes, any, 401))(status(403, 'WWW-Authenticate')).seenBy(postBy()),
  },
  'Authenticated requests lacking permission receive 403.': {
    'forbidden-answers-401': onReply(sent(writes, any, 403))(
      header('WWW-Authenticate', 'Basic realm="Islandora"'),
      status(401),
    ).seenBy(postBy('viewer')),
    'forbidden-answers-404': onReply(sent('PATCH DELETE', record, 403))(status(404)).seenBy(deleteBy('viewer')),
  },
  'A body that is not JSON: 400 with a message.': {
    'broken-json-answers-500': onReply(sent('POST PATCH', any, 400))(
      body('The website encountered an unexpected error. Try again later.', plainText, 500),
    ).seenBy(
      one('POST', '/node?_format=json', {
        as: 'editor',
        body: '{"type":',
        headers: { 'content-type': 'application/json' },
      }),
    ),
  },
  'The body of a 422 is {"message": string}.': {
    'invalid-lists-errors': onReply(sent('POST PATCH', any, 422))(
      json({ errors: [{ detail: 'This value should not be null.' }] }),
    ).seenBy(write('POST', '/node', 'editor', { type: newNode.type })),
  },
  'Validation errors: 422.': {
    'invalid-answers-400': onReply(sent('POST', nodes, 422))(status(400)).seenBy(
      write('POST', '/node', 'editor', omit(newNode, 'title')),
    ),
  },
});

const isBearer = ({ headers }: SeenRequest): boolean => /^Bearer /i.test(headers['authorization'] ?? '');
const isBasic = ({ headers }: SeenRequest): boolean => /^Basic /i.test(headers['authorization'] ?? '');
const withoutAuthorization = sending({ authorization: undefined });

type TokenParts = { readonly alg?: unknown; readonly sub?: unknown; readonly exp?: unknown };
const decoded = (part: string): object => JSON.parse(Buffer.from(part, 'base64url').toString()) as object; // parts of tokens are objects
const encoded = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url');
/** The account that a token names. Who signed the token does not matter. */
const partsOf = ({ headers }: SeenRequest): TokenParts => {
  const [head = '', payload = ''] = (headers['authorization'] ?? '').replace(/^Bearer /i, '').split('.');
  try {
    return { ...decoded(head), ...decoded(payload) };
  } catch {
    return {};
  }
};
const isOld: Match = (request) => Number(partsOf(request).exp) < Date.now() / 1000;
const isUnsigned: Match = (request) => partsOf(request).alg === 'none';
/** Takes a refused token for that of the account that it names. */
const takesTokens = (...matches: readonly Match[]): Bug =>
  onRefusal(both((request, reply) => isBearer(request) && reply.status === 403, ...matches))((request) => {
    const { sub } = partsOf(request);
    return typeof sub === 'string' ? by(sub)(request) : request;
  });

const tokenOf = async (send: Send, account = 'editor'): Promise<string> => {
  const reply = await send('GET', '/jwt/token?_format=json', { as: account });
  return (JSON.parse(reply.body.toString()) as { token?: string }).token ?? ''; // a token's answer
};
/** A request with a token. */
const bearing =
  (method: string, path: string, json?: unknown, account?: string): Witness =>
  async (send) => {
    const headers = { authorization: `Bearer ${await tokenOf(send, account)}` };
    return send(method, `${path}?_format=json`, { headers, json });
  };
/** A read with a token that somebody has changed. */
const bearingChanged =
  (change: (head: string, payload: string, signature: string) => readonly string[]): Witness =>
  async (send) => {
    const [head = '', payload = '', signature = ''] = (await tokenOf(send)).split('.');
    const headers = { authorization: `Bearer ${change(head, payload, signature).join('.')}` };
    return send('GET', '/media/1?_format=json', { headers });
  };
/** Other claims under the same signature. */
const claiming = (claims: object): Witness =>
  bearingChanged((head, payload, signature) => [head, encoded({ ...decoded(payload), ...claims }), signature]);

const login = async (send: Send): Promise<{ readonly cookie: string; readonly logout: string }> => {
  const reply = await send('POST', '/user/login?_format=json', { json: { name: 'editor', pass: 'editor' } });
  const { logout_token: logout = '' } = JSON.parse(reply.body.toString()) as Record<string, string>; // the answer of a login
  return { cookie: valuesOf(reply, 'Set-Cookie')[0]?.split(';')[0] ?? '', logout };
};
const inSession =
  (method: string, path: string, json?: unknown): Witness =>
  async (send) => {
    const { cookie } = await login(send);
    return send(method, `${path}?_format=json`, { headers: { cookie }, json });
  };
const afterLogout: Witness = async (send) => {
  const { cookie, logout } = await login(send);
  await send('POST', `/user/logout?_format=json&token=${logout}`, { headers: { cookie } });
  return send('GET', '/media/1?_format=json', { headers: { cookie } });
};
const tokenAnswer = onReply(reads(/^\/jwt\/token$/));
const wrongPassword = one('GET', '/media/1?_format=json', { headers: { authorization: basicOf('editor', 'wrong') } });

const accessMutants = planted('authentication', postBy(), {
  'HTTP Basic credentials (username and password).': {
    'any-password-will-do': onRefusal((request, reply) => isBasic(request) && reply.status === 403)((request) => {
      const credentials = Buffer.from((request.headers['authorization'] ?? '').slice(6), 'base64').toString();
      return by(credentials.split(':')[0])(request);
    }).seenBy(wrongPassword),
  },
  'Unauthenticated create requests receive 401.': {
    'anyone-may-create': onRefusal(sent('POST', nodes, 401))(by('admin')),
  },
  'Unauthenticated update requests receive 401.': {
    'anyone-may-update': onRefusal(sent('PATCH', any, 401))(by('admin')).seenBy(patchBy()),
  },
  'Unauthenticated delete requests receive 401.': {
    'anyone-may-delete': onRefusal(sent('DELETE', any, 401))(by('admin')).seenBy(deleteBy()),
  },
  'Unauthenticated create, update or delete requests receive 401.': {
    'anyone-may-upload': onRefusal(sent('PUT', any, 401))(by('admin')).seenBy(uploadBy()),
  },
  'jwt_auth: Bearer <ACCESS_TOKEN>: the token is one that the service has signed.': {
    'tokens-without-signature-are-taken': takesTokens(isUnsigned).seenBy(
      bearingChanged((_head, payload) => [encoded({ alg: 'none', typ: 'JWT' }), payload, '']),
    ),
  },
  'jwt_auth: the signature of a token is checked.': {
    'altered-tokens-are-taken': takesTokens(not(isUnsigned), not(isOld)).seenBy(
      claiming({ sub: 'admin', webid: '1', drupal: { uid: '1' }, exp: 4_000_000_000 }),
    ),
  },
  'A token that has expired is refused.': {
    'expired-tokens-are-taken': takesTokens(isOld).seenBy(claiming({ exp: 1_500_000_000 })),
  },
  'jwt_auth: the token can be reused in later requests.': {
    'tokens-are-ignored': onRequest(isBearer)(withoutAuthorization).seenBy(bearing('GET', '/media/1')),
  },
  'Providers are accepted per resource and per HTTP method: jwt_auth may write nodes.': {
    'tokens-are-refused-for-writes': onReply((request) => isBearer(request) && !isRead(request))(
      refusal(403, 'The used authentication method is not allowed on this route.'),
    ).seenBy(bearing('PATCH', '/node/5', newTitle)),
  },
  'basic_auth is accepted on media.': {
    'basic-is-ignored-for-media': onRequest((request) => media.test(request.path) && isBasic(request))(
      withoutAuthorization,
    ).seenBy(read('/media/1', 'editor')),
  },
  'GET /jwt/token needs an authenticated user.': {
    'token-for-nobody': onRefusal(
      (request, reply) => request.path === '/jwt/token' && isAnonymous(request) && reply.status >= 400,
    )(by('viewer')).seenBy(read('/jwt/token')),
  },
  'GET /jwt/token: 200; JSON {"token": <ACCESS_TOKEN>}.': {
    'token-under-another-name': tokenAnswer(json({ access_token: 'eyJhbGciOiJub25lIn0.e30.' })).seenBy(async (send) =>
      (await send('GET', '/jwt/token?_format=json', { as: 'editor' })).body.toString().slice(0, 8),
    ),
  },
  'The access token is a JWT.': {
    'token-is-no-jwt': tokenAnswer(json({ token: 'b7a1c0de' })).seenBy(async (send) => (await tokenOf(send)).length),
  },
  'The token is for the user that asks.': {
    'token-of-another-account': onRequest(
      ({ path, headers }) => path === '/jwt/token' && headers['authorization'] !== undefined,
    )(by('admin')).seenBy(bearing('DELETE', '/node/5', undefined, 'viewer')),
  },
  'A write with a session cookie needs X-CSRF-Token.': {
    'session-writes-without-csrf-token': onRefusal(
      (request, reply) => request.headers['cookie'] !== undefined && !isRead(request) && reply.status === 403,
    )(by('admin')).seenBy(inSession('PATCH', '/node/5', newTitle)),
  },
  'cookie: the session cookie of a login allows reading the resource URIs.': {
    'sessions-are-ignored': onRequest(({ path }) => !path.startsWith('/user/'))(sending({ cookie: undefined })).seenBy(
      inSession('GET', '/media/1'),
    ),
  },
  'POST /user/login answers with the session cookie.': {
    'login-sets-no-cookie': onReply(sent('POST', /^\/user\/login$/, 200))(header('Set-Cookie')).seenBy(
      async (send) => (await login(send)).cookie === '',
    ),
  },
  'After POST /user/logout the session is no longer valid.': {
    'logout-ends-nothing': bug(
      () => async (request, ask) =>
        request.path === '/user/logout' ? { status: 204, headers: {}, body: Buffer.alloc(0) } : ask(request),
    ).seenBy(afterLogout),
  },
});

const taken = (match: Match): Bug => onRefusal(match)(by('admin'));

const permissionMutants = planted('permissions', read('/node/5'), {
  'Restricted (hidden) resources need credentials of an allowed provider.': {
    'unpublished-nodes-are-shown-to-anonymous': taken(both(reads(node, 401), isAnonymous)).seenBy(read('/node/11')),
  },
  'Credentials supplied but the permission is missing: 403.': {
    'unpublished-nodes-are-shown-to-viewers': taken(reads(node, 403)).seenBy(read('/node/11', 'viewer')),
  },
  'HEAD answers as GET does: 401 without credentials.': {
    'head-shows-unpublished-nodes': taken(sent('HEAD', any, 401)).seenBy(one('HEAD', '/node/11?_format=json')),
  },
  'Anonymous users lack the view-media permission.': {
    'media-are-shown-to-anonymous': taken(reads(media, 401)).seenBy(read('/media/1')),
  },
  'A role with the view-media permission may read media.': {
    'media-are-hidden-from-viewers': onReply(both(reads(media), not(isAnonymous)))(
      refusal(403, "The 'view media' permission is required."),
    ).seenBy(read('/media/1', 'viewer')),
  },
  'Authenticated requests lacking permission receive 403.': {
    'viewers-may-create': taken(sent('POST', nodes, 403)).seenBy(postBy('viewer')),
    'viewers-may-update': taken(sent('PATCH', node, 403)).seenBy(patchBy('viewer')),
    'viewers-may-delete-nodes': taken(sent('DELETE', node, 403)).seenBy(deleteBy('viewer')),
    'viewers-may-delete-files': taken(sent('DELETE', file, 403)).seenBy(deleteFileBy('viewer')),
    'viewers-may-upload': taken(sent('PUT', upload, 403)).seenBy(uploadBy('viewer')),
  },
  'POST /node, authorized: 201.': { 'editors-may-not-create': nodeMade(refusal(403, '')).seenBy(postBy('editor')) },
  'GET of a node that anybody may view: 200.': {
    'published-nodes-are-hidden': onReply(both(reads(node), isAnonymous))(
      refusal(401, 'No authentication credentials provided.'),
    ),
  },
});

export const answerMutants = [...statusMutants, ...errorMutants, ...accessMutants, ...permissionMutants];
