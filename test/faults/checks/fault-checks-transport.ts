/** Checks the faults that any network has, such as a reset connection. */
import {
  contentAddress,
  json,
  expectThat,
  expectReset,
  expectStatus,
  type CheckedWorld,
  type FaultCheck,
} from './fault-check.ts';
import type { ReceivedReply } from '../../support/raw-client.ts';

/** A node and an image of the `starter` fixture. */
const node = '/node/5?_format=json';
const picture = '/media/1/source';

/** 24 is the term of the model "Image" in the default site. */
const type = [{ target_id: 'islandora_object' }];
const createNode = (world: CheckedWorld) =>
  world.request('POST', '/node?_format=json', {
    headers: { 'Content-Type': json },
    body: JSON.stringify({ type, title: [{ value: 'Made by a check' }], field_model: [{ target_id: 24 }] }),
  });

const createdId = (reply: ReceivedReply): number => Number(/\/(\d+)$/.exec(reply.headers['location'] ?? '')?.[1]);

export const transportChecks: Readonly<Record<string, FaultCheck>> = {
  latency: async (world) => {
    await world.add({ fault: 'latency', parameters: { ms: 150 }, operations: ['getNode'] });
    const reply = await world.request('GET', node);
    expectStatus(200, 'The late answer', reply);
    expectThat(reply.ms >= 150, `An answer after ${Math.round(reply.ms)} ms should have taken 150`, reply);
  },

  status: async (world) => {
    await world.add({ fault: 'status', parameters: { status: 404 }, operations: ['getNode'], count: 1 });
    await world.add({ fault: 'status', parameters: { status: 418, message: 'Short and stout.' }, path: '/media/*' });
    const documented = await world.request('GET', node);
    expectStatus(404, 'The first answer', documented);
    expectThat(
      /was not converted for the path/.test(documented.body),
      'Its body should be the one of the document',
      documented,
    );
    expectStatus(200, 'The answer after the one that was asked for', await world.request('GET', node));
    const custom = await world.request('GET', '/media/1?_format=json');
    expectStatus(418, 'An answer that no document has', custom);
    expectThat(custom.body === '{"message":"Short and stout."}', 'It should have the message', custom);
  },

  'connection-reset': async (world) => {
    const before = await createNode(world);
    expectStatus(201, 'A first node', before);
    await world.add({ fault: 'connection-reset', operations: ['createNode'], count: 1 });
    expectReset('The answer to a second one', await createNode(world));
    const after = await createNode(world);
    expectThat(createdId(after) === createdId(before) + 1, 'The request that was cut should have made nothing', after);
  },

  'cut-upload': async (world) => {
    const record = await world.request('GET', '/media/1?_format=json');
    const address = contentAddress(record);
    const before = await world.request('GET', address);
    expectStatus(200, 'The content before', before);
    await world.add({ fault: 'cut-upload', parameters: { afterBytes: 100_000 }, operations: ['putMediaSource'] });
    const upload = { headers: { 'Content-Type': 'image/png' }, body: Buffer.alloc(400_000, 'new bytes ') };
    const cut = await world.request('PUT', picture, upload);
    // The error depends on whether the client is still writing when the connection ends.
    expectThat(
      cut.status === undefined && cut.error !== undefined,
      'The upload should end in a broken connection',
      cut,
    );
    const kept = await world.request('GET', address);
    expectThat(kept.status === 200 && kept.body === before.body, 'The old content should be there unchanged', kept);
    await world.clear();
    expectStatus(204, 'The upload that is repeated', await world.request('PUT', picture, upload));
  },

  'slow-upload': async (world) => {
    const upload = { headers: { 'Content-Type': 'image/png' }, body: Buffer.alloc(400_000, 'new bytes ') };
    await world.add({ fault: 'slow-upload', parameters: { bytesPerSecond: 800_000 }, operations: ['putMediaSource'] });
    const slow = await world.request('PUT', picture, upload);
    expectStatus(204, 'The slow upload', slow);
    expectThat(slow.ms >= 400, `It took ${Math.round(slow.ms)} ms and should take 500`, slow);
    const stored = await world.request('GET', contentAddress(await world.request('GET', '/media/1?_format=json')));
    expectThat(stored.body === upload.body.toString(), 'All of it should be stored', stored);
  },

  'cut-answer': async (world) => {
    const whole = await world.request('GET', node);
    await world.add({ fault: 'cut-answer', operations: ['getNode'] });
    const cut = await world.request('GET', node);
    expectThat(cut.status === 200 && cut.error !== undefined, 'The answer should begin and break off', cut);
    expectThat(cut.headers['content-length'] === String(whole.bytes), 'Its head should promise all of it', cut);
    expectThat(cut.bytes === Math.floor(whole.bytes / 2), `Half of ${whole.bytes} bytes should arrive`, cut);
  },

  'slow-answer': async (world) => {
    const whole = await world.request('GET', node);
    const bytesPerSecond = whole.bytes * 2;
    await world.add({ fault: 'slow-answer', parameters: { bytesPerSecond }, operations: ['getNode'] });
    const slow = await world.request('GET', node);
    expectStatus(200, 'The slow answer', slow);
    expectThat(slow.body === whole.body, 'It should arrive whole', slow);
    expectThat(slow.ms >= 400, `It took ${Math.round(slow.ms)} ms and should take 500`, slow);
  },
};
