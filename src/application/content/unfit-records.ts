/** Says at a start, and after a reload of the site, which stored records the site does not fit any more. */
import { hash } from 'node:crypto';
import { beginSlices } from '../../basics/long-work.ts';
import { writeWhole } from '../../basics/disk/files.ts';
import { readRegularFile } from '../../basics/disk/regular-file.ts';
import { isRecord, parsedJson } from '../../basics/json.ts';
import { faultLine } from '../../basics/records/record-faults.ts';
import { recordFaults } from '../../repository/repository-content.ts';
import { entityTypes, repositorySite, type Site } from '../../repository/repository.ts';
import { keyOf, type Entity, type EntityKey, type EntityStore } from '../../openapi/openapi-records.ts';
import type { FitJudge, FitJudgeOptions } from '../../server/server-application.ts';

/** Records and violations that a message names; it counts the others. */
const named = 10;
const recordsOfPage = 500;

const shortened = (lines: readonly string[], separator: string): string =>
  [...lines.slice(0, named), ...(lines.length > named ? [`… and ${lines.length - named} more`] : [])].join(separator);

const remedy =
  'They answer 404, and DELETE removes them. To serve them, give the site the bundle, or start with the site that they were made with.';

/**
 * One message for each type with records whose bundle the site does not have. The totals of the store say whether there are
 * any, so that no record is read where all fit.
 */
export const unservedRecords = async (store: EntityStore, { model }: Pick<Site, 'model'>): Promise<string[]> => {
  const messages: string[] = [];
  for (const type of entityTypes) {
    const count = async (bundle?: string): Promise<number> =>
      (await store.list(type, { bundle, offset: 0, limit: 1 })).total;
    const served = await Promise.all(model.bundles(type).map(({ id }) => count(id)));
    const missing = (await count()) - served.reduce((sum, each) => sum + each, 0);
    if (missing <= 0) continue;
    const gone: Entity[] = [];
    await eachRecord(store, [type], (entity) => {
      if (model.bundle(type, entity.bundle) === undefined) gone.push(entity);
    });
    const bundles = [...new Set(gone.map(({ bundle }) => `"${bundle}"`))].sort().join(', ');
    messages.push(
      `The site has no ${type} bundle ${bundles}, and ${gone.length} stored records have it: ${shortened(gone.map(keyOf), ', ')}. ${remedy}`,
    );
  }
  return messages;
};

const eachRecord = async (
  store: Pick<EntityStore, 'list'>,
  types: readonly string[],
  look: (entity: Entity) => void,
): Promise<void> => {
  const slices = beginSlices();
  for (const type of types) {
    for (let offset = 0; ; offset += recordsOfPage) {
      const { entities, total } = await store.list(type, { offset, limit: recordsOfPage });
      for (const entity of entities) {
        if (slices.isOver()) await slices.next();
        look(entity);
      }
      if (offset + recordsOfPage >= total) break;
    }
  }
};

/** What a data directory keeps of the last judgement: the site, and the records that did not fit it. */
type Judged = { readonly site: string; readonly unfit: readonly EntityKey[] };

/**
 * Judges the values of all records when the site is another one than before, between requests, and those that did not fit it
 * again at each start.
 */
export const createFitJudge = ({ store, file, files, warn, isNew }: FitJudgeOptions): FitJudge => {
  let running: Promise<void> = Promise.resolve();
  let isOver = false;
  const judge = async (site: Site): Promise<void> => {
    const current = siteHash(site);
    const before = await readJudged(file);
    // What an import has filled was judged by it. An upload makes media without values that the site asks others for.
    const judgesState = before === undefined ? false : 'required';
    const find = (key: EntityKey): Entity | undefined => store().present?.get(key);
    const unfit = new Map<EntityKey, readonly string[]>();
    const look = (record: Entity): void => {
      if (isOver || site.model.bundle(record.type, record.bundle) === undefined) return;
      const faults = recordFaults(record, { site, find, judgesState }).map(faultLine);
      if (faults.length > 0) unfit.set(keyOf(record), faults);
    };
    if (before?.site === current) (await store().getMany(before.unfit)).forEach((record) => record && look(record));
    else if (before !== undefined || !isNew) await eachRecord(store(), entityTypes, look);
    if (isOver) return;
    await writeWhole(files, file, `${JSON.stringify({ site: current, unfit: [...unfit.keys()] } satisfies Judged)}\n`);
    const faults = [...unfit.values()].flat();
    if (faults.length === 0) return;
    warn(
      `The site would refuse values of ${unfit.size} stored records, which stay as they are: ${shortened(faults, ' ')}`,
    );
  };
  return {
    judge: (site) => {
      // A directory that cannot be written has messages of its own.
      running = running.then(() => judge(repositorySite(site))).catch(() => undefined);
    },
    end: async () => {
      isOver = true;
      await running;
    },
  };
};

const siteHash = ({ model, languages, textFormats }: Site): string => {
  const bundles = entityTypes.flatMap((type) =>
    model.bundles(type).map(({ entityType, id, fields }) => [entityType, id, [...fields.values()]]),
  );
  return hash('sha256', JSON.stringify([bundles, languages, textFormats]));
};

const readJudged = async (file: string): Promise<Judged | undefined> => {
  const found = parsedJson((await readRegularFile(file).catch(() => undefined))?.toString() ?? '');
  if (!isRecord(found) || typeof found['site'] !== 'string' || !Array.isArray(found['unfit'])) return undefined;
  return found as Judged; // this file wrote it
};
