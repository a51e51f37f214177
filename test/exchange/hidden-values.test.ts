/** A secret is found by what it is and where it is, also within encoded texts; ordinary values of a repository stay. */
import { describe, expect, it } from '@jest/globals';
import type { HeaderLine } from '../../src/exchange/exchange.ts';
import { exchange, type Parts } from '../recording/exchanges.ts';
import { showing, shownBy, users } from './shown-exchanges.ts';

const word = 'hunter2';
const random = 'kJ8vQ2xLm9TzR4wYb7NcE1sH';
const json = 'application/json';
const formType = 'application/x-www-form-urlencoded';
const xml = 'application/xml';
const base64 = (text: string): string => Buffer.from(text).toString('base64');
const base64url = (text: string): string => Buffer.from(text).toString('base64url');
const encoded = encodeURIComponent;
const wide = (text: string): Uint8Array => Buffer.from(`\ufeff${text}`, 'utf16le');
const twice = (text: string): string => encoded(encoded(text));
const saml = `<samlp:Response xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" ID="_8e8dc5f6"><saml:Assertion xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="_a1"><saml:Subject><saml:NameID>jo</saml:NameID></saml:Subject></saml:Assertion></samlp:Response>`;
const jwt = `${base64url('{"alg":"RS256"}')}.${base64url('{"sub":"editor","uid":"2"}')}.c2lnbmF0dXJl-_X`;

const path = (text: string): Parts => ({ path: text });
const asked = (...headers: HeaderLine[]): Parts => ({ request: { headers } });
const answered = (...headers: HeaderLine[]): Parts => ({ reply: { headers } });
const sent = (type: string, body: string): Parts => ({
  method: 'POST',
  request: { headers: [['Content-Type', type]], body },
});
const got = (type: string, body: string): Parts => ({ reply: { headers: [['Content-Type', type]], body } });
const gotJson = (value: unknown): Parts => got(json, JSON.stringify(value));
const part = (head: string, body: string): Parts =>
  sent('multipart/form-data; boundary=B', `--B\r\nContent-Disposition: form-data; ${head}\r\n\r\n${body}\r\n--B--\r\n`);

/** What is planted, how, and what may not be left of it. */
const planted: readonly (readonly [place: string, parts: Parts, secret: string])[] = [
  // The request line.
  ['SAMLResponse in a query', path(`/acs?SAMLResponse=${encoded(base64(saml))}`), base64(saml).slice(0, 40)],
  ['SAMLRequest in a query', path('/sso?SAMLRequest=fZFNT8MwDIb%2FStTb'), 'fZFNT8MwDIb'],
  ['bearer in a query', path(`/node/1?bearer=${word}`), word],
  ['bearer_token in a query', path(`/node/1?bearer_token=${word}`), word],
  ['a URL in a parameter', path(`/login?next=https%3A%2F%2Fh%2F%3Fpass%3D${word}`), word],
  ['a URL in a parameter, twice encoded', path(`/login?next=${twice(`https://h/?pass=${word}`)}`), word],
  ['a URL in a URL in a parameter', path(`/a?u=${encoded(`/b?v=${encoded(`/c?pwd=${word}`)}`)}`), word],
  ['user information of an encoded URL', path(`/a?u=${encoded(`https://jo:${word}@h/`)}`), word],
  ['JSON in a parameter', path(`/a?q=${encoded(JSON.stringify({ pass: word }))}`), word],
  [
    'JSON in base64 in a parameter',
    path(`/a?q=${base64url(JSON.stringify({ pass: word }))}`),
    base64url('{"pass"').slice(0, 8),
  ],
  ['an encoded form in a path', path(`/a/pass%3D${word}%26x%3D1`), word],
  ['a parameter of a path', path(`/a;token=${word}/b`), word],
  ['a token as a part of a path', path(`/hooks/${random}/go`), random],
  ['a token after its name in a path', path('/password/reset/abcdef0123456789abcdef01'), 'abcdef0123456789abcdef01'],
  ['an invitation in a path', path('/invite/ab12cd34ef56ab12'), 'ab12cd34ef56ab12'],
  ['a name in small parts', path(`/a?user%5Bpass%5D=${word}`), word],
  ['a name that is half encoded', path(`/a?%70%61ss=${word}`), word],
  ['a pin in a query', path('/a?pin=4711'), '4711'],
  ['a code of an authenticator', path('/a?otp=123456'), '123456'],
  ['a code of a device', path('/a?device_code=GmRh-mXyz'), 'GmRh-mXyz'],
  ['a verifier', path('/a?oauth_verifier=wBtz31'), 'wBtz31'],
  ['a key of a map', path(`/a?AWSAccessKeyId=X1Y2&Signature=${word}`), word],
  ['a shared signature', path(`/a.png?sv=2022&se=2026-01-01&sig=${word}%3D`), word],
  ['a ticket', path('/a?ticket=ST-1856339-aA5Yuvrxz'), 'ST-1856339'],
  ['a foreign word', path(`/a?kennwort=${word}&x=1`), word],
  ['a word of two', path(`/a?userpass=${word}`), word],
  ['a random value under any name', path(`/a?x=${random}`), random],
  ['an identity token', path(`/a?x=${jwt}`), jwt],
  ['a token behind Bearer', path(`/a?h=Bearer%20abc123def456ghi7`), 'abc123def456ghi7'],
  ['Basic in a parameter', path(`/a?h=Basic+${base64(`jo:${word}x`)}`), base64(`jo:${word}x`).slice(0, 10)],
  ['an account in base64', path(`/a?x=${encoded(base64(`editor:${word}`))}`), base64(`editor:${word}`).slice(0, 12)],
  ['a name behind an entity', path(`/a?b=1&amp;pass=${word}`), word],
  // Found by looking for siblings of the others.
  ['a cookie of a script', got('text/html', `<script>document.cookie = "s=${word}; path=/";</script>`), word],
  ['a cookie of a page', got('text/html', `<meta http-equiv="Set-Cookie" content="s=${word}">`), word],
  ['a sentence in a parameter', path(`/a?x=my+password+is+${word}`), word],
  ['a pair in JSON in a parameter', path(`/a?f=${encoded(JSON.stringify({ name: 'password', value: word }))}`), word],
  ['a list in JSON in a parameter', path(`/a?f=${encoded(JSON.stringify([['password', word]]))}`), word],
  ['a form in base64 in a parameter', path(`/a?sso=${base64(`nonce=${word}`)}`), base64(`nonce=${word}`).slice(0, 12)],
  ['a name that is encoded twice', path(`/a?%2570ass=${word}`), word],
  ['an invitation in a parameter', path(`/a?invite=${word}`), word],
  ['a key of an application', path(`/a?app_key=${word}`), word],
  ['a ticket of CAS', path(`/a?pgtId=${word}`), word],
  ['X-Remote-Session', asked(['X-Remote-Session', word]), word],
  ['a header line as an object', gotJson({ headers: [{ header: 'X-Api-Key', content: word }] }), word],
  ['a pair with capitals', gotJson([{ Name: 'DB_PASSWORD', Value: word }]), word],
  ['a JSON patch', gotJson([{ op: 'replace', path: '/password', value: word }]), word],
  ['a command with a cookie', gotJson({ how: `curl -b s=${word} http://h` }), word],
  ['a command of a database', gotJson({ how: `mysql -u jo -p${word} db` }), word],
  ['an option of a command', gotJson({ how: `tool --password ${word}` }), word],
  ['a line of PHP', got('text/plain', `'password' => '${word}',`), word],
  ['a constant of PHP', got('text/plain', `define('DB_PASSWORD', '${word}');`), word],
  ['the salt of a site', got('text/plain', `$settings['hash_salt'] = '${word}';`), word],
  ['a line of Ruby', got('text/plain', `:password => "${word}"`), word],
  ['a variable in YAML', got('application/yaml', `- name: DB_PASSWORD\n  value: ${word}\n`), word],
  ['a block of YAML', got('application/yaml', `password: >-\n  ${word}\n`), word],
  ['a table', got('text/csv', `user,password\njo,${word}\n`), word],
  ['a statement of SQL', got('text/plain', `CREATE USER jo IDENTIFIED BY '${word}';`), word],
  ['an element in an element', got(xml, `<password><value>${word}</value></password>`), word],
  ['a setting in XML', got(xml, `<add key="ApiKey" value="${word}"/>`), word],
  ['XML-RPC', got(xml, `<member><name>password</name><value><string>${word}</string></value></member>`), word],
  ['a field of a password', got('text/html', `<input type="password" name="x" value="${word}">`), word],
  ['a field of a password, turned round', got('text/html', `<input value="${word}" type="password">`), word],
  ['a header in a script', got('text/javascript', `xhr.setRequestHeader("X-Api-Key", "${word}");`), word],
  ['an item of a store', got('text/javascript', `localStorage.setItem('token', '${word}')`), word],
  // Headers.
  ['a cookie without a name', asked(['Cookie', word]), word],
  ['a cookie without a name among others', asked(['Cookie', `a=b; ${word}; c=d`]), word],
  ['a cookie with an equals sign', asked(['Cookie', `s=${word}=x=y`]), word],
  ['a quoted cookie', asked(['Cookie', `s="${word}"`]), word],
  ['a new cookie without a name', answered(['Set-Cookie', `${word}; Path=/`]), word],
  ['a new cookie with an empty name', answered(['Set-Cookie', `=${word}; Path=/`]), word],
  ['the second of two cookies in a line', answered(['Set-Cookie', `a=b; Path=/, s=${word}; Path=/`]), word],
  ['a second line of cookies', asked(['Cookie', 'a=b'], ['Cookie', `t=${word}`]), word],
  ['an old cookie', asked(['Cookie2', word]), word],
  ['Authorization without a scheme', asked(['Authorization', word]), word],
  ['Authorization in an own scheme', asked(['Authorization', `Hmac jo:${word}`]), word],
  ['Proxy-Authorization', asked(['Proxy-Authorization', `Basic ${base64(`a:${word}`)}`]), base64(`a:${word}`)],
  ['X-Api-Key', asked(['X-Api-Key', word]), word],
  ['Api-Key', asked(['Api-Key', word]), word],
  ['Ocp-Apim-Subscription-Key', asked(['Ocp-Apim-Subscription-Key', word]), word],
  ['X-Functions-Key', asked(['X-Functions-Key', word]), word],
  ['Private-Token', asked(['Private-Token', word]), word],
  ['X-Vault-Token', asked(['X-Vault-Token', word]), word],
  ['X-Goog-IAP-JWT-Assertion', asked(['X-Goog-IAP-JWT-Assertion', word]), word],
  ['X-Bearer', asked(['X-Bearer', word]), word],
  ['X-Shib-Session-ID', asked(['X-Shib-Session-ID', word]), word],
  ['X-SAML', asked(['X-SAML', word]), word],
  ['a random value in any header', asked(['X-Thing', random]), random],
  ['Referer', asked(['Referer', `https://h/a?x=1&pass=${word}`]), word],
  ['Referer with an encoded URL', asked(['Referer', `https://h/?u=${encoded(`/b?pass=${word}`)}`]), word],
  ['Location with a fragment', answered(['Location', `https://h/cb#state=x&access_token=${word}`]), word],
  ['Location with a code', answered(['Location', `https://h/cb?code=${word}`]), word],
  ['a code in a fragment', answered(['Location', `https://h/cb#code=${word}&x=y`]), word],
  ['Location with user information', answered(['Location', `https://jo:${word}@h/`]), word],
  ['Location with an encoded URL', answered(['Location', `/login?to=${encoded(`/x?token=${word}`)}`]), word],
  ['Refresh', answered(['Refresh', `0; url=/a?sid=${word}`]), word],
  ['Link', answered(['Link', `</a?access_token=${word}>; rel="next"`]), word],
  ['Sec-WebSocket-Protocol', asked(['Sec-WebSocket-Protocol', 'bearer, abc123def456ghi7']), 'abc123def456ghi7'],
  // JSON.
  ['a member', gotJson({ a: [{ b: { password: word } }] }), word],
  ['a bearer', gotJson({ bearer: word }), word],
  ['a SAML answer', gotJson({ SAMLResponse: base64(saml) }), base64(saml).slice(0, 40)],
  ['a SAML answer under any name', gotJson({ x: base64(saml) }), base64(saml).slice(0, 40)],
  ['a number', gotJson({ pin: 471_108 }), '471108'],
  ['a pair', gotJson([{ name: 'password', value: word }]), word],
  ['a pair with a key', gotJson([{ key: 'token', value: word }]), word],
  ['a pair in a list', gotJson({ headers: [['X-Api-Key', word]] }), word],
  ['cookies of an archive', gotJson({ cookies: [{ name: 's', value: word }] }), word],
  ['a header line in a text', gotJson({ log: `GET / HTTP/1.1\nCookie: s=${word}\nHost: h` }), word],
  ['an authorization line in a text', gotJson({ log: `Authorization: Digest x="${word}"` }), word],
  ['JSON in JSON', gotJson({ a: JSON.stringify({ b: JSON.stringify({ pwd: word }) }) }), word],
  ['JSON in base64', gotJson({ a: base64(JSON.stringify({ pass: word })) }), base64('{"pass":').slice(0, 8)],
  [
    'JSON in base64 in base64',
    gotJson({ a: base64(base64(JSON.stringify({ pass: word }))) }),
    base64(base64('{"pass":')).slice(0, 8),
  ],
  ['an account in base64 in a member', gotJson({ auth: base64(`jo:${word}`) }), base64(`jo:${word}`)],
  ['a URL', gotJson({ url: `https://h/a?pass=${word}` }), word],
  ['an encoded URL', gotJson({ url: `https://h/a?u=${encoded(`/b?pass=${word}`)}` }), word],
  ['a form in a text', gotJson({ sent: `name=jo&pass=${word}` }), word],
  ['a connection string', gotJson({ dsn: `Server=h;User=jo;Pwd=${word};` }), word],
  ['a database address', gotJson({ db: `postgres://jo:${word}@h/db` }), word],
  ['a random value in a member', gotJson({ x: random }), random],
  ['a random value in a sentence', gotJson({ x: `Use ${random} to go on.` }), random],
  ['a word in a sentence', gotJson({ message: `Your password is ${word}.` }), word],
  ['a command', gotJson({ how: `curl -u jo:${word} http://h/` }), word],
  ['a long command', gotJson({ how: `curl --user jo:${word} http://h/` }), word],
  ['a name with escapes, cut off', got(json, `{"\\u0070ass":"${word}`), word],
  ['a number, cut off', got(json, '{"a":1,"pin":471108,'), '471108'],
  [
    'a hexadecimal text',
    gotJson({ x: Buffer.from(`pass=${word}&a=b`).toString('hex') }),
    Buffer.from(word).toString('hex'),
  ],
  ['a key of Google', gotJson({ x: 'ya29.a0AfH6SMBx-yz0123456789abcdef' }), 'ya29.a0AfH6SMB'],
  [
    'a key of SendGrid',
    gotJson({ x: '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' }),
    'ngeVfQFYQlKU0ufo8x5d1A',
  ],
  ['a key of a model', gotJson({ x: 'sk-proj-abcdefghijklmnopqrst12' }), 'sk-proj-abcdefghij'],
  ['a key of GitHub', gotJson({ x: `see gho_${'a1B2c3D4e5'.repeat(4)}` }), 'gho_a1B2c3'],
  ['a key of Slack', gotJson({ x: 'xoxb-123456789012-abcdefABCDEF' }), 'xoxb-123456789012'],
  [
    'a hook of Slack',
    gotJson({ x: 'https://hooks.slack.com/services/T00000000/B00000000/abcdEFGHijklMNOPqrst1234' }),
    'abcdEFGHijkl',
  ],
  ['a key of Amazon', gotJson({ x: 'AKIAIOSFODNN7EXAMPLE' }), 'AKIAIOSFODNN7EXAMPLE'],
  [
    'a private key',
    gotJson({ x: '-----BEGIN PGP PRIVATE KEY BLOCK-----\nlQOYBF\n-----END PGP PRIVATE KEY BLOCK-----' }),
    'lQOYBF',
  ],
  ['a hash of a password', gotJson({ x: '$6$saltsalt$qFmFH.bQmmtXzyBY0s9v7Oicd2z4XSIecDzlB5KiA2' }), 'qFmFH'],
  // Forms.
  ['a field', sent(formType, `a=b&passwort=${word}`), word],
  [
    'a SAML answer in a form',
    sent(formType, `SAMLResponse=${encoded(base64(saml))}&RelayState=x`),
    encoded(base64(saml)).slice(0, 40),
  ],
  ['an assertion under any name in a form', sent(formType, `wr=${encoded(base64(saml))}`), base64(saml).slice(0, 40)],
  ['a bearer in a form', sent(formType, `bearer=${word}`), word],
  ['JSON in a form', sent(formType, `payload=${encoded(JSON.stringify({ a: { pass: word } }))}`), word],
  ['a URL in a form', sent(formType, `next=${encoded(`/a?pass=${word}`)}`), word],
  ['a form in a form', sent(formType, `inner=${encoded(`x=1&secret=${word}`)}`), word],
  ['a form without its type', sent('text/plain', `name=jo&pass=${word}`), word],
  ['a word in a form without its type', sent('text/plain', 'name=jo&pass=swordfish'), 'swordfish'],
  ['a part', part('name="pass"', word), word],
  ['a part of bytes', part('name="pass"\r\nContent-Type: application/octet-stream', word), word],
  ['JSON in a part', part('name="data"\r\nContent-Type: application/json', JSON.stringify({ pass: word })), word],
  [
    'base64 in a part',
    part('name="data"\r\nContent-Transfer-Encoding: base64', base64(JSON.stringify({ pass: word }))),
    base64('{"pass":').slice(0, 8),
  ],
  [
    'lines of base64 in a part',
    part('name="data"', base64(`${'an ordinary line; '.repeat(8)}password=${word}`).replace(/(.{76})/g, '$1\r\n')),
    base64(`${'an ordinary line; '.repeat(8)}password=${word}`).slice(-12, -4),
  ],
  [
    'an environment file in a part',
    part('name="f"; filename=".env"\r\nContent-Type: text/plain', `DB_PASS=${word}`),
    word,
  ],
  // XML, HTML and texts.
  ['an element', got(xml, `<a><wsse:Password Type="t">${word}</wsse:Password></a>`), word],
  ['an element with a name', got(xml, `<a><property name="password">${word}</property></a>`), word],
  ['a pair of elements', got(xml, `<dict><key>password</key><string>${word}</string></dict>`), word],
  ['an attribute', got(xml, `<a pwd='${word}'/>`), word],
  ['an assertion', got(xml, `<a>${saml}</a>`), '<saml:NameID>jo'],
  ['a token of security', got(xml, `<wsse:BinarySecurityToken>${word}</wsse:BinarySecurityToken>`), word],
  ['CDATA', got(xml, `<pass><![CDATA[${word}]]></pass>`), word],
  [
    'a field of a page',
    got('text/html', `<input name="SAMLResponse" type="hidden" value="${base64(saml)}">`),
    base64(saml).slice(0, 40),
  ],
  [
    'a field of a page under any name',
    got('text/html', `<input name="wr" value="${base64(saml)}">`),
    base64(saml).slice(0, 40),
  ],
  ['JSON in an attribute', got('text/html', `<a data-x="{&quot;pass&quot;:&quot;${word}&quot;}">`), word],
  ['a link of a page', got('text/html', `<a href="/a?b=1&amp;pass=${word}">x</a>`), word],
  ['an encoded link of a page', got('text/html', `<a href="/a?u=${encoded(`/b?pass=${word}`)}">x</a>`), word],
  ['a script', got('text/html', `<script>var password = '${word}';</script>`), word],
  ['an object of a script', got('text/javascript', `f({ password: '${word}', a: 1 })`), word],
  ['a line of YAML', got('application/yaml', `a:\n  password: swordfish\n`), 'swordfish'],
  ['a variable', got('text/plain', 'export DB_PASSWORD=swordfish'), 'swordfish'],
  ['a header line of a trace', got('message/http', `TRACE / HTTP/1.1\r\nCookie: ${word}\r\n\r\n`), word],
  ['an API key of a trace', got('message/http', `TRACE / HTTP/1.1\r\nX-Api-Key: ${word}\r\n\r\n`), word],
  ['a table of accounts', got('text/plain', `machine h login jo password ${word}`), word],
  ['a URL in a parameter, three times encoded', path(`/a?u=${encoded(twice(`/b?pass=${word}`))}`), word],
  [
    'an encoded form in base64',
    path(`/a?u=${base64url(`a=1&u=${encoded(`/b?pass=${word}`)}`)}`),
    base64url('a=1&u=%2').slice(0, 9),
  ],
  ['an encoded name and value in a parameter', path(`/a?u=p%61ss%3D${word}`), word],
  ['an encoded fragment', path(`/a?u=${encoded(`https://h/#access_token=${word}`)}`), word],
  ['SAMLart', path(`/a?SAMLart=${word}`), word],
  ['a hint', path(`/a?id_token_hint=${word}`), word],
  ['PASS', path(`/a?PASS=${word}`), word],
  ['a list', path(`/a?pass[]=${word}`), word],
  ['a form with semicolons', path(`/a?x=1;pass=${word}`), word],
  ['a session in JSON', gotJson({ session: word }), word],
  ['a name with a blank', gotJson({ 'User password': word }), word],
  ['a cookie line in a command', gotJson({ how: `curl -H 'Cookie: s=${word}' http://h/` }), word],
  [
    'a certificate',
    got('text/plain', '-----BEGIN EC PRIVATE KEY-----\nMHcCAQEEIB\n-----END EC PRIVATE KEY-----\n'),
    'MHcCAQEEIB',
  ],
];

const uuid = 'd6aedc83-94eb-4a02-9540-771732717d05';
const sha1 = 'da39a3ee5e6b4b0d3255bfef95601890afd80709';
const sha256 = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';

/** What a recording is made for. */
const ordinary: readonly (readonly [what: string, parts: Parts, value: string])[] = [
  ...(
    [
      '/node/1?_format=json&page=2',
      '/media/12/edit?_format=jsonld',
      '/taxonomy/term/24?_format=json',
      `/entity/node/${uuid}`,
      '/node/1/media/image/16',
      '/node/5/linkset',
      '/oai/request?verb=ListRecords&metadataPrefix=oai_dc&from=2024-01-01',
      '/oai/request?verb=GetRecord&identifier=oai%3Aexample.org%3Anode-5',
      '/admin/content?title=The%20keys%20of%20the%20harbour&sort_by=title',
      '/search?q=passage+to+the+north',
      '/user/login?destination=%2Fnode%2F5%3Fpage%3D2',
      '/node/1?next=https%3A%2F%2Fh%2Fnode%2F2%3F_format%3Djson',
      '/_flysystem/fedora/2019-03/fleet-at-anchor.png',
      '/sites/default/files/styles/large/public/2024-05/IMG_20240501_120000.jpg?itok=aB3dE5fG7hI9jK1lM3nO5pQ7',
      '/sites/default/files/css/css_ZqB8xnm0zmPUGqlmfjA8hqFB7L3i6nFfdnSlGz1VO3s.css?delta=0',
      '/iiif/2/public%3A%2F%2F2024-05%2Fmap.tif/full/!400,400/0/default.jpg',
      '/ark:/12148/btv1b8449691v',
      '/islandora/object/islandora%3A1234',
      '/jwt/token',
      '/token/endpoint-documentation',
      '/authors/keys-jane',
      '/a?fields%5Bnode%5D=title,field_model&include=field_members',
      '/a?filter%5Btitle%5D=K%C3%B6ln',
    ] as const
  ).map((text): [string, Parts, string] => [`the path ${text}`, path(text), text]),
  ...(
    [
      ['Content-Location', 'fedora://2024-05/letters/page-001.tif'],
      ['Link', '</node/1?_format=json>; rel="alternate"; type="application/json"'],
      ['Location', `http://localhost:8000/node/7`],
      ['Digest', 'sha-256=X48E9qOokqqrvdts8nOJRJN3OWDUoyWxBf7kbu9DBPE='],
      ['Repr-Digest', 'sha-256=:X48E9qOokqqrvdts8nOJRJN3OWDUoyWxBf7kbu9DBPE=:'],
      ['Content-MD5', 'Q2hlY2sgSW50ZWdyaXR5IQ=='],
      ['ETag', 'W/"aB3dE5fG7hI9jK1lM3nO5pQ7"'],
      ['X-Drupal-Cache-Tags', 'config:user.role.anonymous node:5 node_list'],
      ['X-Request-Id', uuid],
      ['Content-Disposition', 'attachment; filename="Letters to the Key West.pdf"'],
      ['Last-Modified', 'Fri, 01 Mar 2024 12:00:00 GMT'],
      ['Vary', 'Cookie, Authorization'],
      ['Cache-Control', 'must-revalidate, no-cache, private'],
      ['WWW-Authenticate', 'Basic realm="Repository"'],
      ['Access-Control-Allow-Headers', 'Authorization, X-CSRF-Token'],
      ['Content-Type', 'text/html; charset=UTF-8'],
      ['Surrogate-Key', 'node-5'],
    ] as const
  ).map(([name, value]): [string, Parts, string] => [`the header ${name}`, answered([name, value]), value]),
  ...Object.entries({
    ...{ uuid, sha1, sha256, md5: 'd41d8cd98f00b204e9800998ecf8427e', checksum: sha256, original: sha1 },
    ...{ etag: 'aB3dE5fG7hI9jK1lM3nO5pQ7', vid: '4711', created: '2024-05-01T12:00:00+00:00', edtf: '1912-05/1913' },
    ...{ title: 'Password reset at the token office', subtitle: 'Secrets of the pass: a key to the north', code: 'DE' },
    ...{
      langcode: 'en',
      country_code: 'DE',
      key: 'title',
      state: 'published',
      author: 'Keys, Alicia',
      authority: 'loc',
    },
    ...{ uri: 'public://2019-03/fleet-at-anchor.png', url: '/node/5?_format=json&page=2#top', mime: 'image/tiff' },
    ...{ isbn: '9783161484100', doi: '10.1000/xyz123', ark: 'ark:/12148/btv1b8449691v', pid: 'islandora:1234' },
    ...{
      bundle: 'islandora_object',
      field_model: 'http://purl.org/coar/resource_type/c_c513',
      sort_key: 'harbour-1912',
    },
    ...{ message: 'X-CSRF-Token request header is missing', note: 'Basic authentication and Bearer tokens are used.' },
    ...{ file: 'IMG_20240501_120000_scan12page3.tif', call_number: 'MS 4711/12a', extent: '24 x 36 cm' },
    ...{
      compass: 'NNW-337-degrees',
      passage: 'north-west-1845',
      status_code: 'E-1234-5678',
      token_type: 'Bearer-like',
    },
    ...{ integrity: 'sha384-oqVuAfXRKap7fdgcCY5uykM6+R9GqQ8K/uxy9rx7HNQlGYl1kPzQho1wx4JwY8wC', geo: '52.5200,13.4050' },
    ...{
      long: 'The quick brown fox passes the key to the keeper; the code of the harbour is old.',
      html: '<p>A &amp; B</p>',
    },
    ...{
      encodedTitle: 'K%C3%B6ln%20am%20Rhein',
      description: 'Token: lost in 1912',
      default_config_hash: 'X48E9qOokqqrvdts8nOJRJN3OWDUoyWxBf7kbu9DBPE',
    },
    ...{
      picture: `data:image/png;base64,${Buffer.from([137, 80, 78, 71, 13, 10, 26, 10, 0, 0, 0, 13, 73, 72, 68, 82, 0, 0, 0, 1, 0, 0, 0, 1, 8, 6]).toString('base64')}`,
    },
  }).map(([name, value]): [string, Parts, string] => [
    `the member ${name}`,
    gotJson({ a: [{ [name]: value }] }),
    value,
  ]),
  ['names of fields', gotJson({ required: ['pass', 'name'], fields: ['token', 'title'] }), 'name'],
  ['a species', gotJson([{ name: 'Pin Oak', value: 'Quercus palustris' }]), 'Quercus palustris'],
  ['a table', got('text/csv', 'title,year\nKeys of the sea,1912\n'), 'Keys of the sea,1912'],
  ['a page', got('text/html', '<a href="/node/5?a=1&amp;b=2">Keys &amp; codes</a>'), 'Keys &amp; codes'],
  [
    'a text',
    got('text/plain', base64('The fleet at anchor off Gannet Point.')),
    base64('The fleet at anchor off Gannet Point.'),
  ],
  ['a field', sent(formType, 'name=Fleet+at+anchor&op=Save&langcode=en'), 'name=Fleet+at+anchor&op=Save&langcode=en'],
];

/** Texts are shown within one, two or three texts of JSON. */
const withoutEscapes = (text: string): string => text.replaceAll('\\', '');

it('are many', () => {
  expect(planted.length).toBeGreaterThanOrEqual(100);
  expect(ordinary.length).toBeGreaterThanOrEqual(60);
});

it('stay in a recording where they stand beside a secret element', async () => {
  const secret = `<password><value>${word}</value></password>`;
  const recorded = exchange(got(xml, `<a>${secret}<title><b>Keys</b> of the sea</title></a>`));
  const text = await shownBy(users['a recording'] ?? (() => ''), recorded);
  expect(text).not.toContain(word);
  expect(text).toContain('<title><b>Keys</b> of the sea</title>');
});

describe.each(showing)('In %s', (user) => {
  const shown = (parts: Parts): Promise<string> => shownBy(users[user] ?? (() => ''), exchange(parts));

  it.each(planted)('no secret is left: %s', async (_place, parts, secret) => {
    const text = await shown(parts);
    expect(text).toContain('[redacted');
    expect(text).not.toContain(secret);
  });

  it('no secret is left: UTF-16', async () => {
    const text = await shown({
      reply: { headers: [['Content-Type', json]], body: wide(`{"title":"A","pass":"${word}"}`) },
    });
    expect(text.replaceAll(/\\+u0000/g, '')).toContain('[redacted');
    expect(text.replaceAll(/\\+u0000/g, '')).not.toContain(word);
  });

  it.each(ordinary)('what is not a secret stays: %s', async (_what, parts, value) => {
    const text = await shown(parts);
    expect(text).not.toContain('[redacted');
    expect(withoutEscapes(text)).toContain(withoutEscapes(value));
  });
});
