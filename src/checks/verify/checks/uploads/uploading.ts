/** Uploads bytes through the contract's endpoint, and follows links from the media to the file and its content. */
import { createHash } from 'node:crypto';
import { type Bundle, addressPath } from '../../../../repository/repository.ts';
import type { TargetAccount } from '../../../../exchange/exchange-target.ts';
import { type Answer, CheckFailure, CheckSkip, expectStatus, expectThat } from '../../answer.ts';
import type { AskedRequest, CheckContext } from '../../check.ts';
import { asMaker, fileBundles, inJson, readBack } from '../writing/record-kinds.ts';
import { type JsonRecord, numberIn, recordOf, valueIn } from '../../record-members.ts';
import { extensionOf, extensionsOf, mediaTypeOf, placeIn, sampleBytes } from '../../sample-file.ts';
import { readBytes, orSkip } from '../reading/reading-check.ts';

/** The record of the file of an upload. */
export const fileOf = (context: CheckContext, { fileId }: Pick<Upload, 'fileId'>): Promise<JsonRecord> =>
  readBack(context, { path: `/entity/file/${fileId}` });

/** Throws unless the content at an address is these bytes. */
export const expectContent = async (context: CheckContext, content: string, wanted: Uint8Array): Promise<void> =>
  expectBytes(await readContent(context, content), wanted);

const expectBytes = (answer: Answer, wanted: Uint8Array): void => {
  const { body } = answer.exchange.reply;
  expectThat(body.bytes === wanted.byteLength, `The content has ${body.bytes} bytes, not ${wanted.byteLength}.`);
  const digest = createHash('sha256').update(wanted).digest('hex');
  expectThat(body.sha256 === digest, 'The content is not the bytes that were sent.');
};

/** An upload. What is not named is that of a right one. */
type PlannedUpload = {
  readonly node: number;
  readonly bundle?: Bundle;
  readonly use?: number;
  readonly as?: TargetAccount;
  readonly contentType?: string | undefined;
  readonly location?: string;
  readonly body?: Uint8Array | undefined;
};

/** The bundle of a text file where the site has one, for which any bytes will do; else any bundle with a file. */
export const uploadBundle = (context: Pick<CheckContext, 'contract'>): Bundle => {
  const bundles = fileBundles(context.contract);
  const found = bundles.find((bundle) => extensionsOf(bundle).includes('txt')) ?? bundles[0];
  return orSkip(found, 'The site has no media with files.');
};

/** A place for a new file of the run. */
const freshLocation = ({ workspace }: CheckContext, extension: string, scheme = 'public'): string =>
  placeIn(workspace.label, scheme, extension);

/** The term for the use of media. Throws `CheckSkip` without one. */
export const useTerm = ({ subjects }: CheckContext): number =>
  orSkip(subjects.terms.use, 'No term for the use of media is known.');

export const uploadPath = (node: number | string, bundle: string, use: number | string): string =>
  `/node/${node}/media/${bundle}/${use}`;

export const uploadRequest = (context: CheckContext, planned: PlannedUpload): AskedRequest => {
  const { node, bundle = uploadBundle(context), use = useTerm(context), as = context.maker() } = planned;
  const { contentType = mediaTypeOf(extensionOf(bundle)), body = sampleBytes(bundle) } = planned;
  const { location = freshLocation(context, extensionOf(bundle)) } = planned;
  const headers = [['Content-Type', contentType] as const, ['Content-Location', location] as const];
  return { method: 'PUT', path: inJson(uploadPath(node, bundle.id, use)), as, headers, body };
};

export const put = (context: CheckContext, planned: PlannedUpload): Promise<Answer> =>
  context.ask(uploadRequest(context, planned));

/** Sends bytes to the node, the term and the place of an upload. */
export const replace = (
  context: CheckContext,
  { node, bundle, use, contentType, location }: Upload,
  other: Partial<PlannedUpload> = {},
): Promise<Answer> => put(context, { node: node.id, bundle, use, contentType, location, ...other });

export type Upload = Awaited<ReturnType<typeof makeUpload>>;

type UploadOptions = {
  readonly bundle?: Bundle;
  readonly bytes?: Uint8Array | undefined;
  readonly scheme?: string;
  readonly contentType?: string | undefined;
  /** Whether the node may have other media. */
  readonly isOfAnyNode?: boolean;
  /** The title of the new node. */
  readonly title?: string;
};

/** Uploads to a node, a new one unless any will do. Throws `CheckFailure` unless the answer is 201 with a Location that leads to a media. */
export const makeUpload = async (context: CheckContext, options: UploadOptions = {}) => {
  const { bundle = uploadBundle(context), scheme = schemeOf(context), isOfAnyNode = false } = options;
  const { bytes = sampleBytes(bundle), contentType = mediaTypeOf(extensionOf(bundle)) } = options;
  const { workspace } = context;
  const titled = options.title === undefined ? undefined : { title: [{ value: options.title }] };
  const node = await (isOfAnyNode ? workspace.spareNode() : workspace.node(titled));
  const use = isOfAnyNode ? workspace.useOf(node) : useTerm(context);
  const location = freshLocation(context, extensionOf(bundle), scheme);
  const planned = { node: node.id, bundle, use, contentType, location, body: bytes };
  const answer = expectStatus(await put(context, planned), 201);
  const id = mediaIdOf(answer);
  const path = addressPath(context.contract.site, 'media', id);
  const read = expectStatus(await asMaker(context, 'GET', path), 200);
  const record = recordOf(read);
  const fileId = numberIn(record, bundle.source?.field ?? '', 'target_id');
  const content = await contentOf(context, read, fileId);
  const media = { id, path, record };
  return { node, bundle, use, media, fileId, content, location, scheme, contentType, bytes, answer };
};

/** The standard upload of a file for the field of a media. Throws `CheckSkip` where the site has none. */
export const standardUpload = (context: CheckContext, name: string, body?: Uint8Array): AskedRequest => {
  const bundle = uploadBundle(context);
  const { field } = orSkip(bundle.source, 'The site has no media with files.');
  const disposition = `file; filename="${name}.${extensionOf(bundle)}"`;
  return {
    ...{ method: 'POST', path: inJson(`/file/upload/media/${bundle.id}/${field}`) },
    headers: [
      ['Content-Type', 'application/octet-stream'],
      ['Content-Disposition', disposition],
    ],
    body: body ?? sampleBytes(bundle),
  };
};

/** New bytes for the source of an upload's media. */
export const sourceRequest = ({ media, bundle, contentType }: Upload): AskedRequest => ({
  ...{ method: 'PUT', path: inJson(`/media/${media.id}/source`), body: sampleBytes(bundle, 50) },
  headers: [['Content-Type', contentType]],
});

/** The key of a node that gets no media as long as uploads to it are refused. */
export const nodeToUpload = 'node without media';

export const emptyNode = (context: CheckContext): Promise<number> =>
  context.once(nodeToUpload, async ({ workspace }) => (await workspace.node()).id);

/** One upload of a kind, for all the checks that only look at it. */
export const sharedUpload = (context: CheckContext, options: UploadOptions = {}): Promise<Upload> =>
  context.once(sharedKey(context, options), (own) => makeUpload(own, options));

/** The key of a shared upload. */
const sharedKey = (context: CheckContext, options: UploadOptions = {}): string => {
  const { bundle = uploadBundle(context), scheme = schemeOf(context) } = options;
  return `upload ${bundle.id} ${scheme}`;
};

/** A scheme that the standard of the contract has, or the site's own. */
export const schemeOf = ({ contract: { site } }: Pick<CheckContext, 'contract'>): string =>
  site.storages.some(({ scheme }) => scheme === 'public') ? 'public' : site.defaultScheme;

/** The id in the Location of an upload. Throws `CheckFailure` without one. */
export const mediaIdOf = (answer: Answer): number => {
  const location = answer.header('location') ?? '';
  const id = /\/media\/(\d+)(?:\/edit)?$/.exec(location)?.[1];
  if (id !== undefined) return Number(id);
  throw new CheckFailure(`The Location of an upload is the address of a media, not "${location}".`);
};

/** The address of the bytes below the base URL, by the link `describes` or else by the file's record. */
const contentOf = async (context: CheckContext, { links }: Answer, fileId: number): Promise<string> => {
  const url = async (): Promise<string> => String(valueIn(await fileOf(context, { fileId }), 'uri', 'url'));
  const described = links.find(({ rel }) => rel === 'describes')?.target;
  const address = described ?? new URL(await url(), `${context.baseUrl}/`).href;
  if (address.startsWith(`${context.baseUrl}/`)) return address.slice(context.baseUrl.length);
  throw new CheckSkip(`The content of the file is on another server: ${address}.`);
};

/** The bytes at an address, as the maker may read them. */
export const readContent = async (context: CheckContext, content: string): Promise<Answer> =>
  expectStatus((await readBytes(context, content)).answer, 200);
