/** Checks of what stays behind after a DELETE: media, files, members, and their links. */
import { CheckSkip, expectSame, expectStatus } from '../../answer.ts';
import type { Check, CheckContext } from '../../check.ts';
import { makeUpload, type Upload } from '../uploads/uploading.ts';
import { freshRecord, linksOf } from './followed-links.ts';
import { readBack, remove } from './record-kinds.ts';
import { itemsOf, valueIn } from '../../record-members.ts';
import { contractRule, referenceRule, checksOf, checksThatWrite, sources, type Rule } from '../../rule.ts';

/** Where a record links to another one, it must not any more after its DELETE. */
const vanishes = async (
  context: CheckContext,
  [from, to]: readonly [from: string, to: string],
  deleted: string,
): Promise<void> => {
  const count = async (): Promise<number> =>
    (await linksOf(context, from)).filter(({ target }) => target === context.baseUrl + to).length;
  if ((await count()) === 0) throw new CheckSkip(`${from} has no link to ${to}.`);
  expectStatus(await remove(context, { path: deleted }), 204);
  expectSame(await count(), 0, `The number of links to ${to}`);
};

const ofUploads: readonly Rule<Upload>[] = [
  referenceRule('node.keeps-media', sources.recorded)(
    'The media of a deleted node stay, and their reference to it is a target_id alone.',
    async ({ node, media }, context) => {
      expectStatus(await remove(context, { path: `/node/${node.id}` }), 204);
      const [item = {}] = itemsOf(await freshRecord(context, media.path), 'field_media_of');
      expectSame(item['target_id'], node.id, '"field_media_of"');
      expectSame(item['url'], undefined, 'The url of the reference to a deleted node');
    },
    { also: ['deleteNode'] },
  ),
  contractRule('media.link-vanishes', sources.links)(
    'After the DELETE of a media its node has no link to it any more.',
    ({ node, media }, context) => vanishes(context, [`/node/${node.id}`, media.path], media.path),
    { also: ['deleteMedia', 'getNode'] },
  ),
  referenceRule('media.keeps-file', sources.recorded)(
    'The file of a deleted media stays.',
    async ({ media, fileId, scheme }, context) => {
      if (scheme !== 'public') throw new CheckSkip('Only a public file can be read without its media.');
      expectStatus(await remove(context, media), 204);
      await readBack(context, { path: `/entity/file/${fileId}` });
    },
    { also: ['deleteMedia', 'getFile'] },
  ),
  contractRule('file.content-vanishes', sources.lifecycle)(
    'After the DELETE of a file its content answers 404.',
    async ({ content, fileId }, context) => {
      expectStatus(await context.ask({ path: content, as: context.maker() }), 200);
      expectStatus(await remove(context, { path: `/entity/file/${fileId}` }), 204);
      expectStatus(await context.ask({ path: content, as: context.maker(), isJudged: false }), 404);
    },
    { also: ['deleteFile'] },
  ),
  referenceRule('file.keeps-media', sources.recorded)(
    'The media of a deleted file stays, without a link to its content.',
    async ({ media, fileId }, context) => {
      expectStatus(await remove(context, { path: `/entity/file/${fileId}` }), 204);
      const describes = (await linksOf(context, media.path)).find(({ rel }) => rel === 'describes');
      expectSame(describes?.target, undefined, 'The content that it links to');
    },
    { also: ['deleteFile'] },
  ),
];

const keepsMembers = contractRule('delete.node.keeps-members', sources.links)(
  'A member of a deleted collection stays, and has no link to it.',
  async (context) => {
    const { id: target_id } = await context.workspace.node();
    const collection = `/node/${target_id}`;
    const { id } = await context.workspace.node({ field_member_of: [{ target_id, target_type: 'node' }] });
    await vanishes(context, [`/node/${id}`, collection], collection);
    expectSame(valueIn(await readBack(context, { path: `/node/${id}` }), 'nid'), id, 'The member');
  },
  { also: ['createNode', 'deleteNode', 'getNode'] },
);

export const aftermathChecks: readonly Check[] = [
  ...checksOf(
    {
      ...{ topic: 'delete', isWriting: true, operations: ['createNode', 'putNodeMedia', 'getMedia'] },
      // A node that is deleted or looked at has no other media.
      see: (context, name) => makeUpload(context, { isOfAnyNode: !/^node|link/.test(name) }),
    },
    ofUploads,
  ),
  ...checksThatWrite([keepsMembers]),
];
