/** Checks of the standard upload, which makes a file for a field, and of media that a POST makes of such a file. */
import type { HeaderLine } from '../../../../exchange/wire-exchange.ts';
import { CheckSkip, expectRefusal, expectStatus, expectThat, shown } from '../../answer.ts';
import { type AskedRequest, type Check, type CheckContext, contractRule, referenceRule } from '../../check.ts';
import { inJson, kindOf, readBack } from '../writing/record-kinds.ts';
import { numberIn, recordOf, valueIn } from '../../record-members.ts';
import { sources, writing } from '../writing/writing-check.ts';
import { extensionOf, extensionsOf, fileOf, makeUpload, readContent, sampleBytes, uploadBundle } from './uploading.ts';

/** An upload whose bytes were replaced at the target of its link edit-media. Its file was read before. */
const replacedSource = (context: CheckContext) =>
  context.once('replaced source', async (own) => {
    const upload = await makeUpload(own, { isOfAnyNode: true });
    const { media, bundle, contentType } = upload;
    await fileOf(own, upload);
    const { links } = await own.ask({ path: inJson(media.path), as: own.maker() });
    const target = links.find(({ rel }) => rel === 'edit-media')?.target;
    if (target === undefined) throw new CheckSkip('The media has no link edit-media for the maker.');
    expectThat(target === `${own.baseUrl}/media/${media.id}/source`, `The link leads to ${target}.`);
    const bytes = sampleBytes(bundle, 70);
    const headers = [['Content-Type', contentType]] as const;
    const path = target.slice(own.baseUrl.length);
    return { upload, bytes, answer: await own.ask({ method: 'PUT', path, as: own.maker(), headers, body: bytes }) };
  });

export const sourceChecks: readonly Check[] = [
  writing({
    ...referenceRule('source.replaces', sources.recorded),
    rule: 'A PUT to the target of the link edit-media answers 204 and replaces the content.',
    operations: ['putMediaSource', 'putNodeMedia'],
    run: async (context) => {
      const { upload, bytes, answer } = await replacedSource(context);
      expectStatus(answer, 204);
      const { bytes: now } = await readContent(context, upload.content);
      expectThat(Buffer.compare(now, bytes) === 0, 'The content is not the bytes that were sent.');
    },
  }),
  writing({
    ...contractRule('source.size', sources.fields),
    rule: 'After a PUT of a source the file has the size of the new bytes.',
    operations: ['putMediaSource', 'putNodeMedia'],
    run: async (context) => {
      const { upload, bytes } = await replacedSource(context);
      const size = valueIn(await fileOf(context, upload), 'filesize');
      expectThat(size === bytes.byteLength, `"filesize" is ${shown(size)}, not ${bytes.byteLength}.`);
    },
  }),
  ...(
    [
      ['no-content-type', 'without a Content-Type', sources.recorded, false, true],
      ['empty', 'with an empty body', `${sources.recorded}; docs/use/differences.md: An empty upload`, true, false],
    ] as const
  ).map(([name, words, source, hasType, hasBody]) =>
    writing({
      ...referenceRule(`source.${name}`, source),
      rule: `A PUT of a source ${words} is refused with 400, and the bytes stay.`,
      operations: ['putMediaSource', 'putNodeMedia'],
      run: async (context) => {
        const { media, content, bundle, bytes, contentType } = await context.once('kept source', (own) =>
          makeUpload(own, { isOfAnyNode: true }),
        );
        const headers = hasType ? ([['Content-Type', contentType]] as const) : [];
        const body = hasBody ? sampleBytes(bundle) : '';
        const path = inJson(`/media/${media.id}/source`);
        expectRefusal(await context.ask({ method: 'PUT', path, as: context.maker(), headers, body }), 400);
        const answer = await context.ask({ path: content, as: context.maker() });
        expectThat(Buffer.compare(answer.bytes, bytes) === 0, 'The content has changed.');
      },
    }),
  ),
  writing({
    ...contractRule('source.absent', sources.errors),
    rule: 'A PUT of the source of a media that does not exist answers 404.',
    operations: ['putMediaSource'],
    run: async (context) => {
      const path = inJson(`/media/${context.subjects.absentId}/source`);
      const headers = [['Content-Type', 'text/plain']] as const;
      expectRefusal(await context.ask({ method: 'PUT', path, as: context.maker(), headers, body: 'x' }), 404);
    },
  }),
];

const binary: HeaderLine = ['Content-Type', 'application/octet-stream'];
const named = (name: string): HeaderLine => ['Content-Disposition', `file; filename="${name}"`];

type Standard = { readonly name: string; readonly path: string; readonly body: Uint8Array; readonly field: string };

const standard = (context: CheckContext): Standard => {
  const bundle = uploadBundle(context);
  const field = bundle.source?.field ?? '';
  return {
    name: `${crypto.randomUUID()}.${extensionOf(bundle)}`,
    path: inJson(`/file/upload/media/${bundle.id}/${field}`),
    body: sampleBytes(bundle),
    field,
  };
};

const post = (context: CheckContext, request: Omit<AskedRequest, 'method' | 'as'>) =>
  context.ask({ method: 'POST', as: context.maker(), ...request });

const makeFile = async (context: CheckContext) => {
  const { name, path, body, field } = standard(context);
  const answer = await post(context, { path, headers: [binary, named(name)], body });
  const record = recordOf(expectStatus(answer, 201));
  const id = numberIn(record, 'fid');
  await context.workspace.made('file', id);
  return { answer, record, id, name, body, field };
};

const sharedFile = (context: CheckContext) => context.once('standard upload', makeFile);

type Rule = { readonly name: string; readonly rule: string; readonly run: (context: CheckContext) => Promise<void> };

const rules: readonly Rule[] = [
  {
    name: 'answer',
    rule: 'A standard upload answers 201 with the record of the file, and without a Location.',
    run: async (context) => {
      const { answer, record, name } = await sharedFile(context);
      expectThat(answer.mediaType === 'application/json', `The media type is ${shown(answer.mediaType)}.`);
      expectThat(valueIn(record, 'filename') === name, `"filename" is ${shown(valueIn(record, 'filename'))}.`);
    },
  },
  {
    name: 'size',
    rule: 'The file of a standard upload has the size of the body.',
    run: async (context) => {
      const { record, body } = await sharedFile(context);
      const size = valueIn(record, 'filesize');
      expectThat(size === body.byteLength, `"filesize" is ${shown(size)}, not ${body.byteLength}.`);
    },
  },
  {
    name: 'temporary',
    rule: 'The file of a standard upload is temporary until a record uses it.',
    run: async (context) => {
      const { record } = await sharedFile(context);
      expectThat(valueIn(record, 'status') === false, `"status" is ${shown(valueIn(record, 'status'))}.`);
    },
  },
  {
    name: 'same-name',
    rule: 'A second file of the same name keeps its own bytes: its name gets a number.',
    run: async (context) => {
      const { name, path, body } = standard(context);
      const uris = [];
      for (let turn = 0; turn < 2; turn += 1) {
        const answer = await post(context, { path, headers: [binary, named(name)], body });
        const record = recordOf(expectStatus(answer, 201));
        await context.workspace.made('file', numberIn(record, 'fid'));
        uris.push(valueIn(record, 'uri'));
      }
      expectThat(uris[0] !== uris[1], `Both files are at ${shown(uris[0])}.`);
    },
  },
  {
    name: 'becomes-media',
    rule: 'A media that a POST makes of an uploaded file makes the file permanent.',
    run: async (context) => {
      const { id, field } = await makeFile(context);
      const bundle = uploadBundle(context);
      const kind = kindOf(context.contract.site, bundle, 'media');
      const json = {
        bundle: [{ target_id: bundle.id }],
        name: [{ value: `${context.workspace.label} of a file` }],
        [field]: [{ target_id: id }],
      };
      const answer = await context.ask({ method: 'POST', path: inJson(kind.collection), as: context.maker(), json });
      await context.workspace.made('media', numberIn(recordOf(expectStatus(answer, 201)), 'mid'));
      const status = valueIn(await readBack(context, { path: `/entity/file/${id}` }), 'status');
      expectThat(status === true, `"status" of the file is ${shown(status)}.`);
    },
  },
];

type Fault = {
  readonly name: string;
  readonly words: string;
  readonly status: number;
  readonly says: string;
  readonly sent: (right: Standard, context: CheckContext) => Omit<AskedRequest, 'method' | 'as'>;
};

const mustBeGiven = 'A file name in the format "filename=FILENAME" must be provided.';

const faults: readonly Fault[] = [
  {
    ...{ name: 'no-disposition', words: 'without a Content-Disposition', status: 400 },
    says: `"Content-Disposition" header is required. ${mustBeGiven}`,
    sent: ({ path, body }) => ({ path, headers: [binary], body }),
  },
  {
    ...{ name: 'no-name', words: 'whose Content-Disposition has no name', status: 400 },
    says: `No filename found in "Content-Disposition" header. ${mustBeGiven}`,
    sent: ({ path, body }) => ({ path, headers: [binary, ['Content-Disposition', 'file']], body }),
  },
  {
    ...{ name: 'json', words: 'of JSON', status: 415, says: '' },
    sent: ({ path, name }) => ({ path, headers: [['Content-Type', 'application/json'], named(name)], body: '{}' }),
  },
  {
    ...{ name: 'other-extension', words: 'of a file whose extension the field does not take', status: 422 },
    says: 'Only files with the following extensions are allowed',
    sent: ({ path, body }) => ({ path, headers: [binary, named('verify.verifynone')], body }),
  },
  {
    ...{ name: 'absent-field', words: 'for a field that does not exist', status: 404, says: 'does not exist' },
    sent: ({ path, name, body, field }) => ({
      path: path.replace(field, 'field_verify_none'),
      headers: [binary, named(name)],
      body,
    }),
  },
  {
    ...{ name: 'no-file-field', words: 'for a field that holds no files', status: 403, says: 'is not a file field' },
    sent: ({ path, name, body, field }) => ({
      path: path.replace(field, 'name'),
      headers: [binary, named(name)],
      body,
    }),
  },
];

const faultCheck = ({ name, words, status, says, sent }: Fault): Check =>
  writing({
    ...referenceRule(`standard-upload.refused.${name}`, sources.recorded),
    rule: `A standard upload ${words} is refused with ${status}.`,
    operations: ['uploadFile'],
    run: async (context) => {
      const right = standard(context);
      if (name === 'other-extension' && extensionsOf(uploadBundle(context)).length === 0) {
        throw new CheckSkip('The field takes files of every name.');
      }
      const message = expectRefusal(await post(context, sent(right, context)), status);
      expectThat(message.includes(says), `The message is ${shown(message)}, without ${shown(says)}.`);
    },
  });

export const standardUploadChecks: readonly Check[] = [
  ...rules.map(({ name, rule, run }) =>
    writing({
      ...{ ...referenceRule(`standard-upload.${name}`, sources.recorded), rule, run },
      operations: name === 'becomes-media' ? ['uploadFile', 'createMedia', 'getFile'] : ['uploadFile'],
    }),
  ),
  ...faults.map(faultCheck),
];
