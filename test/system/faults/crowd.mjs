/**
 * Sends 5,000 clients to a server that may open 1,024 files. Who was there before them is answered all the time. When they
 * have left, every kind of request is answered as before. Control: the server may take more connections than it has
 * descriptors.
 */
import { Agent, request } from 'node:http';
import { connect } from 'node:net';
import { pause, serve, workDirectory } from './support/program.mjs';
import { acknowledged, expect, finish, isControl, isShort, round } from './support/report.mjs';

const clients = isShort || isControl ? 1500 : 5000;
const prefix = ['sh', '-c', 'ulimit -n 1024 && exec "$@"', 'sh'];
const args = isControl ? ['--max-connections', '100000'] : [];
const server = await serve(`${workDirectory()}/data`, { prefix, args });
const { url } = server;

/** One connection, which was there before the crowd. `fetch` would open others. */
const agent = new Agent({ keepAlive: true, maxSockets: 1 });
const authorization = `Basic ${Buffer.from('admin:islandora').toString('base64')}`;
/** Status 0 when no answer came. */
const ask = (method, path, body, headers = { 'content-type': 'application/json' }) =>
  new Promise((resolve) => {
    const sent = request(url + path, { method, agent, headers: { authorization, ...headers } }, (response) => {
      const pieces = [];
      response.on('data', (piece) => pieces.push(piece));
      response.on('end', () => {
        const { statusCode: status, headers: received } = response;
        resolve({ status, text: Buffer.concat(pieces).toString(), location: received.location ?? '' });
      });
    });
    sent.on('error', (error) => resolve({ status: 0, text: error.message, location: '' }));
    sent.end(body);
  });

const nodeBody = (title) =>
  JSON.stringify({
    type: [{ target_id: 'islandora_object' }],
    title: [{ value: title }],
    field_model: [{ target_id: 24 }],
    field_edtf_date_created: [{ value: '1999-12' }],
  });

/** What needs code that is loaded late, and files. */
const askEverything = async (when) => {
  const node = await ask('POST', '/node?_format=json', nodeBody('under pressure'));
  const path = new URL(node.location || url).pathname;
  const asText = { 'content-type': 'text/plain', 'content-location': `public://crowd/${when.length}.txt` };
  const answers = {
    'POST /node': [201, node],
    'PATCH /node': [200, await ask('PATCH', `${path}?_format=json`, nodeBody('changed'))],
    'PUT of a file': [201, await ask('PUT', `${path}/media/file/16`, 'some bytes', asText)],
    'JSON-LD': [200, await ask('GET', `${path}?_format=jsonld`)],
    'a token': [200, await ask('GET', '/jwt/token')],
    'the older document': [200, await ask('GET', '/openapi-3.0.json')],
  };
  for (const [what, [wanted, { status, text }]] of Object.entries(answers)) {
    expect(status === wanted, `${when}, ${what} was answered ${status}: ${text.slice(0, 200)}`);
    if (status === wanted) acknowledged(1);
  }
};

await ask('GET', '/node/1?_format=json');
const { port } = new URL(url);
const crowd = [];
for (let number = 0; number < clients; number += 1) {
  crowd.push(connect(Number(port), 'localhost').on('error', () => undefined));
  if (number % 250 === 0) await pause(20);
}
await pause(2000);
await askEverything('while they are there');
await pause(isShort || isControl ? 2000 : 10_000);
for (const socket of crowd) socket.destroy();
await pause(2000);
await askEverything('when they have left');
round();
expect(!server.log().includes('EMFILE'), `the log says ${server.log().slice(0, 300)}`);
const { text } = await ask('GET', '/_atoll/health');
expect(text.includes('"status":"ok"'), `health says ${text}`);
agent.destroy();
expect((await server.stop()).code === 0, 'the process ended badly');
finish();
