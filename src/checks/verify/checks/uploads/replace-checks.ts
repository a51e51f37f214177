/** Checks of the upload endpoint: what a second upload to the same node and term replaces. */
import type { Bundle } from '../../../../repository/repository.ts';
import type { TargetContract } from '../../../target/contract-source.ts';
import { CheckSkip, expectRefusal, expectSame, expectStatus, expectThat } from '../../answer.ts';
import type { Check, CheckContext } from '../../check.ts';
import { fileBundles, readBack } from '../writing/record-kinds.ts';
import { valueIn } from '../../record-members.ts';
import {
  expectBytes,
  expectContent,
  fileOf,
  freshLocation,
  linksToUse,
  makeUpload,
  mediaIdOf,
  put,
  readContent,
  replace,
  type Upload,
  uploadsOf,
} from './uploading.ts';
import { extensionOf, sampleBytes } from '../../sample-file.ts';
import { contractRule, referenceRule, adviceRule, checksOf, sources, type Rule } from '../../rule.ts';

/**
 * An upload that was replaced two times, with its file and ETag before: the bytes of the first replacement with the answer to the next
 * read, and the bytes of the second one with its own answer.
 */
const replaced = (context: CheckContext, bundle: Bundle) =>
  context.once(`replaced ${bundle.id}`, async (own) => {
    const upload = await makeUpload(own, { bundle });
    const file = await fileOf(own, upload);
    const etag = (await readContent(own, upload.content)).header('etag');
    const [few, bytes] = [sampleBytes(bundle, 5), sampleBytes(bundle, 77)];
    expectStatus(await replace(own, upload, { body: few }), 204, 200, 201);
    const first = { bytes: few, read: await readContent(own, upload.content) };
    return { upload, file, etag, first, bytes, answer: await replace(own, upload, { body: bytes }) };
  });

type Replaced = Awaited<ReturnType<typeof replaced>>;

const linkedMedia = async (context: CheckContext, { node }: Upload, use: number) => {
  const { links } = await context.ask({ path: `/node/${node.id}?_format=json`, as: context.maker() });
  return linksToUse(context, links, use);
};

const replacing: readonly Rule<Replaced>[] = [
  referenceRule('answer', sources.recorded)('An upload that replaces answers 204 without a body.', ({ answer }) =>
    expectSame(expectStatus(answer, 204).text, ''),
  ),
  contractRule('content')(
    'The file content is replaced with the body of the second upload, at the same address.',
    ({ upload, first, bytes }, context) => {
      expectBytes(first.read, first.bytes);
      return expectContent(context, upload.content, bytes);
    },
  ),
  contractRule('same-media')(
    'The media is found by node and term, so the second upload makes no other media and no other file.',
    async ({ upload }, context) => {
      const { bundle, media, fileId, use } = upload;
      expectSame(valueIn(await readBack(context, media), bundle.source?.field ?? '', 'target_id'), fileId, 'The file');
      const found = await linkedMedia(context, upload, use);
      expectThat(found.length <= 1, `The node links to ${found.length} media of the use.`);
    },
  ),
  contractRule('metadata', sources.fields)(
    'After a second upload file and media show the new size.',
    async ({ upload, bytes }, context) => {
      expectSame(valueIn(await fileOf(context, upload), 'filesize'), bytes.byteLength, '"filesize"');
      if (!upload.bundle.fields.has('field_file_size') || upload.bundle.source?.fieldMap !== undefined) return;
      expectSame(valueIn(await readBack(context, upload.media), 'field_file_size'), bytes.byteLength);
    },
  ),
  referenceRule('identity', sources.recorded)(
    'A second upload keeps UUID, name and place of the file.',
    async ({ upload, file }, context) => {
      const after = await fileOf(context, upload);
      for (const name of ['uuid', 'filename', 'uri']) expectSame(after[name], file[name], `"${name}"`);
    },
  ),
  adviceRule('etag', 'RFC 9110 §8.8.3')(
    'An ETag of the content is another one after the bytes were replaced.',
    async ({ upload, etag }, context) => {
      if (etag === undefined) throw new CheckSkip('The content has no ETag.');
      const after = (await readContent(context, upload.content)).header('etag');
      expectThat(after !== etag, `Both have the ETag ${etag}.`);
    },
  ),
];

const otherType = 'application/x-verify';

/** An upload whose bytes were replaced with some of another type. */
const retyped = (context: CheckContext, bundle: Bundle): Promise<Upload> =>
  context.once(`retyped ${bundle.id}`, async (own) => {
    const { upload } = await replaced(own, bundle);
    expectStatus(await replace(own, upload, { contentType: otherType }), 204, 200);
    return upload;
  });

/** Those that replace the bytes once more, or add to the node. One media type stands for all, for they have little to do with the type. */
const changing: readonly Rule<Replaced>[] = [
  contractRule('other-term')(
    'An upload to the same node with another term makes another media.',
    async ({ upload, bytes }, context) => {
      const { bundle, media, content } = upload;
      const other = context.contract.site.terms.find(
        ({ tid, vocabulary }) => vocabulary === 'islandora_media_use' && tid !== upload.use,
      );
      if (other === undefined) throw new CheckSkip('The site has one term for the use of media.');
      const location = freshLocation(context, extensionOf(bundle));
      const answer = await replace(context, upload, { use: other.tid, location, body: sampleBytes(bundle) });
      if (answer.status === 404) throw new CheckSkip('The target has other terms.');
      await expectContent(context, content, bytes);
      const found = await linkedMedia(context, upload, other.tid);
      if (answer.status === 204 && found.some(({ target }) => target !== context.baseUrl + media.path))
        throw new CheckSkip('The site itself has made a media with the other term.');
      expectThat(mediaIdOf(expectStatus(answer, 201)) !== media.id, 'It is the same media.');
    },
  ),
  contractRule('media-type')(
    'After a second upload with another Content-Type the file has that media type.',
    async ({ upload: { bundle } }, context) =>
      expectSame(valueIn(await fileOf(context, await retyped(context, bundle)), 'filemime'), otherType),
  ),
  referenceRule('media-type-of-content', 'docs/use/differences.md: The media type of content')(
    'After a second upload with another Content-Type the content has that media type.',
    async ({ upload: { bundle } }, context) =>
      expectSame((await readContent(context, (await retyped(context, bundle)).content)).mediaType, otherType),
  ),
  adviceRule('visible')(
    'Uploads to the same node and term at the same time make one media.',
    async ({ upload: { bundle } }, context) => {
      const { id: node } = await context.workspace.node();
      const answers = await Promise.all([1, 2, 3].map(() => put(context, { node, bundle })));
      const found = answers.map(({ status }) => status);
      const made = found.filter((status) => status === 201);
      expectThat(made.length === 1, `${made.length} media were made: ${found.join(', ')}.`);
    },
  ),
  adviceRule('empty', 'docs/use/differences.md: An empty upload')(
    'An empty second upload is refused with 400 and leaves the old bytes in place.',
    async ({ upload }, context) => {
      const { bytes } = await readContent(context, upload.content);
      expectRefusal(await replace(context, upload, { body: new Uint8Array() }), 400);
      await expectContent(context, upload.content, bytes);
    },
  ),
];

/** Pictures have dimensions; all other media go by the same code. */
const replacedBundles = (contract: TargetContract): readonly Bundle[] =>
  fileBundles(contract).filter(({ source }, at) => at === 0 || source?.kind === 'image');

export const replaceChecks = (contract: TargetContract): readonly Check[] =>
  replacedBundles(contract).flatMap((bundle, at) =>
    checksOf(
      uploadsOf('replace', bundle, (context) => replaced(context, bundle)),
      at === 0 ? [...replacing, ...changing] : replacing,
    ),
  );
