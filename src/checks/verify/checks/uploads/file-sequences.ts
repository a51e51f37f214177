/** Checks of sequences around files: what uploads, replacements and deletions do to the links. Links are followed, not guessed. */
import { expectStatus, expectThat, shown } from '../../answer.ts';
import { type Check, type CheckContext, contractRule, referenceRule } from '../../check.ts';
import { idsIn, linksOf, onlyLink, pathOf } from '../writing/followed-links.ts';
import { inJson, readBack, remove } from '../writing/record-kinds.ts';
import { valueIn } from '../../record-members.ts';
import { linksToUse, makeUpload, put, readContent, sampleBytes, sharedUpload, type Upload } from './uploading.ts';
import { sources, writing } from '../writing/writing-check.ts';

/** From the node by links to the media, and from there to the content and the record of the file. */
const followed = async (context: CheckContext, upload: Upload) => {
  const links = await linksToUse(context, await linksOf(context, `/node/${upload.node.id}`), upload.use);
  const media = onlyLink(links, 'related to a media of the use', () => true);
  const mediaPath = pathOf(context, media);
  const mediaLinks = await linksOf(context, mediaPath);
  const describes = onlyLink(mediaLinks, 'with the relation describes', ({ rel }) => rel === 'describes');
  return { media, mediaPath, mediaLinks, describes, content: pathOf(context, describes) };
};

const upload = ['createNode', 'putNodeMedia', 'getNode', 'getMedia'];

export const fileSequences: readonly Check[] = [
  writing({
    ...contractRule('sequence.links-to-content', sources.links),
    operations: upload,
    rule: 'From a node the link related leads to its media, and from there describes leads to the bytes that were uploaded.',
    run: async (context) => {
      const made = await sharedUpload(context);
      const { content, describes } = await followed(context, made);
      const answer = await readContent(context, content);
      expectThat(Buffer.compare(answer.bytes, made.bytes) === 0, 'The content is not the bytes that were sent.');
      expectThat(
        describes.type === made.contentType,
        `The link has the type ${shown(describes.type)}, not ${made.contentType}.`,
      );
    },
  }),
  writing({
    ...contractRule('sequence.link-title', sources.links),
    operations: [...upload, 'getTerm'],
    rule: 'The link from a node to its media has the label of the media-use term as its title.',
    run: async (context) => {
      const made = await sharedUpload(context);
      const { media } = await followed(context, made);
      const label = valueIn(await readBack(context, { path: `/taxonomy/term/${made.use}` }), 'name');
      expectThat(media.title === label, `The title is ${shown(media.title)}, not ${shown(label)}.`);
    },
  }),
  writing({
    ...contractRule('sequence.media-to-node', sources.links),
    operations: upload,
    rule: 'A new media has a link related to its node, with a title.',
    run: async (context) => {
      const made = await sharedUpload(context);
      const target = `${context.baseUrl}/node/${made.node.id}`;
      const link = onlyLink(
        await linksOf(context, made.media.path),
        'to the node',
        (each) => each.rel === 'related' && each.target === target,
      );
      expectThat(link.title !== undefined && link.title !== '', 'The link has no title.');
    },
  }),
  writing({
    ...contractRule('sequence.replace-keeps-links', sources.links),
    operations: upload,
    rule: 'After a second upload the links lead to the same media and the same address, which answers the new bytes.',
    run: async (context) => {
      const made = await makeUpload(context);
      const before = await followed(context, made);
      const bytes = sampleBytes(made.bundle, 80);
      const headers = [
        ['Content-Type', made.contentType],
        ['Content-Location', made.location],
      ] as const;
      const { node, bundle, use } = made;
      const request = { node: node.id, bundle: bundle.id, use, as: context.maker(), headers, body: bytes };
      expectStatus(await put(context, request), 204, 200, 201);
      const after = await followed(context, made);
      expectThat(after.media.target === before.media.target, `The node now links to ${after.media.target}.`);
      const answer = await readContent(context, after.content);
      expectThat(Buffer.compare(answer.bytes, bytes) === 0, 'The content is not the new bytes.');
    },
  }),
  writing({
    ...contractRule('sequence.link-type-after-replace', sources.links),
    operations: upload,
    rule: 'After a second upload with another Content-Type the link describes has that type.',
    run: async (context) => {
      const made = await makeUpload(context);
      const headers = [
        ['Content-Type', 'application/x-verify'],
        ['Content-Location', made.location],
      ] as const;
      const { node, bundle, use } = made;
      expectStatus(
        await put(context, { node: node.id, bundle: bundle.id, use, as: context.maker(), headers, body: made.bytes }),
        204,
        200,
      );
      const { describes } = await followed(context, made);
      expectThat(describes.type === 'application/x-verify', `The link has the type ${shown(describes.type)}.`);
    },
  }),
  writing({
    ...contractRule('sequence.delete-media-and-upload-again', sources.lifecycle),
    operations: [...upload, 'deleteMedia'],
    rule: 'After the DELETE of a media the next upload to its node and term makes a new one.',
    run: async (context) => {
      const made = await makeUpload(context);
      expectStatus(await remove(context, made.media), 204);
      const headers = [
        ['Content-Type', made.contentType],
        ['Content-Location', made.location],
      ] as const;
      const { node, bundle, use } = made;
      expectStatus(
        await put(context, { node: node.id, bundle: bundle.id, use, as: context.maker(), headers, body: made.bytes }),
        201,
      );
      const { media, content } = await followed(context, made);
      expectThat(media.target !== context.baseUrl + made.media.path, 'It is the media that was deleted.');
      const answer = await readContent(context, content);
      expectThat(Buffer.compare(answer.bytes, made.bytes) === 0, 'The content is not the bytes that were sent.');
    },
  }),
  writing({
    ...contractRule('sequence.media-moves', sources.links),
    operations: [...upload, 'updateMedia'],
    rule: 'A media whose field_media_of is changed is linked from the new node and no more from the old one.',
    run: async (context) => {
      const made = await makeUpload(context);
      const other = await context.workspace.node();
      const json = {
        bundle: [{ target_id: made.bundle.id }],
        field_media_of: [{ target_id: other.id, target_type: 'node' }],
      };
      expectStatus(
        await context.ask({ method: 'PATCH', path: inJson(made.media.path), as: context.maker(), json }),
        200,
      );
      const target = context.baseUrl + made.media.path;
      const [old, now] = [await linksOf(context, `/node/${made.node.id}`), await linksOf(context, `/node/${other.id}`)];
      expectThat(!old.some((link) => link.target === target), 'The old node still links to the media.');
      expectThat(
        now.some((link) => link.target === target),
        'The new node has no link to the media.',
      );
    },
  }),
  writing({
    ...referenceRule('sequence.media-list', 'document: listNodeMedia'),
    operations: [...upload, 'listNodeMedia'],
    rule: 'The list of media of a node has the new media, and after its DELETE not any more.',
    run: async (context) => {
      const made = await makeUpload(context);
      const ids = () => idsIn(context, `/node/${made.node.id}/media`, 'mid');
      expectThat((await ids()).includes(made.media.id), `The list has no media ${made.media.id}.`);
      expectStatus(await remove(context, made.media), 204);
      expectThat(!(await ids()).includes(made.media.id), `The list still has media ${made.media.id}.`);
    },
  }),
];
