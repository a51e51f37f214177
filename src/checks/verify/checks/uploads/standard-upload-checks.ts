/** Checks of the standard upload, which makes a file for a field, and of media that a POST makes of such a file. */
import type { HeaderLine } from '../../../../exchange/exchange.ts';
import { CheckSkip, expectRefusal, expectRefusalThatSays, expectSame, expectStatus, expectThat } from '../../answer.ts';
import type { AskedRequest, Check, CheckContext } from '../../check.ts';
import { asMaker, kindOf, patchBody } from '../writing/record-kinds.ts';
import { numberIn, recordOf, valueIn } from '../../record-members.ts';
import { expectContent, fileOf, makeUpload, type Upload, uploadBundle } from './uploading.ts';
import { extensionOf, extensionsOf, sampleBytes } from '../../sample-file.ts';
import { contractRule, referenceRule, checksOf, checksThatWrite, sources, type Rule } from '../../rule.ts';

/** An upload whose bytes were replaced at the target of its link edit-media. Its file was read before. */
const replacedSource = (context: CheckContext) =>
  context.once('replaced source', async (own) => {
    const upload = await makeUpload(own, { isOfAnyNode: true });
    const { media, bundle, contentType } = upload;
    await fileOf(own, upload);
    const { links } = await asMaker(own, 'GET', media.path);
    const target = links.find(({ rel }) => rel === 'edit-media')?.target;
    if (target === undefined) throw new CheckSkip('The media has no link edit-media for the maker.');
    expectThat(target === `${own.baseUrl}/media/${media.id}/source`, `The link leads to ${target}.`);
    const bytes = sampleBytes(bundle, 70);
    const headers = [['Content-Type', contentType]] as const;
    const path = target.slice(own.baseUrl.length);
    return { upload, bytes, answer: await own.ask({ method: 'PUT', path, as: own.maker(), headers, body: bytes }) };
  });

const replacing: readonly Rule<Awaited<ReturnType<typeof replacedSource>>>[] = [
  referenceRule('replaces')(
    'A PUT to the target of the link edit-media answers 204 and replaces the content.',
    ({ upload, bytes, answer }, context) => {
      expectStatus(answer, 204);
      return expectContent(context, upload.content, bytes);
    },
  ),
  contractRule('size', sources.fields)(
    'After a PUT of a source the file has the size of the new bytes.',
    async ({ upload, bytes }, context) =>
      expectSame(valueIn(await fileOf(context, upload), 'filesize'), bytes.byteLength, '"filesize"'),
  ),
];

const keptSources: readonly Rule<Upload>[] = (
  [
    ['no-content-type', 'without a Content-Type', sources.recorded, false, true],
    ['empty', 'with an empty body', `${sources.recorded}; docs/use/differences.md: An empty upload`, true, false],
  ] as const
).map(([name, words, source, hasType, hasBody]) =>
  referenceRule(name, source)(
    `A PUT of a source ${words} is refused with 400, and the bytes stay.`,
    async ({ media, content, bundle, bytes, contentType }, context) => {
      const headers = hasType ? ([['Content-Type', contentType]] as const) : [];
      const body = hasBody ? sampleBytes(bundle) : '';
      expectRefusal(await asMaker(context, 'PUT', `/media/${media.id}/source`, { headers, body }), 400);
      await expectContent(context, content, bytes);
    },
  ),
);

const absentSource = contractRule('source.absent', sources.errors)(
  'A PUT of the source of a media that does not exist answers 404.',
  async (context) => {
    const path = `/media/${context.subjects.absentId}/source`;
    const headers = [['Content-Type', 'text/plain']] as const;
    expectRefusal(await asMaker(context, 'PUT', path, { headers, body: 'x' }), 404);
  },
  { also: ['putMediaSource'] },
);

const ofSources = { topic: 'source', operations: ['putMediaSource', 'putNodeMedia'], isWriting: true };
const keptSource = (context: CheckContext): Promise<Upload> =>
  context.once('kept source', (own) => makeUpload(own, { isOfAnyNode: true }));

export const sourceChecks: readonly Check[] = [
  ...checksOf({ ...ofSources, see: replacedSource }, replacing),
  ...checksOf({ ...ofSources, see: keptSource }, keptSources),
  ...checksThatWrite([absentSource]),
];

const binary: HeaderLine = ['Content-Type', 'application/octet-stream'];
const named = (name: string): HeaderLine => ['Content-Disposition', `file; filename="${name}"`];

type Standard = { readonly name: string; readonly path: string; readonly body: Uint8Array; readonly field: string };

const standard = (context: CheckContext): Standard => {
  const bundle = uploadBundle(context);
  const field = bundle.source?.field ?? '';
  return {
    name: `${crypto.randomUUID()}.${extensionOf(bundle)}`,
    path: `/file/upload/media/${bundle.id}/${field}`,
    body: sampleBytes(bundle),
    field,
  };
};

const makeFile = async (context: CheckContext, right = standard(context)) => {
  const { name, path, body } = right;
  const answer = expectStatus(await asMaker(context, 'POST', path, { headers: [binary, named(name)], body }), 201);
  const record = recordOf(answer);
  return { ...right, answer, record, id: numberIn(record, 'fid') };
};

type Made = Awaited<ReturnType<typeof makeFile>>;
const rules: readonly Rule<Made>[] = [
  referenceRule('answer')(
    'A standard upload answers 201 with the record of the file, and without a Location.',
    ({ answer, record, name }) => {
      expectSame(answer.mediaType, 'application/json', 'The media type');
      expectSame(valueIn(record, 'filename'), name, '"filename"');
    },
  ),
  referenceRule('size')('The file of a standard upload has the size of the body.', ({ record, body }) =>
    expectSame(valueIn(record, 'filesize'), body.byteLength),
  ),
  referenceRule('temporary')('The file of a standard upload is temporary until a record uses it.', ({ record }) =>
    expectSame(valueIn(record, 'status'), false),
  ),
  referenceRule('same-name')(
    'A second file of the same name keeps its own bytes: its name gets a number.',
    async (first, context) => {
      const uris = [first, await makeFile(context, first)].map(({ record }) => valueIn(record, 'uri'));
      expectThat(uris[0] !== uris[1], `Both files are at ${String(uris[0])}.`);
    },
  ),
  referenceRule('becomes-media')(
    'A media that a POST makes of an uploaded file makes the file permanent.',
    async (_made, context) => {
      const { id, field } = await makeFile(context);
      const kind = kindOf(context.contract.site, uploadBundle(context), 'media');
      const name = [{ value: `${context.workspace.label} of a file` }];
      const json = patchBody(kind, { name, [field]: [{ target_id: id }] });
      expectStatus(await asMaker(context, 'POST', kind.collection, { json }), 201);
      expectSame(valueIn(await fileOf(context, { fileId: id }), 'status'), true, '"status" of the file');
    },
    { also: ['createMedia', 'getFile'] },
  ),
];

const mustBeGiven = 'A file name in the format "filename=FILENAME" must be provided.';
const noDisposition = `"Content-Disposition" header is required. ${mustBeGiven}`;
const noName = `No filename found in "Content-Disposition" header. ${mustBeGiven}`;
const noExtension = 'Only files with the following extensions are allowed';

type Sent = Partial<Pick<AskedRequest, 'path' | 'headers' | 'body'>>;
type Fault = readonly [name: string, words: string, status: number, says: string, sent: (right: Standard) => Sent];

const faults: readonly Fault[] = [
  ['no-disposition', 'without a Content-Disposition', 400, noDisposition, () => ({ headers: [binary] })],
  [
    ...(['no-name', 'whose Content-Disposition has no name', 400, noName] as const),
    () => ({ headers: [binary, ['Content-Disposition', 'file']] }),
  ],
  [
    ...(['json', 'of JSON', 415, ''] as const),
    ({ name }) => ({ headers: [['Content-Type', 'application/json'], named(name)], body: '{}' }),
  ],
  [
    ...(['other-extension', 'of a file whose extension the field does not take', 422, noExtension] as const),
    () => ({ headers: [binary, named('verify.verifynone')] }),
  ],
  [
    ...(['absent-field', 'for a field that does not exist', 404, 'does not exist'] as const),
    ({ path, field }) => ({ path: path.replace(field, 'field_verify_none') }),
  ],
  [
    ...(['no-file-field', 'for a field that holds no files', 403, 'is not a file field'] as const),
    ({ path, field }) => ({ path: path.replace(field, 'name') }),
  ],
];

const fault = ([name, words, status, says, sent]: Fault): Rule =>
  referenceRule(`refused.${name}`, sources.recorded)(
    `A standard upload ${words} is refused with ${status}.`,
    async (context) => {
      const right = standard(context);
      if (name === 'other-extension' && extensionsOf(uploadBundle(context)).length === 0) {
        throw new CheckSkip('The field takes files of every name.');
      }
      const { path = right.path, ...other } = sent(right);
      const asked = { headers: [binary, named(right.name)], body: right.body, ...other };
      expectRefusalThatSays(await asMaker(context, 'POST', path, asked), status, says);
    },
  );

const ofFiles = { topic: 'standard-upload', operations: ['uploadFile'], isWriting: true };

export const standardUploadChecks: readonly Check[] = [
  ...checksOf({ ...ofFiles, see: (context) => context.once('standard upload', (own) => makeFile(own)) }, rules),
  ...checksThatWrite(faults.map(fault), ofFiles),
];
