/** Checks of sequences around files: what uploads, replacements and deletions do to the links. Links are followed, not guessed. */
import { expectSame, expectStatus, expectThat } from '../../answer.ts';
import { type Check, type CheckContext, contractRule, referenceRule } from '../../check.ts';
import { idsIn, linksOf, onlyLink, pathOf } from '../writing/followed-links.ts';
import { inJson, readBack, remove } from '../writing/record-kinds.ts';
import { valueIn } from '../../record-members.ts';
import { expectContent, linksToUse, makeUpload, replace, sharedUpload, type Upload } from './uploading.ts';
import { sampleBytes } from '../../sample-file.ts';
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

type Sequence = Pick<Check, 'name' | 'rule' | 'source' | 'severity'> & {
  /** What it asks for besides uploads and reads. */
  readonly also?: string;
  /** Whether it only looks at what was uploaded. */
  readonly looks?: boolean;
  readonly run: (made: Upload, context: CheckContext) => Promise<void>;
};

const sequences: readonly Sequence[] = [
  {
    ...contractRule('links-to-content', sources.links),
    rule: 'From a node the link related leads to its media, and from there describes leads to the bytes that were uploaded.',
    looks: true,
    run: async (made, context) => {
      const { content, describes } = await followed(context, made);
      await expectContent(context, content, made.bytes);
      expectSame(describes.type, made.contentType, 'The type of the link');
    },
  },
  {
    ...contractRule('link-title', sources.links),
    rule: 'The link from a node to its media has the label of the media-use term as its title.',
    also: 'getTerm',
    looks: true,
    run: async (made, context) => {
      const term = await readBack(context, { path: `/taxonomy/term/${made.use}` });
      expectSame((await followed(context, made)).media.title, valueIn(term, 'name'), 'The title');
    },
  },
  {
    ...contractRule('media-to-node', sources.links),
    rule: 'A new media has a link related to its node, with a title.',
    looks: true,
    run: async ({ node, media }, context) => {
      const links = await linksOf(context, media.path);
      const own = `${context.baseUrl}/node/${node.id}`;
      const link = onlyLink(links, 'to the node', ({ rel, target }) => rel === 'related' && target === own);
      expectThat((link.title ?? '') !== '', 'The link has no title.');
    },
  },
  {
    ...contractRule('replace-keeps-links', sources.links),
    rule: 'After a second upload the links lead to the same media and the same address, which answers the new bytes.',
    run: async (made, context) => {
      const before = await followed(context, made);
      const body = sampleBytes(made.bundle, 80);
      expectStatus(await replace(context, made, { body }), 204, 200, 201);
      const after = await followed(context, made);
      expectSame(after.media.target, before.media.target, 'The media of the node');
      await expectContent(context, after.content, body);
    },
  },
  {
    ...contractRule('link-type-after-replace', sources.links),
    rule: 'After a second upload with another Content-Type the link describes has that type.',
    run: async (made, context) => {
      const contentType = 'application/x-verify';
      expectStatus(await replace(context, made, { contentType, body: made.bytes }), 204, 200);
      expectSame((await followed(context, made)).describes.type, contentType, 'The type of the link');
    },
  },
  {
    ...contractRule('delete-media-and-upload-again', sources.lifecycle),
    rule: 'After the DELETE of a media the next upload to its node and term makes a new one.',
    also: 'deleteMedia',
    run: async (made, context) => {
      expectStatus(await remove(context, made.media), 204);
      expectStatus(await replace(context, made, { body: made.bytes }), 201);
      const { media, content } = await followed(context, made);
      expectThat(media.target !== context.baseUrl + made.media.path, 'It is the media that was deleted.');
      await expectContent(context, content, made.bytes);
    },
  },
  {
    ...contractRule('media-moves', sources.links),
    rule: 'A media whose field_media_of is changed is linked from the new node and no more from the old one.',
    also: 'updateMedia',
    run: async ({ media, bundle, node }, context) => {
      const other = await context.workspace.node();
      const json = {
        bundle: [{ target_id: bundle.id }],
        field_media_of: [{ target_id: other.id, target_type: 'node' }],
      };
      expectStatus(await context.ask({ method: 'PATCH', path: inJson(media.path), as: context.maker(), json }), 200);
      const linksIt = async (id: number): Promise<boolean> =>
        (await linksOf(context, `/node/${id}`)).some(({ target }) => target === context.baseUrl + media.path);
      expectThat(!(await linksIt(node.id)), 'The old node still links to the media.');
      expectThat(await linksIt(other.id), 'The new node has no link to the media.');
    },
  },
  {
    ...referenceRule('media-list', 'document: listNodeMedia'),
    rule: 'The list of media of a node has the new media, and after its DELETE not any more.',
    also: 'listNodeMedia',
    run: async ({ media, node }, context) => {
      const isListed = async (): Promise<boolean> =>
        (await idsIn(context, `/node/${node.id}/media`, 'mid')).includes(media.id);
      expectThat(await isListed(), `The list has no media ${media.id}.`);
      expectStatus(await remove(context, media), 204);
      expectThat(!(await isListed()), `The list still has media ${media.id}.`);
    },
  },
];

export const fileSequences: readonly Check[] = sequences.map(
  ({ name, rule, source, severity, also = [], looks = false, run }) =>
    writing({
      ...{ name: `sequence.${name}`, rule, source, severity },
      operations: ['createNode', 'putNodeMedia', 'getNode', 'getMedia', also].flat(),
      run: async (context) => run(await (looks ? sharedUpload(context) : makeUpload(context)), context),
    }),
);
