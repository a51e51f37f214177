/** Checks of the upload endpoint: what a first upload makes. */
import type { TargetContract } from '../../../target/contract-source.ts';
import { CheckFailure, expectStatus, expectThat, shown } from '../../answer.ts';
import { adviceRule, type Check, contractRule, referenceRule } from '../../check.ts';
import { fileBundles, readBack } from '../writing/record-kinds.ts';
import { valueIn } from '../../record-members.ts';
import {
  expectBytes,
  fileOf,
  uploadCheck,
  type UploadRule,
  extensionOf,
  freshLocation,
  mediaIdOf,
  mediaTypeOf,
  put,
  readContent,
  sampleBytes,
  sharedKey,
  sharedUpload,
} from './uploading.ts';
import { dealt } from '../../dealt.ts';
import { sources } from '../writing/writing-check.ts';

const creating: readonly UploadRule[] = [
  {
    ...contractRule('answer'),
    rule: 'A first upload answers 201 with an empty body.',
    run: async (context, bundle) => {
      const { answer } = await sharedUpload(context, { bundle });
      expectThat(answer.exchange.reply.body.bytes === 0, `It has a body of ${answer.exchange.reply.body.bytes} bytes.`);
    },
  },
  {
    ...contractRule('location'),
    rule: 'The Location of a 201 is the absolute address of the new media.',
    run: async (context, bundle) => {
      const { answer, media } = await sharedUpload(context, { bundle });
      const location = answer.header('location');
      expectThat(location === context.baseUrl + media.path, `The Location is ${shown(location)}.`);
    },
  },
  {
    ...contractRule('bundle'),
    rule: 'The new media has the media type of the address.',
    run: async (context, bundle) => {
      const { media } = await sharedUpload(context, { bundle });
      const found = valueIn(media.record, 'bundle', 'target_id');
      expectThat(found === bundle.id, `The media type is ${shown(found)}, not ${bundle.id}.`);
    },
  },
  {
    ...contractRule('node'),
    rule: 'The new media belongs to the node of the address.',
    run: async (context, bundle) => {
      const { media, node } = await sharedUpload(context, { bundle });
      const found = valueIn(media.record, 'field_media_of', 'target_id');
      expectThat(found === node.id, `"field_media_of" is ${shown(found)}, not ${node.id}.`);
    },
  },
  {
    ...contractRule('term'),
    rule: 'The new media has the media-use term of the address.',
    run: async (context, bundle) => {
      const { media, use } = await sharedUpload(context, { bundle });
      const found = valueIn(media.record, 'field_media_use', 'target_id');
      expectThat(found === use, `"field_media_use" is ${shown(found)}, not ${use}.`);
    },
  },
  {
    ...contractRule('content'),
    rule: 'The content of the file is the body that was sent, byte by byte.',
    run: async (context, bundle) => {
      const { content, bytes } = await sharedUpload(context, { bundle });
      expectBytes(await readContent(context, content), bytes);
    },
  },
  {
    ...contractRule('content-type'),
    rule: 'The content has the media type that the Content-Type of the upload gave.',
    run: async (context, bundle) => {
      const { content, contentType } = await sharedUpload(context, { bundle });
      const { mediaType } = await readContent(context, content);
      expectThat(mediaType === contentType, `The media type is ${shown(mediaType)}, not ${contentType}.`);
    },
  },
  {
    ...contractRule('file'),
    rule: 'The file has the size of the body, the media type of the upload, and the last part of the Content-Location as its name.',
    run: async (context, bundle) => {
      const upload = await sharedUpload(context, { bundle });
      const record = await fileOf(context, upload);
      const size = valueIn(record, 'filesize');
      expectThat(size === upload.bytes.byteLength, `"filesize" is ${shown(size)}, not ${upload.bytes.byteLength}.`);
      const type = valueIn(record, 'filemime');
      expectThat(type === upload.contentType, `"filemime" is ${shown(type)}, not ${upload.contentType}.`);
      const name = valueIn(record, 'filename');
      expectThat(upload.location.endsWith(`/${String(name)}`), `"filename" is ${shown(name)}.`);
    },
  },
  {
    ...contractRule('place'),
    rule: 'The file is stored in the scheme and at the path of the Content-Location.',
    run: async (context, bundle) => {
      const upload = await sharedUpload(context, { bundle });
      const uri = valueIn(await fileOf(context, upload), 'uri');
      expectThat(uri === upload.location, `"uri" is ${shown(uri)}, not ${upload.location}.`);
    },
  },
  {
    ...contractRule('metadata', sources.fields),
    rule: 'The media has the size and the media type of its file.',
    run: async (context, bundle) => {
      const upload = await sharedUpload(context, { bundle });
      const { fields, source } = bundle;
      const map = source?.fieldMap ?? { filesize: 'field_file_size', mimetype: 'field_mime_type' };
      const { filesize, mimetype } = map;
      if (filesize !== undefined && fields.has(filesize)) {
        const size = valueIn(upload.media.record, filesize);
        expectThat(
          size === upload.bytes.byteLength,
          `"${filesize}" is ${shown(size)}, not ${upload.bytes.byteLength}.`,
        );
      }
      if (mimetype !== undefined && fields.has(mimetype)) {
        const type = valueIn(upload.media.record, mimetype);
        expectThat(type === upload.contentType, `"${mimetype}" is ${shown(type)}, not ${upload.contentType}.`);
      }
    },
  },
  {
    ...referenceRule('owner', sources.recorded),
    rule: 'Who uploads owns the media and the file.',
    run: async (context, bundle) => {
      const upload = await sharedUpload(context, { bundle });
      const wanted = valueIn(upload.node.record, 'uid', 'target_id');
      const owners = [upload.media.record, await fileOf(context, upload)].map((record) =>
        valueIn(record, 'uid', 'target_id'),
      );
      expectThat(
        owners.every((owner) => owner === wanted),
        `The owners are ${shown(owners)}, not ${shown(wanted)}.`,
      );
    },
  },
  {
    ...referenceRule('name', sources.recorded),
    rule: 'The media has the name of its file.',
    run: async (context, bundle) => {
      const { media, location } = await sharedUpload(context, { bundle });
      const name = valueIn(media.record, 'name');
      expectThat(location.endsWith(`/${String(name)}`), `The name is ${shown(name)}.`);
    },
  },
  {
    ...referenceRule('keeps-node', sources.recorded),
    rule: 'An upload does not change the node.',
    run: async (context, bundle) => {
      const { node } = await sharedUpload(context, { bundle });
      const changed = valueIn(await readBack(context, { path: `/node/${node.id}` }), 'changed');
      const before = valueIn(node.record, 'changed');
      expectThat(changed === before, `"changed" was ${shown(before)} and is ${shown(changed)}.`);
    },
  },
];

/** Those that upload once more have little to do with the media type, so the types share them. */
const making: readonly UploadRule[] = [
  {
    ...adviceRule('same-place', 'docs/use/differences.md: The same `Content-Location` for two files'),
    rule: 'Two files that were sent to the same place each keep their bytes.',
    run: async (context, bundle) => {
      const first = await sharedUpload(context, { bundle });
      const other = await context.workspace.node();
      const headers = [
        ['Content-Type', first.contentType],
        ['Content-Location', first.location],
      ] as const;
      const body = sampleBytes(bundle, 60);
      const answer = await put(context, {
        node: other.id,
        bundle: bundle.id,
        use: first.use,
        as: context.maker(),
        headers,
        body,
      });
      expectStatus(answer, 201);
      await context.workspace.made('media', mediaIdOf(answer));
      const { bytes } = await readContent(context, first.content);
      if (Buffer.from(bytes).equals(first.bytes)) return;
      context.again(sharedKey(context, { bundle }));
      throw new CheckFailure(`The content has ${bytes.length} bytes, which are not the first ${first.bytes.length}.`);
    },
  },
  {
    ...referenceRule('upper-case-extension', sources.recorded),
    rule: 'An extension in upper case counts as one in lower case.',
    run: async (context, bundle) => {
      const { id } = await context.workspace.node();
      const location = freshLocation(context, extensionOf(bundle).toUpperCase());
      const headers = [
        ['Content-Type', mediaTypeOf(extensionOf(bundle))],
        ['Content-Location', location],
      ] as const;
      const { use } = await sharedUpload(context, { bundle });
      const answer = await put(context, {
        node: id,
        bundle: bundle.id,
        use,
        as: context.maker(),
        headers,
        body: sampleBytes(bundle),
      });
      await context.workspace.made('media', mediaIdOf(expectStatus(answer, 201)));
    },
  },
];

export const uploadChecks = (contract: TargetContract): readonly Check[] =>
  fileBundles(contract).flatMap((bundle, at, bundles) =>
    [...creating, ...dealt(making, at, bundles.length)].map((rule) => uploadCheck('upload', bundle, rule)),
  );
