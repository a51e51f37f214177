/** Finds the REST displays of Views, with the options that they inherit from the display `default`. */
import type { Configuration } from '../configuration.ts';
import { dataOf, filledTextOf, namesOf, type Data } from '../../../basics/exported/lenient-values.ts';

/** A display that exports data at a path. */
export type RestDisplay = {
  /** `views.view.members.rest_export_1`. */
  readonly name: string;
  /** Without a slash at its beginning: `node/%node/members`. */
  readonly path: string;
  readonly baseTable: string;
  /** An option of the display, or the inherited one. */
  option(name: string): unknown;
};

/** A REST export has rows and style of its own unless it says otherwise. Everything else is inherited unless it says otherwise. */
const own: ReadonlySet<string> = new Set(['row', 'style', 'pager']);

const everyDisplays: ReadonlySet<string> = new Set(['path', 'auth', 'enabled']);

export const restDisplays = (configuration: Configuration): readonly RestDisplay[] =>
  // Most views are long and have no REST display, so they are not even parsed.
  configuration.family('views.view', /display_plugin['"]?:\s*['"]?rest_export\b/).flatMap(({ name, data }) => {
    const displays = dataOf(data['display']);
    const inherited = dataOf(dataOf(displays['default'])['display_options']);
    return Object.entries(displays).flatMap(([id, entry]): readonly RestDisplay[] => {
      const { display_plugin: plugin, display_options: written } = dataOf(entry);
      const options = dataOf(written);
      const path = filledTextOf(options['path']);
      if (plugin !== 'rest_export' || options['enabled'] === false || path === undefined) return [];
      return [
        {
          name: `${name}.${id}`,
          path: path.replace(/^\/+|\/+$/g, ''),
          baseTable: filledTextOf(data['base_table']) ?? '',
          option: (key) => (isInherited(key, options) ? inherited[key] : options[key]),
        },
      ];
    });
  });

/** Lists in CSV and the like, which are files to download. */
export const exportDisplays = (configuration: Configuration): readonly string[] =>
  configuration.family('views.view', /display_plugin['"]?:\s*['"]?data_export\b/).flatMap(({ name, data }) =>
    Object.entries(dataOf(data['display'])).flatMap(([id, entry]) => {
      const { display_plugin: plugin, display_options: written } = dataOf(entry);
      const { path, enabled } = dataOf(written);
      const isThere = plugin === 'data_export' && enabled !== false && filledTextOf(path) !== undefined;
      return isThere ? [`${name}.${id}: /${String(path).replace(/^\/+/, '')}`] : [];
    }),
  );

const isInherited = (key: string, options: Data): boolean => {
  if (everyDisplays.has(key)) return false;
  const said = dataOf(options['defaults'])[key];
  return own.has(key) ? said === true : said !== false;
};

/** Whether a display is an IIIF manifest, and so not a list. */
export const isManifest = (display: RestDisplay): boolean =>
  filledTextOf(dataOf(display.option('style'))['type']) === 'iiif_manifest';

/** The permissions that a display asks for. Undefined for a rule that is not of permissions. */
export const permissionsOf = (display: RestDisplay): readonly string[] | undefined => {
  const { type, options } = dataOf(display.option('access'));
  const { perm, permissions } = dataOf(options);
  const kind = filledTextOf(type) ?? 'none';
  if (kind === 'perm') return [filledTextOf(perm) ?? 'access content'];
  if (kind === 'multiple_permissions') return namesOf(permissions);
  return kind === 'none' ? [] : undefined;
};
