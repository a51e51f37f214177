/** Checks of the upload endpoint: what a first upload makes. */
import type { TargetContract } from '../../../target/contract-source.ts';
import { CheckFailure, expectSame, expectStatus } from '../../answer.ts';
import type { Check } from '../../check.ts';
import { fileBundles, readBack } from '../writing/record-kinds.ts';
import { valueIn } from '../../record-members.ts';
import {
  expectContent,
  fileOf,
  freshLocation,
  put,
  readContent,
  replace,
  sharedKey,
  sharedUpload,
  type Upload,
  uploadsOf,
} from './uploading.ts';
import { extensionOf, sampleBytes } from '../../sample-file.ts';
import { dealt } from '../../dealt.ts';
import { contractRule, referenceRule, adviceRule, checksOf, sources, type Rule } from '../../rule.ts';

/** Throws unless a name is the last part of the place that was asked for. */
const expectName = (name: unknown, { location }: Upload): void => expectSame(name, location.replace(/^.*\//, ''));

const creating: readonly Rule<Upload>[] = [
  contractRule('answer')('A first upload answers 201 with an empty body.', ({ answer }) => expectSame(answer.text, '')),
  contractRule('location')(
    'The Location of a 201 is the absolute address of the new media.',
    ({ answer, media }, { baseUrl }) => expectSame(answer.header('location'), baseUrl + media.path),
  ),
  contractRule('bundle')('The new media has the media type of the address.', ({ media, bundle }) =>
    expectSame(valueIn(media.record, 'bundle', 'target_id'), bundle.id),
  ),
  contractRule('node')('The new media belongs to the node of the address.', ({ media, node }) =>
    expectSame(valueIn(media.record, 'field_media_of', 'target_id'), node.id),
  ),
  contractRule('term')('The new media has the media-use term of the address.', ({ media, use }) =>
    expectSame(valueIn(media.record, 'field_media_use', 'target_id'), use),
  ),
  contractRule('content')(
    'The content of the file is the body that was sent, byte by byte.',
    ({ content, bytes }, context) => expectContent(context, content, bytes),
  ),
  contractRule('content-type')(
    'The content has the media type that the Content-Type of the upload gave.',
    async ({ content, contentType }, context) =>
      expectSame((await readContent(context, content)).mediaType, contentType),
  ),
  contractRule('file')(
    'The file has the size of the body, the media type of the upload, and the last part of the Content-Location as its name.',
    async (upload, context) => {
      const record = await fileOf(context, upload);
      expectSame(valueIn(record, 'filesize'), upload.bytes.byteLength, '"filesize"');
      expectSame(valueIn(record, 'filemime'), upload.contentType, '"filemime"');
      expectName(valueIn(record, 'filename'), upload);
    },
  ),
  contractRule('place')(
    'The file is stored in the scheme and at the path of the Content-Location.',
    async (upload, context) => expectSame(valueIn(await fileOf(context, upload), 'uri'), upload.location),
  ),
  referenceRule('owner', sources.recorded)('Who uploads owns the media and the file.', async (upload, context) => {
    const wanted = valueIn(upload.node.record, 'uid', 'target_id');
    for (const record of [upload.media.record, await fileOf(context, upload)])
      expectSame(valueIn(record, 'uid', 'target_id'), wanted);
  }),
  referenceRule('name', sources.recorded)('The media has the name of its file.', (upload) =>
    expectName(valueIn(upload.media.record, 'name'), upload),
  ),
  referenceRule('keeps-node', sources.recorded)('An upload does not change the node.', async ({ node }, context) =>
    expectSame(
      valueIn(await readBack(context, { path: `/node/${node.id}` }), 'changed'),
      valueIn(node.record, 'changed'),
    ),
  ),
];

/** Those that upload once more have little to do with the media type, so the types share them. */
const making: readonly Rule<Upload>[] = [
  adviceRule('same-place', 'docs/use/differences.md: The same `Content-Location` for two files')(
    'Two files that were sent to the same place each keep their bytes.',
    async (first, context) => {
      const { bundle, content } = first;
      const node = (await context.workspace.node()).id;
      expectStatus(await replace(context, first, { node, body: sampleBytes(bundle, 60) }), 201);
      const { bytes } = await readContent(context, content);
      if (Buffer.from(bytes).equals(first.bytes)) return;
      context.again(sharedKey(context, { bundle }));
      throw new CheckFailure(`The content has ${bytes.length} bytes, which are not the first ${first.bytes.length}.`);
    },
  ),
  referenceRule('upper-case-extension', sources.recorded)(
    'An extension in upper case counts as one in lower case.',
    async ({ bundle, use }, context) => {
      const { id: node } = await context.workspace.node();
      const location = freshLocation(context, extensionOf(bundle).toUpperCase());
      expectStatus(await put(context, { node, bundle, use, location }), 201);
    },
  ),
];

export const uploadChecks = (contract: TargetContract): readonly Check[] =>
  fileBundles(contract).flatMap((bundle, at, bundles) =>
    checksOf(
      uploadsOf('upload', bundle, (context) => sharedUpload(context, { bundle })),
      [...creating, ...dealt(making, at, bundles.length)],
    ),
  );
