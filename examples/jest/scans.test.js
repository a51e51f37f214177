/** Jest as it comes, CommonJS: one server a file, a world of its own for every test. */
const request = require('supertest');
const { startAtoll } = require('atoll-server');
const { createScans } = require('./scans.js');

const picture = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

let atoll;
let token;
let world;
beforeAll(async () => {
  atoll = await startAtoll();
});
afterAll(() => atoll.close());
beforeEach(async () => {
  world = await atoll.world();
  token = await world.token('editor');
});
afterEach(() => world.drop());

const scans = (credentials = token) => createScans({ repository: world.url, token: credentials });

test('the server answers what the contract says: 200 with typed links', async () => {
  const response = await request(world.url).get('/node/1?_format=json').expect(200).expect('Content-Type', /json/);
  expect(response.body.nid).toEqual([{ value: 1 }]);
  expect(response.headers.link).toContain('rel="canonical"');
});

test('a scan is added with its picture', async () => {
  const address = await scans().add({ title: 'Plan of the quay', name: 'quay.png', bytes: picture });
  const { title, media } = await scans().show(address);
  expect(title).toBe('Plan of the quay');
  expect(media).toMatch(/\/media\/\d+/);
  expect((await world.traffic({ operation: 'putNodeMedia', status: '201' })).total).toBe(1);
});

test('nothing of it is seen by the next test', async () => {
  const { total } = await (await fetch(`${world.url}/_atoll/entities?type=node`)).json();
  await scans().add({ title: 'Another', name: 'another.png', bytes: picture });
  const after = await (await fetch(`${world.url}/_atoll/entities?type=node`)).json();
  expect(after.total).toBe(total + 1);
  await world.reset();
  expect((await (await fetch(`${world.url}/_atoll/entities?type=node`)).json()).total).toBe(total);
});

test('an upload whose answer is lost is sent again, and ends as one picture', async () => {
  await world.faults.add({ fault: 'upload-answer-lost', count: 1 });
  const address = await scans().add({ title: 'Lost', name: 'lost.png', bytes: picture });
  expect((await scans().show(address)).media).toBeDefined();
  const { entries } = await world.traffic({ operation: 'putNodeMedia' });
  expect(entries.map(({ status }) => status)).toContain(204);
});

test('who may not create is told so: 403', async () => {
  await expect(scans(await world.token('viewer')).add({ title: 'No', name: 'no.png', bytes: picture })).rejects.toThrow(
    '403',
  );
});

test('a token that has expired is refused: 403', async () => {
  await world.clock.advance(3 * 60 * 60);
  await expect(scans().add({ title: 'Late', name: 'late.png', bytes: picture })).rejects.toThrow('403');
});
