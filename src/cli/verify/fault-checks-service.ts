/** What the faults of this service do, as a client meets them. What they are made of is not known here. */
import { unexpectedErrorMessage } from '../../problem.ts';
import {
  contentAddress,
  sourceOf,
  json,
  parsed,
  expectThat,
  requireReset,
  requireStatus,
  type CheckedWorld,
  type FaultCheck,
} from './fault-check.ts';
import type { ReceivedReply } from './raw-client.ts';

/** Of the `starter` fixture: a node, a media of it, and the file of that. Anonymous visitors see the node only. */
const node = '/node/5?_format=json';
const media = '/media/1?_format=json';
const file = '/entity/file/1?_format=json';

const tokenOf = async (world: CheckedWorld): Promise<{ Authorization: string }> => {
  const met = await world.ask('GET', '/jwt/token?_format=json');
  requireStatus(200, 'A token', met);
  const { token } = parsed(met) as { token: string }; // contract: Authentication 3
  return { Authorization: `Bearer ${token}` };
};

const tokenExpires: FaultCheck = async (world) => {
  await world.add({ fault: 'token-expires', parameters: { requests: 2 } });
  const headers = await tokenOf(world);
  requireStatus(200, 'The first request with a token', await world.ask('GET', media, { headers }));
  requireStatus(200, 'The second', await world.ask('GET', media, { headers }));
  requireStatus(403, 'The third, after it has expired,', await world.ask('GET', media, { headers }));
  requireStatus(200, 'What anybody may see', await world.ask('GET', node, { headers }));
  requireStatus(200, 'A request with a new token', await world.ask('GET', media, { headers: await tokenOf(world) }));
};

const retitle = (world: CheckedWorld, title: string): Promise<ReceivedReply> =>
  world.ask('PATCH', node, {
    headers: { 'Content-Type': json },
    body: JSON.stringify({ type: [{ target_id: 'islandora_object' }], title: [{ value: title }] }),
  });

const roleRemoved: FaultCheck = async (world) => {
  await world.add({ fault: 'role-removed', parameters: { requests: 1 } });
  requireStatus(200, 'The first change', await retitle(world, 'Changed once'));
  requireStatus(403, 'The second, without a role,', await retitle(world, 'Changed twice'));
  requireStatus(403, 'A media that needs the permission', await world.ask('GET', media));
  const seen = await world.ask('GET', node);
  expectThat(seen.status === 200 && seen.body.includes('Changed once'), 'The first change alone should be there', seen);
  await world.clear();
  requireStatus(200, 'A change with the role given back', await retitle(world, 'Changed again'));
};

const uploadAnswerLost: FaultCheck = async (world) => {
  const upload = (): Promise<ReceivedReply> =>
    world.ask('PUT', '/node/5/media/file/14', {
      headers: { 'Content-Type': 'text/plain', 'Content-Location': 'public://lost/answer.txt' },
      body: 'Stored all the same.',
    });
  await world.add({ fault: 'upload-answer-lost', count: 1 });
  requireReset('The answer to the upload', await upload());
  requireStatus(204, 'The same upload again, which finds a media,', await upload());
  const content = await world.ask('GET', '/sites/default/files/lost/answer.txt');
  expectThat(content.body === 'Stored all the same.', 'The content should be there', content);
};

const mediaFileGone: FaultCheck = async (world) => {
  const whole = await world.ask('GET', media);
  const address = contentAddress(whole);
  await world.add({ fault: 'media-file-gone', parameters: { media: 1 } });
  const record = await world.ask('GET', media);
  requireStatus(200, 'The media', record);
  const source = sourceOf(record);
  expectThat('target_id' in source && !('url' in source), 'Its reference should dangle', record);
  expectThat(!(record.headers['link'] ?? '').includes(address), 'No link should lead to the content', record);
  requireStatus(404, 'The file', await world.ask('GET', file));
  requireStatus(404, 'The content', await world.ask('GET', address));
  await world.clear();
  await world.add({ fault: 'media-file-gone', parameters: { media: 1, gone: 'bytes' } });
  requireStatus(200, 'The record of a file that has lost its bytes', await world.ask('GET', file));
  requireStatus(404, 'Its content', await world.ask('GET', address));
  await world.clear();
  requireStatus(200, 'The content without the fault', await world.ask('GET', address));
};

const linkTargetDeleted: FaultCheck = async (world) => {
  await world.add({ fault: 'link-target-deleted', parameters: { title: 'Original File' } });
  const read = await world.ask('GET', node);
  const target = /<([^>]*)>; rel="related"; title="Original File"/.exec(read.headers['link'] ?? '')?.[1];
  expectThat(target !== undefined, 'The node should link to its original file', read);
  const followed = await world.ask('GET', `${target ?? ''}?_format=json`);
  requireStatus(404, 'What the link leads to', followed);
  expectThat(
    followed.body.includes('parameter was not converted'),
    'Its body should be that of a deleted record',
    followed,
  );
  const again = await world.ask('GET', node);
  expectThat(!(again.headers['link'] ?? '').includes(`<${target ?? ''}>`), 'The link should be gone by now', again);
  await world.clear();
  requireStatus(200, 'The target without the fault', await world.ask('GET', `${target ?? ''}?_format=json`));
};

const maintenancePage: FaultCheck = async (world) => {
  for (const status of [503, 200]) {
    await world.add({ fault: 'maintenance-page', parameters: { status }, count: 1 });
    const page = await world.ask('GET', node);
    requireStatus(status, 'The page', page);
    expectThat(page.headers['content-type'] === 'text/html; charset=UTF-8', 'It should be HTML', page);
    expectThat(page.body.includes('<title>Site under maintenance</title>'), 'It should say why', page);
  }
  requireStatus(200, 'The answer afterwards', await world.ask('GET', node));
};

const unexpectedError: FaultCheck = async (world) => {
  await world.add({ fault: 'unexpected-error', operations: ['updateNode'] });
  const failed = await retitle(world, 'Never stored');
  requireStatus(500, 'The change', failed);
  expectThat(failed.headers['content-type'] === 'text/plain; charset=UTF-8', 'It should be plain text', failed);
  expectThat(failed.body === unexpectedErrorMessage, "It should be the reference's sentence", failed);
  const seen = await world.ask('GET', node);
  expectThat(seen.status === 200 && !seen.body.includes('Never stored'), 'Nothing should have been changed', seen);
};

export const serviceChecks: Readonly<Record<string, FaultCheck>> = {
  'token-expires': tokenExpires,
  'role-removed': roleRemoved,
  'upload-answer-lost': uploadAnswerLost,
  'media-file-gone': mediaFileGone,
  'link-target-deleted': linkTargetDeleted,
  'maintenance-page': maintenancePage,
  'unexpected-error': unexpectedError,
};
