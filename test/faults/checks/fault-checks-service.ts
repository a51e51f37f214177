/** Checks the faults that only this service has, such as an expired token. */
import type { components } from '../../../src/client/generated/contract.ts';
import { basicCredentials } from '../../../src/basics/formats/basic-credentials.ts';
import {
  contentAddress,
  sourceOf,
  json,
  expectThat,
  expectReset,
  expectStatus,
  type CheckedWorld,
  type FaultCheck,
} from './fault-check.ts';
import type { ReceivedReply } from '../../support/raw-client.ts';
import { unexpectedErrorMessage } from '../../../src/openapi/openapi-terms.ts';

/** A node of the `starter` fixture, a media of it, and its file. Anonymous visitors see only the node. */
const node = '/node/5?_format=json';
const media = '/media/1?_format=json';
const file = '/entity/file/1?_format=json';

const tokenOf = async (world: CheckedWorld): Promise<{ Authorization: string }> => {
  const reply = await world.request('GET', '/jwt/token?_format=json');
  expectStatus(200, 'A token', reply);
  const { token } = JSON.parse(reply.body) as components['schemas']['Token']; // the document says so
  return { Authorization: `Bearer ${token}` };
};

const retitle = (world: CheckedWorld, title: string): Promise<ReceivedReply> =>
  world.request('PATCH', node, {
    headers: { 'Content-Type': json },
    body: JSON.stringify({ type: [{ target_id: 'islandora_object' }], title: [{ value: title }] }),
  });

const firstTarget = async (world: CheckedWorld, path: string, field: string): Promise<number> => {
  const record = JSON.parse((await world.request('GET', path)).body) as Record<string, { target_id: number }[]>; // a record's references
  return record[field]?.[0]?.target_id ?? 0;
};

export const serviceChecks: Readonly<Record<string, FaultCheck>> = {
  'token-expires': async (world) => {
    await world.add({ fault: 'token-expires', parameters: { requests: 2 } });
    const headers = await tokenOf(world);
    expectStatus(200, 'The first request with a token', await world.request('GET', media, { headers }));
    expectStatus(200, 'The second', await world.request('GET', media, { headers }));
    expectStatus(403, 'The third, after it has expired,', await world.request('GET', media, { headers }));
    expectStatus(200, 'A node that everyone may see', await world.request('GET', node, { headers }));
    expectStatus(
      200,
      'A request with a new token',
      await world.request('GET', media, { headers: await tokenOf(world) }),
    );
  },

  'role-removed': async (world) => {
    await world.add({ fault: 'role-removed', parameters: { requests: 1 } });
    expectStatus(200, 'The first change', await retitle(world, 'Changed once'));
    expectStatus(403, 'The second, without a role,', await retitle(world, 'Changed twice'));
    expectStatus(403, 'A media that needs the permission', await world.request('GET', media));
    const seen = await world.request('GET', node);
    expectThat(
      seen.status === 200 && seen.body.includes('Changed once'),
      'The first change alone should be there',
      seen,
    );
    await world.clear();
    expectStatus(200, 'A change with the role given back', await retitle(world, 'Changed again'));
  },

  'upload-answer-lost': async (world) => {
    const upload = (): Promise<ReceivedReply> =>
      world.request('PUT', '/node/5/media/file/14', {
        headers: { 'Content-Type': 'text/plain', 'Content-Location': 'public://lost/answer.txt' },
        body: 'Stored all the same.',
      });
    await world.add({ fault: 'upload-answer-lost', count: 1 });
    expectReset('The answer to the upload', await upload());
    expectStatus(204, 'The same upload again, which finds a media,', await upload());
    const content = await world.request('GET', '/sites/default/files/lost/answer.txt');
    expectThat(content.body === 'Stored all the same.', 'The content should be there', content);
  },

  'media-file-gone': async (world) => {
    const whole = await world.request('GET', media);
    const address = contentAddress(whole);
    await world.add({ fault: 'media-file-gone', parameters: { media: 1 } });
    const record = await world.request('GET', media);
    expectStatus(200, 'The media', record);
    const source = sourceOf(record);
    expectThat('target_id' in source && !('url' in source), 'Its reference should dangle', record);
    expectThat(!(record.headers['link'] ?? '').includes(address), 'No link should lead to the content', record);
    expectStatus(404, 'The file', await world.request('GET', file));
    expectStatus(404, 'The content', await world.request('GET', address));
    await world.clear();
    await world.add({ fault: 'media-file-gone', parameters: { media: 1, gone: 'bytes' } });
    expectStatus(200, 'The record of a file that has lost its bytes', await world.request('GET', file));
    expectStatus(404, 'Its content', await world.request('GET', address));
    await world.clear();
    expectStatus(200, 'The content without the fault', await world.request('GET', address));
  },

  'unused-file-open': async (world) => {
    const address = contentAddress(await world.request('GET', media));
    const headers = { Authorization: basicCredentials('plain', 'plain') };
    await world.add({ fault: 'unused-file-open' });
    expectStatus(403, 'The content while a media uses the file', await world.request('GET', address, { headers }));
    expectStatus(204, 'The deletion of the media', await world.request('DELETE', media));
    expectStatus(200, 'The content afterwards', await world.request('GET', address, { headers }));
    await world.clear();
    expectStatus(403, 'The content without the fault', await world.request('GET', address, { headers }));
  },

  // What the site does afterwards, and that it fails: `test/living/reactions.test.ts`.
  'reaction-fails': async (world) => {
    await world.add({ fault: 'reaction-fails' });
    const deleted = await world.request('DELETE', media);
    expectStatus(204, 'The deletion of a media, which is answered as ever,', deleted);
    expectThat(deleted.headers['atoll-fault'] === 'reaction-fails', 'Its answer should name the fault', deleted);
    await world.clear();
  },

  'type-term-deleted': async (world) => {
    const graphs = ['/node/5?_format=jsonld', '/media/1?_format=jsonld'];
    const expectGraphs = async (status: number, subject: string) => {
      for (const graph of graphs) expectStatus(status, `${subject}, ${graph},`, await world.request('GET', graph));
    };
    await world.add({ fault: 'type-term-deleted' });
    await expectGraphs(200, 'A graph with all its terms');
    const headers = { Authorization: basicCredentials('admin', 'islandora') };
    const terms = await Promise.all([
      firstTarget(world, node, 'field_model'),
      firstTarget(world, media, 'field_media_use'),
    ]);
    for (const term of terms) {
      const address = `/taxonomy/term/${term}?_format=json`;
      expectStatus(204, 'The deletion of the term', await world.request('DELETE', address, { headers }));
    }
    await expectGraphs(500, 'A graph without its term');
    expectStatus(200, 'The node as JSON', await world.request('GET', node));
    await world.clear();
    await expectGraphs(200, 'A graph without the fault');
  },

  'stale-reads': async (world) => {
    await world.add({ fault: 'stale-reads' });
    const before = await world.request('GET', node);
    const place = { 'Content-Type': 'text/plain', 'Content-Location': 'public://stale/reads.txt' };
    expectStatus(
      201,
      'An upload',
      await world.request('PUT', '/node/5/media/file/14', { headers: place, body: 'New.' }),
    );
    const after = await world.request('GET', node);
    expectThat(after.headers['link'] === before.headers['link'], 'The node should not show the new media', after);
    expectStatus(200, 'A change of the node', await retitle(world, 'Saved after the upload'));
    const saved = await world.request('GET', node);
    expectThat(saved.headers['link'] !== before.headers['link'], 'The saved node should show the new media', saved);
  },

  'link-target-deleted': async (world) => {
    await world.add({ fault: 'link-target-deleted', parameters: { title: 'Original File' } });
    const read = await world.request('GET', node);
    const target = /<([^>]*)>; rel="related"; title="Original File"/.exec(read.headers['link'] ?? '')?.[1];
    expectThat(target !== undefined, 'The node should link to its original file', read);
    const followed = await world.request('GET', `${target ?? ''}?_format=json`);
    expectStatus(404, 'What the link leads to', followed);
    expectThat(
      followed.body.includes('parameter was not converted'),
      'Its body should be that of a deleted record',
      followed,
    );
    const again = await world.request('GET', node);
    expectThat(!(again.headers['link'] ?? '').includes(`<${target ?? ''}>`), 'The link should be gone by now', again);
    await world.clear();
    expectStatus(200, 'The target without the fault', await world.request('GET', `${target ?? ''}?_format=json`));
  },

  'maintenance-page': async (world) => {
    for (const status of [503, 200]) {
      await world.add({ fault: 'maintenance-page', parameters: { status }, count: 1 });
      const page = await world.request('GET', node);
      expectStatus(status, 'The page', page);
      expectThat(page.headers['content-type'] === 'text/html; charset=UTF-8', 'It should be HTML', page);
      expectThat(page.body.includes('<title>Site under maintenance</title>'), 'It should say why', page);
    }
    expectStatus(200, 'The answer afterwards', await world.request('GET', node));
  },

  'unexpected-error': async (world) => {
    await world.add({ fault: 'unexpected-error', operations: ['updateNode'] });
    const failed = await retitle(world, 'Never stored');
    expectStatus(500, 'The change', failed);
    expectThat(failed.headers['content-type'] === 'text/plain; charset=UTF-8', 'It should be plain text', failed);
    expectThat(failed.body === unexpectedErrorMessage, 'It should be the message of the real site', failed);
    const seen = await world.request('GET', node);
    expectThat(seen.status === 200 && !seen.body.includes('Never stored'), 'Nothing should have been changed', seen);
  },
};
