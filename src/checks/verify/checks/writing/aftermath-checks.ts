/** Checks of what stays behind after a DELETE: media, files, members, and their links. */
import { CheckSkip, expectSame, expectStatus } from '../../answer.ts';
import { type Check, type CheckContext, contractRule, referenceRule } from '../../check.ts';
import { makeUpload, type Upload } from '../uploads/uploading.ts';
import { freshRecord, linksOf } from './followed-links.ts';
import { readBack, remove } from './record-kinds.ts';
import { itemsOf, valueIn } from '../../record-members.ts';
import { seenChecks, type SeenRule, sources, writing } from './writing-check.ts';

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

const ofUploads: readonly SeenRule<Upload>[] = [
  {
    ...referenceRule('node.keeps-media', sources.recorded),
    rule: 'The media of a deleted node stay, and their reference to it is a target_id alone.',
    also: ['deleteNode'],
    see: async ({ node, media }, context) => {
      expectStatus(await remove(context, { path: `/node/${node.id}` }), 204);
      const [item = {}] = itemsOf(await freshRecord(context, media.path), 'field_media_of');
      expectSame(item['target_id'], node.id, '"field_media_of"');
      expectSame(item['url'], undefined, 'The url of the reference to a deleted node');
    },
  },
  {
    ...contractRule('media.link-vanishes', sources.links),
    rule: 'After the DELETE of a media its node has no link to it any more.',
    also: ['deleteMedia', 'getNode'],
    see: ({ node, media }, context) => vanishes(context, [`/node/${node.id}`, media.path], media.path),
  },
  {
    ...referenceRule('media.keeps-file', sources.recorded),
    rule: 'The file of a deleted media stays.',
    also: ['deleteMedia', 'getFile'],
    see: async ({ media, fileId, scheme }, context) => {
      if (scheme !== 'public') throw new CheckSkip('Only a public file can be read without its media.');
      expectStatus(await remove(context, media), 204);
      await readBack(context, { path: `/entity/file/${fileId}` });
    },
  },
  {
    ...contractRule('file.content-vanishes', sources.lifecycle),
    rule: 'After the DELETE of a file its content answers 404.',
    also: ['deleteFile'],
    see: async ({ content, fileId }, context) => {
      expectStatus(await context.ask({ path: content, as: context.maker() }), 200);
      expectStatus(await remove(context, { path: `/entity/file/${fileId}` }), 204);
      expectStatus(await context.ask({ path: content, as: context.maker(), isJudged: false }), 404);
    },
  },
  {
    ...referenceRule('file.keeps-media', sources.recorded),
    rule: 'The media of a deleted file stays, without a link to its content.',
    also: ['deleteFile'],
    see: async ({ media, fileId }, context) => {
      expectStatus(await remove(context, { path: `/entity/file/${fileId}` }), 204);
      const describes = (await linksOf(context, media.path)).find(({ rel }) => rel === 'describes');
      expectSame(describes?.target, undefined, 'The content that it links to');
    },
  },
];

export const aftermathChecks: readonly Check[] = [
  ...seenChecks(
    {
      ...{ topic: 'delete', operations: ['createNode', 'putNodeMedia', 'getMedia'] },
      // A node that is deleted or looked at has no other media.
      seenBy: (context, name) => makeUpload(context, { isOfAnyNode: !/^node|link/.test(name) }),
    },
    ofUploads,
  ),
  writing({
    ...contractRule('delete.node.keeps-members', sources.links),
    rule: 'A member of a deleted collection stays, and has no link to it.',
    operations: ['createNode', 'deleteNode', 'getNode'],
    run: async (context) => {
      const { id: target_id } = await context.workspace.node();
      const collection = `/node/${target_id}`;
      const { id } = await context.workspace.node({ field_member_of: [{ target_id, target_type: 'node' }] });
      await vanishes(context, [`/node/${id}`, collection], collection);
      expectSame(valueIn(await readBack(context, { path: `/node/${id}` }), 'nid'), id, 'The member');
    },
  }),
];
