/** Checks of what stays behind after a DELETE: media, files, members, and their links. */
import { CheckSkip, expectStatus, expectThat, shown } from '../../answer.ts';
import { type Check, contractRule, referenceRule } from '../../check.ts';
import { makeUpload } from '../uploads/uploading.ts';
import { freshRecord, linksOf } from './followed-links.ts';
import { inJson, readBack, remove } from './record-kinds.ts';
import { itemsOf, numberIn, valueIn } from '../../record-members.ts';
import { sources, writing } from './writing-check.ts';

const nodeAndMedia = ['createNode', 'putNodeMedia', 'getMedia'];

export const aftermathChecks: readonly Check[] = [
  writing({
    ...referenceRule('delete.node.keeps-media', sources.recorded),
    rule: 'The media of a deleted node stay, and their reference to it is a target_id alone.',
    operations: [...nodeAndMedia, 'deleteNode'],
    run: async (context) => {
      const { node, media } = await makeUpload(context);
      expectStatus(await remove(context, { path: `/node/${node.id}` }), 204);
      const record = await freshRecord(context, media.path);
      expectThat(
        valueIn(record, 'field_media_of', 'target_id') === node.id,
        `"field_media_of" is ${shown(record['field_media_of'])}.`,
      );
      const [item = {}] = itemsOf(record, 'field_media_of');
      expectThat(item['url'] === undefined, `The reference to a deleted node has the url ${shown(item['url'])}.`);
    },
  }),
  writing({
    ...contractRule('delete.media.link-vanishes', sources.links),
    rule: 'After the DELETE of a media its node has no link to it any more.',
    operations: [...nodeAndMedia, 'deleteMedia', 'getNode'],
    run: async (context) => {
      const { node, media } = await makeUpload(context);
      const target = context.baseUrl + media.path;
      const links = async () => (await linksOf(context, `/node/${node.id}`)).filter((link) => link.target === target);
      if ((await links()).length === 0) throw new CheckSkip('The node has no link to its media.');
      expectStatus(await remove(context, media), 204);
      expectThat((await links()).length === 0, `The node still links to ${target}.`);
    },
  }),
  writing({
    ...referenceRule('delete.media.keeps-file', sources.recorded),
    rule: 'The file of a deleted media stays.',
    operations: [...nodeAndMedia, 'deleteMedia', 'getFile'],
    run: async (context) => {
      const { media, fileId, scheme } = await makeUpload(context, { isOfAnyNode: true });
      if (scheme !== 'public') throw new CheckSkip('Only a public file can be read without its media.');
      expectStatus(await remove(context, media), 204);
      expectStatus(await context.ask({ path: inJson(`/entity/file/${fileId}`), as: context.maker() }), 200);
    },
  }),
  writing({
    ...contractRule('delete.file.content-vanishes', sources.lifecycle),
    rule: 'After the DELETE of a file its content answers 404.',
    operations: [...nodeAndMedia, 'deleteFile'],
    run: async (context) => {
      const { content, fileId } = await makeUpload(context, { isOfAnyNode: true });
      expectStatus(await context.ask({ path: content, as: context.maker() }), 200);
      expectStatus(await remove(context, { path: `/entity/file/${fileId}` }), 204);
      expectStatus(await context.ask({ path: content, as: context.maker(), isJudged: false }), 404);
    },
  }),
  writing({
    ...referenceRule('delete.file.keeps-media', sources.recorded),
    rule: 'The media of a deleted file stays, without a link to its content.',
    operations: [...nodeAndMedia, 'deleteFile'],
    run: async (context) => {
      const { media, fileId } = await makeUpload(context, { isOfAnyNode: true });
      expectStatus(await remove(context, { path: `/entity/file/${fileId}` }), 204);
      const describes = (await linksOf(context, media.path)).filter(({ rel }) => rel === 'describes');
      expectThat(describes.length === 0, `It still links to ${shown(describes[0]?.target)}.`);
    },
  }),
  writing({
    ...contractRule('delete.node.keeps-members', sources.links),
    rule: 'A member of a deleted collection stays, and has no link to it.',
    operations: ['createNode', 'deleteNode', 'getNode'],
    run: async (context) => {
      const collection = await context.workspace.node();
      const member = await context.workspace.node({
        field_member_of: [{ target_id: collection.id, target_type: 'node' }],
      });
      const related = async () => {
        const links = await linksOf(context, `/node/${member.id}`);
        return links.filter(
          ({ rel, target }) => rel === 'related' && target === `${context.baseUrl}/node/${collection.id}`,
        );
      };
      if ((await related()).length === 0) throw new CheckSkip('A member has no link to its collection.');
      expectStatus(await remove(context, { path: `/node/${collection.id}` }), 204);
      expectThat((await related()).length === 0, 'The member still links to the deleted collection.');
      const record = await readBack(context, { path: `/node/${member.id}` });
      expectThat(numberIn(record, 'nid') === member.id, 'The member is another node.');
    },
  }),
];
