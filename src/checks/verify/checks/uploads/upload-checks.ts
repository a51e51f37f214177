/** Checks of the upload endpoint: what a first upload makes. */
import type { TargetContract } from '../../../target/contract-source.ts';
import { CheckFailure, expectSame, expectStatus } from '../../answer.ts';
import { adviceRule, type Check, contractRule, referenceRule } from '../../check.ts';
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
  uploadChecksOf,
} from './uploading.ts';
import { extensionOf, sampleBytes } from '../../sample-file.ts';
import { dealt } from '../../dealt.ts';
import { type SeenRule, sources } from '../writing/writing-check.ts';

/** Throws unless a name is the last part of the place that was asked for. */
const expectName = (name: unknown, { location }: Upload): void => expectSame(name, location.replace(/^.*\//, ''));

const creating: readonly SeenRule<Upload>[] = [
  {
    ...contractRule('answer'),
    rule: 'A first upload answers 201 with an empty body.',
    see: ({ answer }) => expectSame(answer.text, ''),
  },
  {
    ...contractRule('location'),
    rule: 'The Location of a 201 is the absolute address of the new media.',
    see: ({ answer, media }, { baseUrl }) => expectSame(answer.header('location'), baseUrl + media.path),
  },
  {
    ...contractRule('bundle'),
    rule: 'The new media has the media type of the address.',
    see: ({ media, bundle }) => expectSame(valueIn(media.record, 'bundle', 'target_id'), bundle.id),
  },
  {
    ...contractRule('node'),
    rule: 'The new media belongs to the node of the address.',
    see: ({ media, node }) => expectSame(valueIn(media.record, 'field_media_of', 'target_id'), node.id),
  },
  {
    ...contractRule('term'),
    rule: 'The new media has the media-use term of the address.',
    see: ({ media, use }) => expectSame(valueIn(media.record, 'field_media_use', 'target_id'), use),
  },
  {
    ...contractRule('content'),
    rule: 'The content of the file is the body that was sent, byte by byte.',
    see: ({ content, bytes }, context) => expectContent(context, content, bytes),
  },
  {
    ...contractRule('content-type'),
    rule: 'The content has the media type that the Content-Type of the upload gave.',
    see: async ({ content, contentType }, context) =>
      expectSame((await readContent(context, content)).mediaType, contentType),
  },
  {
    ...contractRule('file'),
    rule: 'The file has the size of the body, the media type of the upload, and the last part of the Content-Location as its name.',
    see: async (upload, context) => {
      const record = await fileOf(context, upload);
      expectSame(valueIn(record, 'filesize'), upload.bytes.byteLength, '"filesize"');
      expectSame(valueIn(record, 'filemime'), upload.contentType, '"filemime"');
      expectName(valueIn(record, 'filename'), upload);
    },
  },
  {
    ...contractRule('place'),
    rule: 'The file is stored in the scheme and at the path of the Content-Location.',
    see: async (upload, context) => expectSame(valueIn(await fileOf(context, upload), 'uri'), upload.location),
  },
  {
    ...contractRule('metadata', sources.fields),
    rule: 'The media has the size and the media type of its file.',
    see: ({ bundle: { fields, source }, media, bytes, contentType }) => {
      const map = source?.fieldMap ?? { filesize: 'field_file_size', mimetype: 'field_mime_type' };
      for (const [name, wanted] of [[map['filesize'], bytes.byteLength] as const, [map['mimetype'], contentType]]) {
        if (name !== undefined && fields.has(name)) expectSame(valueIn(media.record, name), wanted, `"${name}"`);
      }
    },
  },
  {
    ...referenceRule('owner', sources.recorded),
    rule: 'Who uploads owns the media and the file.',
    see: async (upload, context) => {
      const wanted = valueIn(upload.node.record, 'uid', 'target_id');
      for (const record of [upload.media.record, await fileOf(context, upload)])
        expectSame(valueIn(record, 'uid', 'target_id'), wanted);
    },
  },
  {
    ...referenceRule('name', sources.recorded),
    rule: 'The media has the name of its file.',
    see: (upload) => expectName(valueIn(upload.media.record, 'name'), upload),
  },
  {
    ...referenceRule('keeps-node', sources.recorded),
    rule: 'An upload does not change the node.',
    see: async ({ node }, context) =>
      expectSame(
        valueIn(await readBack(context, { path: `/node/${node.id}` }), 'changed'),
        valueIn(node.record, 'changed'),
      ),
  },
];

/** Those that upload once more have little to do with the media type, so the types share them. */
const making: readonly SeenRule<Upload>[] = [
  {
    ...adviceRule('same-place', 'docs/use/differences.md: The same `Content-Location` for two files'),
    rule: 'Two files that were sent to the same place each keep their bytes.',
    see: async (first, context) => {
      const { bundle, content } = first;
      const node = (await context.workspace.node()).id;
      expectStatus(await replace(context, first, { node, body: sampleBytes(bundle, 60) }), 201);
      const { bytes } = await readContent(context, content);
      if (Buffer.from(bytes).equals(first.bytes)) return;
      context.again(sharedKey(context, { bundle }));
      throw new CheckFailure(`The content has ${bytes.length} bytes, which are not the first ${first.bytes.length}.`);
    },
  },
  {
    ...referenceRule('upper-case-extension', sources.recorded),
    rule: 'An extension in upper case counts as one in lower case.',
    see: async ({ bundle, use }, context) => {
      const { id: node } = await context.workspace.node();
      const location = freshLocation(context, extensionOf(bundle).toUpperCase());
      expectStatus(await put(context, { node, bundle, use, location }), 201);
    },
  },
];

export const uploadChecks = (contract: TargetContract): readonly Check[] =>
  fileBundles(contract).flatMap((bundle, at, bundles) =>
    uploadChecksOf('upload', bundle, [...creating, ...dealt(making, at, bundles.length)], (context) =>
      sharedUpload(context, { bundle }),
    ),
  );
