/** Makes the objects of a sample: those of the archive in its order, more of the same where more are wanted, and some of other content types. */
import { beginSlices } from '../../basics/long-work.ts';
import type { Bundle, Principal } from '../../repository/repository.ts';
import { archiveShare, archiveValues } from './archive-fields.ts';
import { makeArchiveMedia, type FullTypes } from './archive-media.ts';
import { termCalled } from './archive-terms.ts';
import { originalUse, type ArchiveFile, type ArchiveObject } from './archive.ts';
import { drawnMediaFor, makeDrawnMedia } from './drawn-media.ts';
import { addCandidate, makeRecord } from './make-record.ts';
import type { SampleContext } from './sample-context.ts';
import { noticeOf } from './sample-words.ts';
import type { Entity } from '../../openapi/openapi-records.ts';

/** A content type that is not made for the archive has one of so many objects. */
const objectsToNotice = 15;
/** With fewer fields that the archive has something for, a content type is filled with what is drawn. */
const fewFields = 3;
/** One of so many copies fills all fields, and one has a media that is drawn. */
const copiesToFull = 10;
const copiesToDrawn = 5;
const unpublishedShare = 0.15;

type Plan = {
  readonly bundle: Bundle;
  readonly title: string;
  /** Undefined for an object that is not of the archive. */
  readonly object: ArchiveObject | undefined;
  readonly files: readonly ArchiveFile[];
  /** How many objects of the archive were copied before. Undefined for those of the archive itself. */
  readonly copy: number | undefined;
};

export const makeObjects = async (sample: SampleContext, objects: number): Promise<void> => {
  const plans = plansOf(sample, objects);
  const full = new Set(fullPlans(plans));
  const types: FullTypes = new Set();
  const waiting = drawnMediaFor(sample.site, plans);
  const made = new Map<string, Entity>();
  const slices = beginSlices();
  for (const [index, plan] of plans.entries()) {
    // A server makes its sample again when it is reset or compared, and answers others meanwhile.
    if (slices.isOver()) await slices.next();
    const owner = ownerOf(sample, plan.object);
    const node = await makeObject(sample, plan, { index, owner, isFull: full.has(plan), made });
    if (node === undefined) continue;
    const isCollection = plan.object?.model === 'Collection';
    if (isCollection) addCandidate(sample, node);
    if (plan.object !== undefined && plan.copy === undefined) made.set(plan.object.name ?? plan.object.title, node);
    await makeArchiveMedia(sample, plan.files, { node, owner }, types);
    const isExtra = plan.copy !== undefined && plan.copy % copiesToDrawn === 0;
    if (!isCollection || index === plans.length - 1) {
      await makeDrawnMedia(sample, { node, owner, model: plan.object?.model, isLast: index === plans.length - 1, isExtra, turn: index }, waiting); // prettier-ignore
    }
  }
};

/** The content types for which the archive has most, and the others. Where it has nearly nothing for any, all are alike. */
const plansOf = ({ site, archive }: SampleContext, objects: number): readonly Plan[] => {
  const types = site.model.bundles('node');
  const best = Math.max(0, ...types.map(archiveShare));
  const main = best < fewFields ? types : types.filter((bundle) => archiveShare(bundle) * 2 >= best);
  const others = types.filter((bundle) => !main.includes(bundle));
  const each = Math.min(Math.max(1, Math.round(objects / objectsToNotice)), Math.floor(objects / types.length));
  const copied = archive.objects.filter(({ files, model }) => files.length > 0 && !/^Page/.test(model));
  const ofArchive = Array.from({ length: objects - each * others.length }, (_, index) => {
    const bundle = main[index % main.length];
    const own = archive.objects[index];
    const copy = index - archive.objects.length;
    const object = own ?? copied[copy % copied.length];
    if (bundle === undefined || object === undefined) return undefined;
    const title = own === undefined ? copyTitle(object, 2 + Math.floor(copy / copied.length)) : object.title;
    const files = own === undefined ? copyFiles(object) : object.files;
    return { bundle, title, object, files, copy: own === undefined ? copy : undefined };
  });
  const notices = Array.from({ length: each }, (_, round) =>
    others.map((bundle, place) => ({
      bundle,
      title: noticeOf(round * others.length + place),
      ...{ object: undefined, files: [], copy: undefined },
    })),
  );
  return [...ofArchive.filter((plan) => plan !== undefined), ...notices.flat()];
};

const copyWords: Readonly<Record<string, string>> = { Image: 'plate', Audio: 'take', Video: 'reel' };
const copyTitle = ({ title, model }: ArchiveObject, number: number): string =>
  `${title}, ${copyWords[model] ?? 'copy'} ${number}`;

/** A copy has its original and a thumbnail. */
const copyFiles = ({ files }: ArchiveObject): readonly ArchiveFile[] =>
  files.filter(({ use }, index) => (index === 0 && use === originalUse) || /thumbnail/i.test(use));

/** Which objects fill all fields: a document of each content type, where it has one, and some copies. */
const fullPlans = (plans: readonly Plan[]): readonly Plan[] => {
  const bundles = new Set(plans.map(({ bundle }) => bundle));
  const first = [...bundles].flatMap((bundle) => {
    const own = plans.filter((plan) => plan.bundle === bundle);
    return own.find(({ object }) => object?.model === 'Digital Document') ?? own[0] ?? [];
  });
  return [...first, ...plans.filter(({ copy }) => copy !== undefined && copy % copiesToFull === 0)];
};

type Setting = {
  readonly index: number;
  readonly owner: Principal;
  readonly isFull: boolean;
  /** The nodes of the archive by name. */
  readonly made: ReadonlyMap<string, Entity>;
};

const makeObject = async (
  sample: SampleContext,
  { bundle, title, object, copy }: Plan,
  { index, owner, isFull, made }: Setting,
): Promise<Entity | undefined> => {
  const random = sample.random(`object ${index}`);
  const isHidden = object === undefined || copy !== undefined ? !isFull && random.chance(unpublishedShare) : false;
  if (object?.date !== undefined && copy === undefined) sample.setTime(timeOf(sample, object.date));
  const model = object && (await modelOf(sample, bundle, object));
  const values = object === undefined ? {} : await archiveValues(sample, object, bundle, made);
  return makeRecord(sample, {
    bundle,
    title,
    owner,
    fill: isFull ? 'all' : archiveShare(bundle) < fewFields ? 'most' : 'required',
    fields: {
      ...((object?.published ?? true) && !isHidden ? {} : { status: [{ value: false }] }),
      ...(model === undefined ? {} : { field_model: [{ target_id: model }] }),
    },
    values,
  });
};

const modelOf = async (
  sample: SampleContext,
  bundle: Bundle,
  { model }: ArchiveObject,
): Promise<number | undefined> => {
  const field = bundle.fields.get('field_model');
  return field && termCalled(sample, field, model);
};

/** The archive was described in the years before the site got its terms and accounts. */
const timeOf = ({ site, archive }: SampleContext, date: string): number => {
  const last = Math.max(...archive.objects.map((object) => Date.parse(object.date ?? '') || 0));
  return site.seedTime - Math.floor((last - Date.parse(date)) / 1000);
};

/** The account of the archive, where the site has one of this name, or else the first. */
const ownerOf = ({ owners }: SampleContext, object: ArchiveObject | undefined): Principal => {
  const owner = owners.find(({ name }) => name === object?.owner) ?? owners[0];
  if (owner === undefined) throw new Error('A sample needs an owner.');
  return owner;
};
