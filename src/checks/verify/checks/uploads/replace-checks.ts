/** Checks of the upload endpoint: what a second upload to the same node and term replaces. */
import type { Bundle } from '../../../../core/model/bundle.ts';
import type { TargetContract } from '../../../target/contract-source.ts';
import { CheckSkip, expectRefusal, expectStatus, expectThat, shown, type Answer } from '../../answer.ts';
import { adviceRule, type Check, type CheckContext, contractRule, referenceRule } from '../../check.ts';
import { fileBundles, readBack } from '../writing/record-kinds.ts';
import { type JsonRecord, numberIn, valueIn } from '../../record-members.ts';
import {
  expectBytes,
  fileOf,
  uploadCheck,
  type UploadRule,
  extensionOf,
  freshLocation,
  linksToUse,
  makeUpload,
  mediaIdOf,
  mediaTypeOf,
  put,
  readContent,
  sampleBytes,
  type Upload,
  useTerm,
} from './uploading.ts';
import { sources } from '../writing/writing-check.ts';

const sourceOf = ({ bundle }: Upload): string => bundle.source?.field ?? '';

/** Sends other bytes to the same node and term. */
const replace = async (
  context: CheckContext,
  upload: Upload,
  bytes: Uint8Array,
  contentType = upload.contentType,
): Promise<Answer> => {
  const headers = [
    ['Content-Type', contentType],
    ['Content-Location', upload.location],
  ] as const;
  const { node, bundle, use } = upload;
  return put(context, { node: node.id, bundle: bundle.id, use, as: context.maker(), headers, body: bytes });
};

/** An upload that was replaced two times. */
type Replaced = {
  readonly upload: Upload;
  readonly file: JsonRecord;
  readonly etag: string | undefined;
  /** The bytes of the first replacement, and the answer to the next read. */
  readonly first: { readonly bytes: Uint8Array; readonly read: Answer };
  /** The bytes of the second one, and its answer. */
  readonly bytes: Uint8Array;
  readonly answer: Answer;
};

const replaced = (context: CheckContext, bundle: Bundle): Promise<Replaced> =>
  context.once(`replaced ${bundle.id}`, async (own) => {
    const upload = await makeUpload(own, { bundle });
    const file = await fileOf(own, upload);
    const etag = (await readContent(own, upload.content)).header('etag');
    const [few, many] = [sampleBytes(bundle, 5), sampleBytes(bundle, 77)];
    expectStatus(await replace(own, upload, few), 204, 200, 201);
    const first = { bytes: few, read: await readContent(own, upload.content) };
    return { upload, file, etag, first, bytes: many, answer: await replace(own, upload, many) };
  });

const replacing: readonly UploadRule[] = [
  {
    ...referenceRule('answer', sources.recorded),
    rule: 'An upload that replaces answers 204 without a body.',
    run: async (context, bundle) => {
      const answer = expectStatus((await replaced(context, bundle)).answer, 204);
      expectThat(answer.exchange.reply.body.bytes === 0, 'It has a body.');
    },
  },
  {
    ...contractRule('content'),
    rule: 'The file content is replaced with the body of the second upload, at the same address.',
    run: async (context, bundle) => {
      const { upload, first, bytes } = await replaced(context, bundle);
      expectBytes(first.read, first.bytes);
      expectBytes(await readContent(context, upload.content), bytes);
    },
  },
  {
    ...contractRule('same-media'),
    rule: 'The media is found by node and term, so the second upload makes no other media and no other file.',
    run: async (context, bundle) => {
      const { upload } = await replaced(context, bundle);
      const record = await readBack(context, upload.media);
      expectThat(numberIn(record, sourceOf(upload), 'target_id') === upload.fileId, 'The media has another file.');
      const { links } = await context.ask({ path: `/node/${upload.node.id}?_format=json`, as: context.maker() });
      const media = await linksToUse(context, links, upload.use);
      expectThat(media.length <= 1, `The node links to ${media.length} media of the use.`);
    },
  },
  {
    ...contractRule('metadata', sources.fields),
    rule: 'After a second upload file and media show the new size.',
    run: async (context, bundle) => {
      const { upload, bytes } = await replaced(context, bundle);
      const size = valueIn(await fileOf(context, upload), 'filesize');
      expectThat(size === bytes.byteLength, `"filesize" is ${shown(size)}, not ${bytes.byteLength}.`);
      if (!upload.bundle.fields.has('field_file_size') || upload.bundle.source?.fieldMap !== undefined) return;
      const own = valueIn(await readBack(context, upload.media), 'field_file_size');
      expectThat(own === bytes.byteLength, `"field_file_size" is ${shown(own)}, not ${bytes.byteLength}.`);
    },
  },
  {
    ...referenceRule('identity', sources.recorded),
    rule: 'A second upload keeps UUID, name and place of the file.',
    run: async (context, bundle) => {
      const { upload, file } = await replaced(context, bundle);
      const after = await fileOf(context, upload);
      for (const [field, property] of [
        ['uuid', 'value'],
        ['filename', 'value'],
        ['uri', 'value'],
        ['uri', 'url'],
      ] as const) {
        const [was, is] = [valueIn(file, field, property), valueIn(after, field, property)];
        expectThat(was === is, `"${field}" was ${shown(was)} and is ${shown(is)}.`);
      }
    },
  },
  {
    ...adviceRule('etag', 'RFC 9110 §8.8.3'),
    rule: 'An ETag of the content is another one after the bytes were replaced.',
    run: async (context, bundle) => {
      const { upload, etag } = await replaced(context, bundle);
      if (etag === undefined) throw new CheckSkip('The content has no ETag.');
      const after = (await readContent(context, upload.content)).header('etag');
      expectThat(after !== etag, `Both have the ETag ${shown(etag)}.`);
    },
  },
];

const otherType = 'application/x-verify';

/** An upload whose bytes were replaced with some of another type. */
const retyped = (context: CheckContext, bundle: Bundle): Promise<Upload> =>
  context.once(`retyped ${bundle.id}`, async (own) => {
    const { upload } = await replaced(own, bundle);
    expectStatus(await replace(own, upload, sampleBytes(bundle), otherType), 204, 200);
    return upload;
  });

/** Whether the node has another media, with that use. */
const hasOther = async (context: CheckContext, { node, media }: Upload, use: number): Promise<boolean> => {
  const { links } = await context.ask({ path: `/node/${node.id}?_format=json`, as: context.maker() });
  const own = context.baseUrl + media.path;
  return (await linksToUse(context, links, use)).some(({ target }) => target !== own);
};

/** Those that replace the bytes once more, or add to the node. One media type stands for all, for they have little to do with the type. */
const changing: readonly UploadRule[] = [
  {
    ...contractRule('other-term'),
    rule: 'An upload to the same node with another term makes another media.',
    run: async (context, bundle) => {
      const { upload, bytes } = await replaced(context, bundle);
      const other = context.contract.site.terms.find(
        ({ tid, vocabulary }) => vocabulary === 'islandora_media_use' && tid !== upload.use,
      );
      if (other === undefined) throw new CheckSkip('The site has one term for the use of media.');
      const headers = [
        ['Content-Type', upload.contentType],
        ['Content-Location', freshLocation(context, extensionOf(bundle))],
      ] as const;
      const { node } = upload;
      const body = sampleBytes(bundle);
      const answer = await put(context, {
        node: node.id,
        bundle: bundle.id,
        use: other.tid,
        as: context.maker(),
        headers,
        body,
      });
      if (answer.status === 404) throw new CheckSkip('The target has other terms.');
      if (answer.status === 204 && (await hasOther(context, upload, other.tid))) {
        expectBytes(await readContent(context, upload.content), bytes);
        throw new CheckSkip('The site itself has made a media with the other term.');
      }
      const id = mediaIdOf(expectStatus(answer, 201));
      await context.workspace.made('media', id);
      expectThat(id !== upload.media.id, 'It is the same media.');
      expectBytes(await readContent(context, upload.content), bytes);
    },
  },
  {
    ...contractRule('media-type'),
    rule: 'After a second upload with another Content-Type the file has that media type.',
    run: async (context, bundle) => {
      const type = valueIn(await fileOf(context, await retyped(context, bundle)), 'filemime');
      expectThat(type === otherType, `"filemime" is ${shown(type)}.`);
    },
  },
  {
    ...referenceRule('media-type-of-content', 'docs/use/differences.md: The media type of content'),
    rule: 'After a second upload with another Content-Type the content has that media type.',
    run: async (context, bundle) => {
      const { mediaType } = await readContent(context, (await retyped(context, bundle)).content);
      expectThat(mediaType === otherType, `The content has the media type ${shown(mediaType)}.`);
    },
  },
  {
    ...adviceRule('visible'),
    rule: 'Uploads to the same node and term at the same time make one media.',
    run: async (context, bundle) => {
      const node = await context.workspace.node();
      const use = useTerm(context);
      const send = () => {
        const headers = [
          ['Content-Type', mediaTypeOf(extensionOf(bundle))],
          ['Content-Location', freshLocation(context, extensionOf(bundle))],
        ] as const;
        return put(context, {
          node: node.id,
          bundle: bundle.id,
          use,
          as: context.maker(),
          headers,
          body: sampleBytes(bundle),
        });
      };
      const answers = await Promise.all([send(), send(), send()]);
      const made = answers.filter(({ status }) => status === 201);
      for (const answer of made) await context.workspace.made('media', mediaIdOf(answer));
      expectThat(
        made.length === 1,
        `${made.length} media were made: ${answers.map(({ status }) => status).join(', ')}.`,
      );
    },
  },
  {
    ...adviceRule('empty', 'docs/use/differences.md: An empty upload'),
    rule: 'An empty second upload is refused with 400 and leaves the old bytes in place.',
    run: async (context, bundle) => {
      const { upload } = await replaced(context, bundle);
      const { bytes } = await readContent(context, upload.content);
      expectRefusal(await replace(context, upload, new Uint8Array()), 400);
      expectBytes(await readContent(context, upload.content), bytes);
    },
  },
];

/** Pictures have dimensions; all other media go by the same code. */
const replacedBundles = (contract: TargetContract): readonly Bundle[] =>
  fileBundles(contract).filter(({ source }, at) => at === 0 || source?.kind === 'image');

export const replaceChecks = (contract: TargetContract): readonly Check[] =>
  replacedBundles(contract).flatMap((bundle, at) =>
    (at === 0 ? [...replacing, ...changing] : replacing).map((rule) => uploadCheck('replace', bundle, rule)),
  );
