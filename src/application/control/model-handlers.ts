/** Answers `/_atoll/model`: what forms need to know of the bundles and fields of a site. */
import {
  type RepositoryType,
  identityOf,
  type Bundle,
  type HttpMethod,
  type Site,
  repositoryWorld,
} from '../../repository/repository.ts';
import type { components } from '../../client/generated/control.ts';
import { jsonReply } from '../../openapi/openapi-host.ts';
import type { ControlHandlers } from '../../server/server-application.ts';
import { modelFields } from './model-fields.ts';

type ModelBundle = components['schemas']['ModelBundle'];

const shownTypes = ['node', 'media', 'file', 'taxonomy_term', 'user'] as const;
type ShownType = (typeof shownTypes)[number];

export const modelHandlers: Pick<ControlHandlers, 'getModel'> = {
  getModel: async (_request, world) => async () => {
    const { site, store } = repositoryWorld(world);
    const bundles: ModelBundle[] = [];
    for (const bundle of bundlesOf(site)) {
      const { total } = await store.list(bundle.type, { bundle: bundle.bundle, offset: 0, limit: 0 });
      bundles.push({ ...bundle, count: total });
    }
    return jsonReply({ bundles });
  },
};

type UncountedBundle = Omit<ModelBundle, 'count'>;

const bundlesOf = (site: Site): readonly UncountedBundle[] => {
  const known = made.get(site);
  if (known !== undefined) return known;
  const bundles = shownTypes.flatMap((type) =>
    site.model.bundles(type).map((bundle) => modelBundle(site, type, bundle)),
  );
  made.set(site, bundles);
  return bundles;
};

const made = new WeakMap<Site, readonly UncountedBundle[]>();

const methodNames = ['GET', 'POST', 'PATCH', 'DELETE'] as const satisfies readonly HttpMethod[];

const modelBundle = (site: Site, type: ShownType, bundle: Bundle): UncountedBundle => {
  const resource = site.resources.get(type);
  const methods = methodNames.filter(
    (method) => resource?.methods.has(method) === true && (method !== 'POST' || createPaths[type] !== undefined),
  );
  const { id, bundle: bundleField, label } = identityOf(type);
  const createPath = methods.includes('POST') ? createPaths[type] : undefined;
  return {
    type,
    bundle: bundle.id,
    label: bundle.label,
    methods,
    ...(createPath === undefined ? {} : { createPath }),
    idField: id,
    ...(bundleField === undefined ? {} : { bundleField }),
    labelField: label,
    ...sourceOf(bundle, site),
    fields: modelFields(site, bundle, methods),
  };
};

/** Files come with uploads (a site's resource has POST, which accepts nobody), and accounts cannot be created. */
const createPaths: { readonly [T in RepositoryType]?: string } = {
  node: '/node?_format=json',
  media: '/entity/media?_format=json',
  taxonomy_term: '/taxonomy/term?_format=json',
};

const sourceOf = ({ source }: Bundle, { maxUploadBytes }: Site): Pick<ModelBundle, 'source'> => {
  if (source === undefined) return {};
  const { field, kind, maxBytes = maxUploadBytes } = source;
  return { source: { field, kind, ...(kind === 'oembed' ? {} : { maxBytes: Math.min(maxBytes, maxUploadBytes) }) } };
};
