/** Uploads small files to nodes of a run, and tells the media and the file that came of it. */
import { CheckFailure, CheckSkip, shown, type Answer } from '../answer.ts';
import type { KnownEntity } from '../check.ts';
import { entityOf } from '../discovery.ts';
import { targetsIn, type FieldRoles } from '../field-roles.ts';
import { firstMember } from '../record-members.ts';
import { slugOf } from './journal.ts';
import { madeBy } from './making-watch.ts';
import { uploadSample, type UploadSample } from './upload-samples.ts';
import type { MadeWorkspace, WorkspaceParts } from './workspace-parts.ts';

export const createUploads = (
  parts: WorkspaceParts,
  nextNumber: () => number,
): Pick<MadeWorkspace, 'media' | 'fileOf'> => {
  const { journal, roles, account, ask, baseUrl } = parts;
  const slug = slugOf(journal.label);
  const nextUse = createUses(parts.terms.uses);
  const media: MadeWorkspace['media'] = async (of, bundle, content, wantedScheme) => {
    const sample = uploadSampleOf(roles, bundle);
    const scheme = wantedScheme ?? sample.scheme ?? parts.defaultScheme;
    const answer = await ask({
      method: 'PUT',
      path: `/node/${of.id}/media/${bundle}/${nextUse(of)}`,
      as: account,
      headers: [
        ['Content-Type', sample.mediaType],
        ['Content-Location', `${scheme}://${slug}/${slug}-${nextNumber()}.${sample.extension}`],
      ],
      body: content ?? sample.content,
    });
    const made = madeBy('media', answer);
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
  return { media, fileOf };
};

/** A second upload with the same use would replace the file of the first media of the node. */
const createUses = (uses: readonly number[]): ((node: KnownEntity) => number) => {
  const taken = new Map<number, number>();
  return ({ id }) => {
    const before = taken.get(id) ?? 0;
    const use = uses[before];
    if (use === undefined && before === 0)
      throw new CheckSkip('No term for the use of media is known. Name one with --use-term.');
    if (use === undefined) throw new CheckSkip('No further term for the use of media is known.');
    taken.set(id, before + 1);
    return use;
  };
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
