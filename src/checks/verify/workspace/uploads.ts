/** Uploads small files to nodes of a run, and tells the media and the file that came of it. */
import { lookup } from 'mime-types';
import type { Bundle } from '../../../core/model/bundle.ts';
import { type Answer, CheckFailure, CheckSkip, shown } from '../answer.ts';
import type { KnownEntity } from '../check.ts';
import { entityOf } from '../discovery.ts';
import { type FieldRoles, targetsIn } from '../field-roles.ts';
import { firstMember } from '../record-members.ts';
import { bornPublished } from '../workflow-states.ts';
import { slugOf } from './journal.ts';
import { madeBy } from './making-watch.ts';
import type { MadeWorkspace, WorkspaceParts } from './workspace-parts.ts';

type UploadSample = { readonly extension: string; readonly mediaType: string; readonly content: Uint8Array };

/** One pixel each: a server reads the dimensions of an image. */
const images: Readonly<Record<string, string>> = {
  png: 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNkYAAAAAYAAjCB0C8AAAAASUVORK5CYII=',
  gif: 'R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7',
};

/** A WAVE file of no sound: 44 bytes of header (RIFF, PCM, 8 kHz) and no samples. */
const silence = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=';

/** Undefined for a bundle that takes no file of a kind that this can make. */
const uploadSample = (bundle: Bundle): UploadSample | undefined => {
  const { source } = bundle;
  const allowed = source === undefined ? [] : (bundle.fields.get(source.field)?.extensions ?? []);
  const any = allowed.length === 0;
  const wanted = preferred[source?.kind ?? ''] ?? [];
  const extension =
    wanted.find((each) => any || allowed.includes(each)) ?? (source?.kind === 'image' ? undefined : allowed[0]);
  if (extension === undefined) return undefined;
  const image = images[extension];
  const content =
    image !== undefined
      ? Buffer.from(image, 'base64')
      : extension === 'wav'
        ? Buffer.from(silence, 'base64')
        : Buffer.from(`A small file of \`atoll verify\`.\n`);
  const mediaType = lookup(extension);
  return { extension, mediaType: mediaType === false ? 'application/octet-stream' : mediaType, content };
};

const preferred: Readonly<Record<string, readonly string[]>> = {
  image: ['png', 'gif'],
  audio: ['wav', 'mp3'],
  video: ['mp4', 'webm'],
  file: ['txt', 'pdf'],
};

export const createUploads = (
  parts: WorkspaceParts,
  nextNumber: () => number,
): Pick<MadeWorkspace, 'media' | 'fileOf'> & { readonly uses: Uses } => {
  const { journal, roles, account, ask, baseUrl } = parts;
  const slug = slugOf(journal.label);
  const uses = createUses(parts.terms);
  /** An upload makes a draft where media follow a workflow. */
  const publish = async (path: string, bundle: string): Promise<void> => {
    const state = bornPublished(roles.uploadBundles.find(({ id }) => id === bundle));
    const json = { bundle: [{ target_id: bundle }], ...state };
    if (Object.keys(state).length > 0) await ask({ method: 'PATCH', path, as: account, json });
  };
  const media: MadeWorkspace['media'] = async (of, bundle, content, wantedScheme) => {
    const sample = uploadSampleOf(roles, bundle);
    const scheme = wantedScheme ?? sample.scheme ?? parts.defaultScheme;
    const answer = await ask({
      method: 'PUT',
      path: `/node/${of.id}/media/${bundle}/${uses.next(of)}`,
      as: account,
      headers: [
        ['Content-Type', sample.mediaType],
        ['Content-Location', `${scheme}://${slug}/${slug}-${nextNumber()}.${sample.extension}`],
      ],
      body: content ?? sample.content,
    });
    const made = madeBy('media', answer);
    if (made !== undefined) await publish(`${mediaPath(answer, made.id)}?_format=json`, bundle);
    const read = made && (await ask({ path: `${mediaPath(answer, made.id)}?_format=json`, as: account }));
    const entity = made && read && entityOf('media', made.id, read);
    if (entity !== undefined) return entity;
    const { method, path } = answer.exchange.request;
    throw new CheckFailure(
      `No media could be made: ${method} ${path} answered ${answer.status} ${shown(answer.text)}.`,
    );
  };
  const fileOf: MadeWorkspace['fileOf'] = async ({ bundle, record, id }) => {
    const fileId = targetsIn(record, roles.sourceField(bundle))[0];
    if (fileId === undefined) return undefined;
    const file = entityOf('file', fileId, await ask({ path: `/entity/file/${fileId}?_format=json`, as: account }));
    const read = await ask({ path: `/media/${id}?_format=json`, as: account });
    const content = read.links.find(({ rel }) => rel === 'describes')?.target ?? addressOf(file, baseUrl);
    return file === undefined || content?.startsWith(`${baseUrl}/`) !== true
      ? undefined
      : { ...file, content: content.slice(baseUrl.length) };
  };
  return { media, fileOf, uses };
};

type Uses = {
  readonly next: (node: KnownEntity) => number;
  readonly isSpare: (node: KnownEntity) => boolean;
};

/**
 * A second upload with the same use would replace the file of the first media of the node. A node that gets derivatives is not spare: the
 * site may give one the use of a further upload.
 */
const createUses = ({ uses, fertile }: WorkspaceParts['terms']): Uses => {
  const taken = new Map<number, number>();
  const next: Uses['next'] = ({ id }) => {
    const before = taken.get(id) ?? 0;
    const use = uses[before];
    if (use === undefined && before === 0)
      throw new CheckSkip('No term for the use of media is known. Name one with --use-term.');
    if (use === undefined) throw new CheckSkip('No further term for the use of media is known.');
    taken.set(id, before + 1);
    return use;
  };
  const isSpare: Uses['isSpare'] = ({ id }) => {
    const count = taken.get(id) ?? 0;
    return count < Math.max(1, uses.length) && !uses.slice(0, count).some((use) => fertile.has(use));
  };
  return { next, isSpare };
};

const mediaPath = (answer: Answer, id: number): string =>
  /\/media\/\d+\/edit/.test(answer.header('location') ?? '') ? `/media/${id}/edit` : `/media/${id}`;

const addressOf = (file: KnownEntity | undefined, baseUrl: string): string | undefined => {
  const url = firstMember(file?.record, 'uri', 'url');
  return typeof url === 'string' ? new URL(url, `${baseUrl}/`).href : undefined;
};

const uploadSampleOf = (roles: FieldRoles, id: string): UploadSample & { readonly scheme: string | undefined } => {
  const bundle = roles.uploadBundles.find((each) => each.id === id);
  const sample = bundle === undefined ? undefined : uploadSample(bundle);
  if (bundle === undefined || sample === undefined)
    throw new CheckSkip(`No file for a media of type ${id} can be made.`);
  const scheme = bundle.source === undefined ? undefined : bundle.fields.get(bundle.source.field)?.scheme;
  return { ...sample, scheme };
};
