/** Says at a start what the repository holds now, where that is not what the options let expect. */
import type { HostedWorld } from '../../openapi/openapi-host.ts';
import type { Started } from '../../server/server-start.ts';
import { importLine } from '../options/drupal-options.ts';

type ContentOptions = {
  readonly fixture?: string | undefined;
  readonly documents?: readonly string[] | undefined;
  readonly overlays?: readonly string[] | undefined;
  readonly handlers?: string | undefined;
};

export const contentLines = (
  {
    imported,
    isNew,
    world,
  }: Pick<Started, 'imported' | 'isNew'> & { readonly world: Pick<HostedWorld, 'collections'> },
  { fixture, documents, overlays, handlers }: ContentOptions,
): string[] => {
  const mayCollect = [documents, overlays, handlers].some((each) => each !== undefined);
  return [
    ...(imported === undefined ? [] : [importLine(imported)]),
    ...(isNew || fixture === undefined ? [] : [`The repository exists already; the fixture ${fixture} is ignored.`]),
    ...(world.collections === undefined && mayCollect ? [withoutCollections] : []),
  ];
};

const withoutCollections =
  'A team server has no collections: its documents answer from their examples, and its handlers keep no records.';
