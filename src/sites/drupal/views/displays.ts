/** Finds the displays of Views, with the options that they inherit from the display `default`. */
import type { Configuration, Named } from '../configuration.ts';
import { dataOf, filledTextOf, namesOf, type Data } from '../../../basics/exported/lenient-values.ts';

export type Display = {
  readonly id: string;
  readonly title: string | undefined;
  readonly plugin: unknown;
  /** Where it is served, without a slash at its beginning: `node/%node/members`. */
  readonly path: string | undefined;
  readonly isOff: boolean;
  readonly baseTable: string;
  /** An option of the display, or the inherited one. */
  option(name: string): unknown;
};

/** A REST export has rows, style and pager of its own unless it says otherwise. Everything else is inherited unless it says otherwise. */
const own: ReadonlySet<string> = new Set(['row', 'style', 'pager']);

/** The displays of a view. */
export const displaysOf = (view: Data): readonly Display[] => {
  const displays = dataOf(view['display']);
  const inherited = dataOf(dataOf(displays['default'])['display_options']);
  return Object.entries(displays).map(([id, entry]) => {
    const { display_plugin: plugin, display_title: title, display_options: written } = dataOf(entry);
    const options = dataOf(written);
    const isInherited = (name: string): boolean => {
      const said = dataOf(options['defaults'])[name];
      if (plugin === 'rest_export') return own.has(name) ? said === true : said !== false;
      return said !== false && options[name] === undefined;
    };
    return {
      ...{ id, title: filledTextOf(title), plugin, isOff: options['enabled'] === false },
      path: filledTextOf(options['path'])?.replace(/^\/+|\/+$/g, ''),
      baseTable: filledTextOf(view['base_table']) ?? '',
      option: (name) => (name !== 'auth' && isInherited(name) ? inherited[name] : options[name]),
    };
  });
};

/** A display that is served at a path. */
export type ServedDisplay = Omit<Display, 'path'> & {
  readonly path: string;
  /** `views.view.members.rest_export_1`. */
  readonly name: string;
};

/** Those of a plugin. Most views are long and have none of them, so they are not even parsed. */
const servedDisplays = (configuration: Configuration, plugin: string): readonly ServedDisplay[] =>
  configuration
    .family('views.view', new RegExp(`display_plugin['"]?:\\s*['"]?${plugin}\\b`))
    .flatMap(({ name, data }: Named) =>
      displaysOf(data).flatMap((display) => {
        const { path } = display;
        if (display.plugin !== plugin || display.isOff || path === undefined) return [];
        return [{ ...display, path, name: `${name}.${display.id}` }];
      }),
    );

/** Those that export data. */
export const restDisplays = (configuration: Configuration): readonly ServedDisplay[] =>
  servedDisplays(configuration, 'rest_export');

/** Lists in CSV and the like, which are files to download. */
export const exportDisplays = (configuration: Configuration): readonly string[] =>
  servedDisplays(configuration, 'data_export').map(({ name, path }) => `${name}: /${path}`);

/** Whether a display is an IIIF manifest, and so not a list. */
export const isManifest = (display: ServedDisplay): boolean =>
  filledTextOf(dataOf(display.option('style'))['type']) === 'iiif_manifest';

/** The permissions that a display asks for. Undefined for a rule that is not of permissions. */
export const permissionsOf = (display: ServedDisplay): readonly string[] | undefined => {
  const { type, options } = dataOf(display.option('access'));
  const { perm, permissions } = dataOf(options);
  const kind = filledTextOf(type) ?? 'none';
  if (kind === 'perm') return [filledTextOf(perm) ?? 'access content'];
  if (kind === 'multiple_permissions') return namesOf(permissions);
  return kind === 'none' ? [] : undefined;
};
