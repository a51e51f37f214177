/** Uploads small files to nodes of a run, and tells the media and the file that came of it. */
import { addressPath, type Site } from '../../../repository/repository.ts';
import type { TargetAccount } from '../../../exchange/exchange-target.ts';
import { type Answer, CheckFailure, CheckSkip, shown } from '../answer.ts';
import type { AskedRequest, KnownEntity } from '../check.ts';
import { entityOf } from '../discovery.ts';
import { fieldRoles, targetsIn } from '../field-roles.ts';
import { valueIn } from '../record-members.ts';
import { extensionOf, mediaTypeOf, placeIn, sampleBytes } from '../sample-file.ts';
import { bornPublished } from '../workflow-states.ts';
import type { Journal } from './journal.ts';
import { madeBy } from './making-watch.ts';

export type WorkspaceParts = {
  readonly journal: Journal;
  readonly site: Site;
  readonly account: TargetAccount;
  readonly baseUrl: string;
  /** Its requests are noted in the journal. */
  readonly ask: (request: AskedRequest) => Promise<Answer>;
  /** The node that everything becomes a part of. Undefined while it is not made yet. */
  readonly container: () => number | undefined;
  /** `fertile`: the uses that the site makes derivatives of. */
  readonly terms: {
    readonly model: number | undefined;
    readonly uses: readonly number[];
    readonly fertile: ReadonlySet<number>;
  };
};

export const createUploads = (parts: WorkspaceParts) => {
  const { journal, site, account, ask, baseUrl } = parts;
  const { uploadBundles, sourceField } = fieldRoles(site);
  const uses = createUses(parts.terms);
  const addressOf = (media: number): string => `${addressPath(site, 'media', media)}?_format=json`;
  /** `wantedScheme`: where the file goes, in place of where the field says. */
  const media = async (of: KnownEntity, id: string, wantedScheme?: string): Promise<KnownEntity> => {
    const bundle = uploadBundles.find((each) => each.id === id);
    if (bundle === undefined) throw new CheckSkip(`No file for a media of type ${id} can be made.`);
    const extension = extensionOf(bundle);
    const scheme = wantedScheme ?? bundle.fields.get(sourceField(id) ?? '')?.scheme ?? site.defaultScheme;
    const answer = await ask({
      ...{ method: 'PUT', path: `/node/${of.id}/media/${id}/${uses.next(of)}`, as: account },
      headers: [
        ['Content-Type', mediaTypeOf(extension)],
        ['Content-Location', placeIn(journal.label, scheme, extension)],
      ],
      body: sampleBytes(bundle),
    });
    const made = madeBy('media', answer);
    // An upload makes a draft where media follow a workflow.
    const state = bornPublished(bundle);
    const json = { bundle: [{ target_id: id }], ...state };
    if (made !== undefined && Object.keys(state).length > 0)
      await ask({ method: 'PATCH', path: addressOf(made.id), as: account, json });
    const entity = made && entityOf('media', made.id, await ask({ path: addressOf(made.id), as: account }));
    if (entity !== undefined) return entity;
    const { method, path } = answer.exchange.request;
    throw new CheckFailure(
      `No media could be made: ${method} ${path} answered ${answer.status} ${shown(answer.text)}.`,
    );
  };
  /** The file of a media, and the address of its bytes. */
  const fileOf = async ({ bundle, record, id }: KnownEntity) => {
    const fileId = targetsIn(record, sourceField(bundle))[0];
    if (fileId === undefined) return undefined;
    const file = entityOf('file', fileId, await ask({ path: `/entity/file/${fileId}?_format=json`, as: account }));
    const { links } = await ask({ path: addressOf(id), as: account });
    const url = valueIn(file?.record, 'uri', 'url');
    const ownAddress = typeof url === 'string' ? new URL(url, `${baseUrl}/`).href : undefined;
    const content = links.find(({ rel }) => rel === 'describes')?.target ?? ownAddress;
    return file === undefined || content?.startsWith(`${baseUrl}/`) !== true
      ? undefined
      : { ...file, content: content.slice(baseUrl.length) };
  };
  return { media, fileOf, uses };
};

/**
 * A second upload with the same use would replace the file of the first media of the node. A node that gets derivatives is not spare: the
 * site may give one the use of a further upload.
 */
const createUses = ({ uses, fertile }: WorkspaceParts['terms']) => {
  const taken = new Map<number, number>();
  const next = ({ id }: KnownEntity): number => {
    const before = taken.get(id) ?? 0;
    const use = uses[before];
    if (use === undefined && before === 0)
      throw new CheckSkip('No term for the use of media is known. Name one with --use-term.');
    if (use === undefined) throw new CheckSkip('No further term for the use of media is known.');
    taken.set(id, before + 1);
    return use;
  };
  const isSpare = ({ id }: KnownEntity): boolean => {
    const count = taken.get(id) ?? 0;
    return count < Math.max(1, uses.length) && !uses.slice(0, count).some((use) => fertile.has(use));
  };
  return { next, isSpare };
};
