/** Two sites to compare, made from the default site, and what is said of them as lines. No tests here. */
import { join } from 'node:path';
import { createModel, type Bundle, type FieldDefinition, type Site } from '../../src/repository/repository.ts';
import { loadSite } from '../support/site-sources.ts';
import { compareSites as compareServedSites } from '../../src/sites/sites.ts';
import { compareSites } from '../../src/sites/site-diff/compare-sites.ts';
import { root } from '../support/atoll.ts';

export const site = await loadSite(join(root, 'data/site'));
const bundlesOf = ({ model }: Site): readonly Bundle[] =>
  (['node', 'media', 'taxonomy_term', 'file', 'user'] as const).flatMap((type) => model.bundles(type));

export const withBundle = (id: string, change: (bundle: Bundle) => Bundle | undefined): Site => ({
  ...site,
  model: createModel(bundlesOf(site).flatMap((bundle) => (bundle.id === id ? (change(bundle) ?? []) : bundle))),
});
export const withMore = (before: Site, ...bundles: readonly Bundle[]): Site => ({
  ...before,
  model: createModel([...bundlesOf(before), ...bundles]),
});
export const plain: FieldDefinition = {
  ...{
    name: 'field_x',
    label: 'X',
    type: 'string',
    cardinality: 1,
    required: false,
    configured: true,
    translatable: false,
  },
};
/** The default site whose content type has `field_x` in this form, or lacks it. */
export const withField = (traits: Partial<FieldDefinition> | undefined): Site =>
  withBundle('islandora_object', (bundle) => ({
    ...bundle,
    fields: new Map([
      ...bundle.fields,
      ...(traits === undefined ? [] : [['field_x', { ...plain, ...traits }] as const]),
    ]),
  }));
export const said = (before: Site, after: Site): string[] =>
  compareSites(before, after).map(({ subject, change, breaks }) => `${subject} ${change} [${breaks.join(' ')}]`);

/** What the documents say, then what is said besides them. Changes of HEAD, which are those of GET, are left out. */
export const compared = async (before: Site, after: Site): Promise<string[]> => {
  const sides = [
    { name: 'before', site: before },
    { name: 'after', site: after },
  ] as const;
  const { document, site: others = [] } = await compareServedSites(...sides, { root, site: undefined });
  return [...document, ...others]
    .filter(({ subject }) => !subject.startsWith('head'))
    .map(({ kind, subject, place, change }) => [kind, subject, place, change].filter((part) => part !== '').join(' '));
};

/** A content type with the base fields and this one. */
export const pageWith = (field?: FieldDefinition): Bundle => {
  const [object] = site.model.bundles('node');
  if (object === undefined) throw new Error('The default site has no content type');
  const base = [...object.fields].filter(([, { configured }]) => !configured);
  return {
    ...object,
    id: 'page',
    label: 'Page',
    fields: new Map([...base, ...(field ? [['field_x', field] as const] : [])]),
  };
};
