/** Checks of sequences around files: what uploads, replacements and deletions do to the links. Links are followed, not guessed. */
import { linksNamed } from '../../../../client/client.ts';
import { expectSame, expectStatus, expectThat } from '../../answer.ts';
import type { Check, CheckContext } from '../../check.ts';
import { wantLinkedUse } from '../../linked-uses.ts';
import { expectListedUntil, linksOf, onlyLink, pathOf } from '../writing/followed-links.ts';
import { asMaker, remove } from '../writing/record-kinds.ts';
import { expectContent, linksToUse, makeUpload, replace, type Upload } from './uploading.ts';
import { sampleBytes } from '../../sample-file.ts';
import { contractRule, referenceRule, checksOf, sources, type Rule } from '../../rule.ts';

/** From the node by links to the media, and from there to the content of the file. */
const followed = async (context: CheckContext, { node, use }: Upload) => {
  await wantLinkedUse(context, context.maker(), [use]);
  const links = await linksToUse(context, await linksOf(context, `/node/${node.id}`), use);
  const media = onlyLink(links, 'related to a media of the use');
  const ofMedia = await linksOf(context, pathOf(context, media));
  const describes = onlyLink(linksNamed(ofMedia, 'describes'), 'with the relation describes');
  return { media, describes, content: pathOf(context, describes) };
};

const sequences: readonly Rule<Upload>[] = [
  contractRule('replace-keeps-links', sources.links)(
    'After a second upload the links lead to the same media and the same address, which answers the new bytes.',
    async (made, context) => {
      const before = await followed(context, made);
      const body = sampleBytes(made.bundle, 80);
      expectStatus(await replace(context, made, { body }), 204, 200, 201);
      const after = await followed(context, made);
      expectSame(after.media.target, before.media.target, 'The media of the node');
      await expectContent(context, after.content, body);
    },
  ),
  contractRule('link-type-after-replace', sources.links)(
    'After a second upload with another Content-Type the link describes has that type.',
    async (made, context) => {
      const contentType = 'application/x-verify';
      expectStatus(await replace(context, made, { contentType, body: made.bytes }), 204, 200);
      expectSame((await followed(context, made)).describes.type, contentType, 'The type of the link');
    },
  ),
  contractRule('delete-media-and-upload-again', sources.lifecycle)(
    'After the DELETE of a media the next upload to its node and term makes a new one.',
    async (made, context) => {
      expectStatus(await remove(context, made.media), 204);
      expectStatus(await replace(context, made, { body: made.bytes }), 201);
      const { media, content } = await followed(context, made);
      expectThat(media.target !== context.baseUrl + made.media.path, 'It is the media that was deleted.');
      await expectContent(context, content, made.bytes);
    },
    { also: ['deleteMedia'] },
  ),
  contractRule('media-moves', sources.links)(
    'A media whose field_media_of is changed is linked from the new node and no more from the old one.',
    async ({ media, bundle, node, use }, context) => {
      await wantLinkedUse(context, context.maker(), [use]);
      const other = await context.workspace.node();
      const json = {
        bundle: [{ target_id: bundle.id }],
        field_media_of: [{ target_id: other.id, target_type: 'node' }],
      };
      expectStatus(await asMaker(context, 'PATCH', media.path, { json }), 200);
      const linksIt = async (id: number): Promise<boolean> =>
        (await linksOf(context, `/node/${id}`)).some(({ target }) => target === context.baseUrl + media.path);
      expectThat(!(await linksIt(node.id)), 'The old node still links to the media.');
      expectThat(await linksIt(other.id), 'The new node has no link to the media.');
    },
    { also: ['updateMedia'] },
  ),
  referenceRule('media-list', 'document: listNodeMedia')(
    'The list of media of a node has the new media, and after its DELETE not any more.',
    async ({ media, node }, context) => {
      const row = { field: 'mid', id: media.id, word: 'media' };
      await expectListedUntil(context, `/node/${node.id}/media`, row, async () =>
        expectStatus(await remove(context, media), 204),
      );
    },
    { also: ['listNodeMedia'] },
  ),
];

export const fileSequences: readonly Check[] = checksOf(
  {
    ...{ topic: 'sequence', operations: ['createNode', 'putNodeMedia', 'getNode', 'getMedia'], isWriting: true },
    see: (context) => makeUpload(context),
  },
  sequences,
);
