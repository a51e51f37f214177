/** Draws media of the types that no file of the archive is for, so that a sample has each media type. */
import { type Bundle, type FieldDefinition, labelOf, type Principal, type Site } from '../../repository/repository.ts';
import { leadingTo, mediaTypeFor, nodeFields } from './archive-media.ts';
import type { ArchiveFile } from './archive.ts';
import { addCandidate, makeRecord } from './make-record.ts';
import type { Candidate, SampleContext } from './sample-context.ts';
import type { Entity } from '../../openapi/openapi-records.ts';

type Planned = { readonly bundle: Bundle; readonly files: readonly ArchiveFile[] };

/** The media types that the planned objects do not have. Each leaves the list when it has a media. */
export const drawnMediaFor = (site: Site, plans: readonly Planned[]): Set<Bundle> => {
  const covered = new Set(
    plans.flatMap(({ bundle, files }) => files.map((file) => mediaTypeFor(site, bundle.id, file))),
  );
  return new Set(site.model.bundles('media').filter((bundle) => !covered.has(bundle)));
};

type Place = {
  readonly node: Entity;
  readonly owner: Principal;
  /** The model of the object, as the archive calls it. */
  readonly model: string | undefined;
  /** No object comes after this one. */
  readonly isLast: boolean;
  /** Whether it gets a media of any type, chosen by its turn. */
  readonly isExtra: boolean;
  readonly turn: number;
};

export const makeDrawnMedia = async (sample: SampleContext, place: Place, waiting: Set<Bundle>): Promise<void> => {
  const types = sample.site.model.bundles('media').filter((bundle) => belongs(bundle, place.node));
  const open = types.filter((bundle) => waiting.has(bundle));
  const suiting = open.filter((bundle) => isLikely(bundle, place.model));
  const extra = place.isExtra ? types.slice(place.turn % Math.max(types.length, 1)).slice(0, 1) : [];
  for (const bundle of place.isLast ? open : suiting.length > 0 ? suiting.slice(0, 1) : extra) {
    const media = await makeRecord(sample, {
      bundle,
      title: `${bundle.label}: ${labelOf(place.node)}`,
      owner: place.owner,
      fill: waiting.has(bundle) ? 'all' : 'most',
      fields: { ...leadingTo(bundle, place.node), ...useOf(sample, bundle, `${place.node.id} ${bundle.id}`) },
    });
    waiting.delete(bundle);
    if (media !== undefined) addCandidate(sample, media);
  }
};

/** A media type without fields for nodes belongs to none, and is made without one. */
const belongs = (bundle: Bundle, node: Entity): boolean =>
  nodeFields(bundle, node.bundle).length > 0 ||
  ![...bundle.fields.values()].some(({ target }) => target?.type === 'node');

/** A film belongs to a film, a sound to a sound. */
const isLikely = ({ source }: Bundle, model: string | undefined): boolean => {
  if (source?.kind === 'oembed' || source?.kind === 'video') return model === 'Video';
  if (source?.kind === 'audio') return model === 'Audio';
  return source?.kind !== 'image' || model === 'Image';
};

/** It is not the original: the archive has that. */
const useOf = (sample: SampleContext, bundle: Bundle, name: string): ReturnType<typeof leadingTo> => {
  const field = bundle.fields.get('field_media_use');
  const uses = field === undefined ? [] : usesOf(sample, field);
  const others = uses.filter(({ label }) => !/original|thumbnail|service/i.test(label));
  const use = sample.random(`use ${name}`).pick(others.length > 0 ? others : uses);
  return use === undefined ? {} : { field_media_use: [{ target_id: use.id }] };
};

/** A field that may lead to any term leads to those of a vocabulary of uses. */
const usesOf = ({ candidates, site }: SampleContext, { target }: FieldDefinition): readonly Candidate[] => {
  const known = site.model.bundles('taxonomy_term').filter(({ id }) => /use/i.test(id));
  return candidates.of('taxonomy_term', target?.bundles ?? known.map(({ id }) => id));
};
