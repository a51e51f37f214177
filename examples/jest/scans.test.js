/** Jest as it comes, CommonJS: one server a file, a world of its own for every test, whose traffic a failed test shows. */
const request = require('supertest');
const { useAtoll } = require('atoll-server/jest');
const { createScans } = require('./scans.js');

const picture = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

const atoll = useAtoll();

/** As an account, in the world of the test that runs. */
const scansAs = async (account) =>
  createScans({ repository: atoll.world.url, token: await atoll.world.token(account) });

test('the server answers what the contract says: 200 with typed links', async () => {
  const response = await request(atoll.world.url)
    .get('/node/1?_format=json')
    .expect(200)
    .expect('Content-Type', /json/);
  expect(response.body.nid).toEqual([{ value: 1 }]);
  expect(response.headers.link).toContain('rel="canonical"');
});

test('a scan is added with its picture', async () => {
  const scans = await scansAs('editor');
  const address = await scans.add({ title: 'Plan of the quay', name: 'quay.png', bytes: picture });
  const { title, media } = await scans.show(address);
  expect(title).toBe('Plan of the quay');
  expect(media).toMatch(/\/media\/\d+/);
  expect((await atoll.world.traffic({ operation: 'putNodeMedia', status: '201' })).total).toBe(1);
});

test('nothing of it is seen by the next test', async () => {
  const { world } = atoll;
  const { total } = await (await fetch(`${world.url}/_atoll/entities?type=node`)).json();
  await (await scansAs('editor')).add({ title: 'Another', name: 'another.png', bytes: picture });
  const after = await (await fetch(`${world.url}/_atoll/entities?type=node`)).json();
  expect(after.total).toBe(total + 1);
  await world.reset();
  expect((await (await fetch(`${world.url}/_atoll/entities?type=node`)).json()).total).toBe(total);
});

test('an upload whose answer is lost is sent again, and ends as one picture', async () => {
  await atoll.world.faults.add({ fault: 'upload-answer-lost', count: 1 });
  const scans = await scansAs('editor');
  const address = await scans.add({ title: 'Lost', name: 'lost.png', bytes: picture });
  expect((await scans.show(address)).media).toBeDefined();
  const { entries } = await atoll.world.traffic({ operation: 'putNodeMedia' });
  expect(entries.map(({ status }) => status)).toContain(204);
});

test('who may not create is refused: 403', async () => {
  await expect((await scansAs('viewer')).add({ title: 'No', name: 'no.png', bytes: picture })).rejects.toThrow('403');
});

test('a token that has expired is refused: 403', async () => {
  const scans = await scansAs('editor');
  await atoll.world.clock.advance(3 * 60 * 60);
  await expect(scans.add({ title: 'Late', name: 'late.png', bytes: picture })).rejects.toThrow('403');
});
