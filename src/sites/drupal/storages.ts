/** Collects the schemes of a site. The settings of a site say where they are served, and no configuration has those. */
import * as v from 'valibot';
import { siteSchemas } from '../../repository/repository-sites.ts';
import type { Configuration } from './configuration.ts';
import type { FieldSource } from './fields/field-sources.ts';
import { filledTextOf } from '../../basics/exported/lenient-values.ts';
import type { Reporter } from './report.ts';
import type { SiteSettings } from './site-format.ts';

type Mount = SiteSettings['storages'][string];

/** Core's own schemes, and that of the object store. */
const usual: Readonly<Record<string, Mount>> = {
  public: { prefix: '/sites/default/files', access: 'open' },
  private: { prefix: '/system/files', access: 'guarded' },
  fedora: { prefix: '/_flysystem/fedora', access: 'guarded' },
};

export type Storages = Pick<SiteSettings, 'storages' | 'default_scheme'>;

/** The schemes that fields and `system.file` name, each with the place where modules usually serve it. */
export const storagesOf = (
  configuration: Configuration,
  sources: readonly FieldSource[],
  reporter: Reporter,
): Storages => {
  const chosen = filledTextOf(configuration.object('system.file')?.['default_scheme']) ?? 'public';
  const named = sources.flatMap(({ storageSettings }) => filledTextOf(storageSettings['uri_scheme']) ?? []);
  const storages: Record<string, Mount> = {};
  for (const scheme of new Set(['public', ...[chosen, ...named].sort()])) {
    const mount = usual[scheme] ?? { prefix: `/_flysystem/${scheme}`, access: 'guarded' };
    if (!v.is(siteSchemas.site.entries.storages, { [scheme]: mount })) {
      reporter.partly(`scheme ${scheme.slice(0, 40)}`, 'a scheme of this name cannot be served');
      continue;
    }
    if (usual[scheme] === undefined) {
      reporter.remark(`scheme ${scheme}`, `its address is guessed: ${mount.prefix}; correct it in site.yml`);
    }
    storages[scheme] = mount;
    reporter.taken('schemes');
  }
  return { storages, default_scheme: Object.hasOwn(storages, chosen) ? chosen : 'public' };
};
