/**
 * What Dredd cannot do from a document alone. It asks once for each documented status and media type, and always with the
 * same request: that of the examples. These hooks choose the answer, and repair what Dredd does not read in the document.
 * They know no operation but the logout, whose token comes from another answer.
 */
const { readFileSync } = require('node:fs');
const hooks = require('hooks');

const document = JSON.parse(readFileSync(process.env.ATOLL_DOCUMENT, 'utf8'));

const follow = (value = {}) =>
  value.$ref === undefined
    ? value
    : value.$ref
        .slice(2)
        .split('/')
        .reduce((place, step) => place[step], document);

const operationOf = ({ origin, request }) => document.paths[origin.resourceName][request.method.toLowerCase()];

const without = (headers, ...names) => {
  for (const each of Object.keys(headers)) if (names.includes(each.toLowerCase())) delete headers[each];
};

const withFormat = (transaction, format) => {
  const wanted = format === undefined ? '' : `_format=${format}`;
  transaction.fullPath = transaction.fullPath.replace(/_format=\w+/, wanted);
};

/** It sends `--user` with every request, also where the document does not name it, and the examples of all headers. */
const repairHeaders = ({ request }, { security }, status) => {
  if (!security.some((choice) => 'basic_auth' in choice)) without(request.headers, 'authorization');
  if (status === 200) without(request.headers, 'range');
  // The example cannot know what the file of this server is called.
  if (status === 206) without(request.headers, 'if-range');
};

/** It has no body for bytes. */
const repairBody = ({ request }, { requestBody }) => {
  const [[type, { examples = {} }] = ['', {}]] = Object.entries(follow(requestBody).content ?? {});
  if (type !== 'application/octet-stream') return;
  request.headers['Content-Type'] = type;
  request.body = follow(Object.values(examples)[0]).value;
};

/** It does not connect `_format` with the media type of the answer. */
const chooseFormat = (transaction, type) => {
  if (type.startsWith('application/ld+json')) withFormat(transaction, 'jsonld');
  if (type.startsWith('text/html')) withFormat(transaction, undefined);
};

/** It expects every header of an answer, also one that is not required, and of any type of bytes the first. */
const repairExpectations = ({ expected }, { responses }, status) => {
  const { headers = {}, content = {} } = follow(responses[status]);
  const optional = Object.keys(headers).filter((name) => follow(headers[name]).required !== true);
  without(expected.headers, ...optional.map((name) => name.toLowerCase()));
  if ('*/*' in content) without(expected.headers, 'content-type');
};

/** It carries nothing from one answer into the next request. */
const openSession = async (transaction) => {
  const { protocol, host, port } = transaction;
  const login = await fetch(`${protocol}//${host}:${port}/user/login?_format=json`, {
    method: 'POST',
    body: JSON.stringify({ name: 'admin', pass: 'islandora' }),
  });
  const { logout_token: token } = await login.json();
  transaction.request.headers['Cookie'] = login.headers.get('set-cookie').split(';')[0];
  transaction.fullPath = transaction.fullPath.replace(/token=[^&]*/, `token=${token}`);
};

hooks.beforeEach((transaction, done) => {
  const status = Number(transaction.expected.statusCode);
  const operation = operationOf(transaction);
  // It gives HEAD a body, and its own library for requests refuses that.
  transaction.skip = transaction.request.method === 'HEAD';
  repairHeaders(transaction, operation, status);
  repairExpectations(transaction, operation, status);
  chooseFormat(transaction, transaction.expected.headers['Content-Type'] ?? '');
  // No document says which request is refused. The server answers with its example.
  if (status >= 300) transaction.request.headers['Prefer'] = `code=${status}`;
  else repairBody(transaction, operation);
  if (operation.operationId !== 'logout' || status >= 300) done();
  else openSession(transaction).then(() => done(), done);
});

hooks.beforeEachValidation((transaction, done) => {
  // It compares media types with their parameters.
  for (const { headers } of [transaction.expected, transaction.real]) {
    for (const name of Object.keys(headers)) {
      if (name.toLowerCase() === 'content-type') headers[name] = headers[name].split(';')[0];
    }
  }
  done();
});

hooks.afterEach((transaction, done) => {
  if (!transaction.skip && transaction.test?.valid !== true) {
    const { statusCode, body } = transaction.real ?? {};
    const why = String(transaction.test?.message).replaceAll('\n', ' ');
    console.log(`NOT AS DOCUMENTED ${transaction.name}: ${why} (${statusCode} ${String(body).slice(0, 120)})`);
  }
  done();
});
