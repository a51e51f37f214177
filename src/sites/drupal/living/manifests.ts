/** Makes the manifests of a site from the displays of its views that are written as IIIF manifests, and the settings of their module. */
import { given, type JsonObject } from '../../../basics/json.ts';
import { pathShape } from '../../../repository/repository-sites.ts';
import type { Configuration } from '../configuration.ts';
import { booleanOf, dataOf, filledTextOf, namesOf, type Data } from '../../../basics/exported/lenient-values.ts';
import type { Reporter } from '../report.ts';
import { isTaken } from '../views/site-lists.ts';
import { isManifest, permissionsOf, restDisplays, type ServedDisplay } from '../views/displays.ts';

/** The section `manifests` of `living.yml`, with its paths. Undefined for a site without such a view. */
export const manifestsIn = (
  configuration: Configuration,
  reporter: Reporter,
): { readonly section: JsonObject; readonly paths: readonly string[] } | undefined => {
  const shapes = new Set<string>();
  const views = restDisplays(configuration)
    .filter(isManifest)
    .flatMap((display) => {
      const where = `${display.name}: /${display.path}`;
      const made = viewOf(display, shapes);
      if ('not' in made) {
        reporter.partly(where, `a view serves this path, the program does not: ${made.not}`);
        return [];
      }
      for (const lost of made.lost) reporter.partly(where, `a manifest is without ${lost}`);
      reporter.taken('IIIF manifests');
      return [made];
    });
  if (views.length === 0) return undefined;
  const settings = dataOf(configuration.object('islandora_iiif.settings'));
  const server = /^https?:\/\/\S+$/.exec(filledTextOf(settings['iiif_server'])?.trim() ?? '')?.[0];
  if (server === undefined) reporter.remark('islandora_iiif.settings', 'it names no image server: this server is one');
  const section = {
    ...given({ image_server: server }),
    ...(booleanOf(settings['use_relative_paths']) === true ? { relative_paths: true } : {}),
    label: labels[filledTextOf(settings['show_title']) ?? ''] ?? 'fixed',
    views: views.map(({ view }) => view),
  };
  return { section, paths: views.map(({ path }) => path) };
};

const labels: Readonly<Record<string, string>> = { node: 'node', view: 'view', none: 'none' };

type Made =
  { readonly path: string; readonly view: JsonObject; readonly lost: readonly string[] } | { readonly not: string };

/** `shapes` are those of the paths so far. */
const viewOf = (display: ServedDisplay, shapes: Set<string>): Made => {
  const path = `/${display.path.split('/').map(partOfPath).join('/')}`;
  const argument = argumentOf(dataOf(display.option('arguments')));
  if (argument === undefined || !/^[^{]*\{node\}[^{]*$/.test(path)) return { not: 'its argument is not a node' };
  if (!/^\/[A-Za-z0-9][A-Za-z0-9._~{}/-]*$/.test(path) || /\/\./.test(path))
    return { not: 'its path has other characters' };
  const shape = pathShape(path);
  if (shapes.has(shape) || isTaken(shape)) return { not: 'something else is there already' };
  shapes.add(shape);
  const filters = filtersOf(dataOf(display.option('filters')));
  if (filters.use === undefined) return { not: 'it is not of the media with one use' };
  const options = dataOf(dataOf(display.option('style'))['options']);
  const fields = namesOf(options['iiif_tile_field']);
  if (fields.length === 0) return { not: 'it names no field with pictures' };
  const permissions = permissionsOf(display);
  const [title, search] = [filledTextOf(display.option('title')), filledTextOf(options['search_endpoint'])];
  const text = filledTextOf(options['structured_text_term_uri']);
  const lostAccess = permissions === undefined ? ['its access rule: only those who administer media may ask'] : [];
  return {
    path,
    view: {
      ...{ path, of: argument.of, use: filters.use, fields },
      ...(argument.isChecked ? { check: true } : {}),
      ...given({ title, search, text_use: text }),
      // Better closed than open to those that the real site refuses.
      ...(permissions?.length === 0 ? {} : { permissions: permissions ?? ['administer media'] }),
    },
    lost: [...filters.lost, ...lostAccess, ...(argument.of === 'members' ? lostSorts(display) : [])],
  };
};

const partOfPath = (part: string): string => (part.startsWith('%') ? '{node}' : part);

type Argument = { readonly of: 'node' | 'members'; readonly isChecked: boolean };

/** The node of the media, or one that the node of the media is a member of. */
const argumentOf = (given: Data): Argument | undefined => {
  const [written, ...others] = Object.values(given);
  const { table, relationship, not, validate } = dataOf(written);
  if (others.length > 0 || booleanOf(not) === true) return undefined;
  const isChecked = filledTextOf(dataOf(validate)['type']) === 'entity:node';
  const isOfMedia = relationship === undefined || relationship === 'none';
  if (table === 'media__field_media_of' && isOfMedia) return { of: 'node', isChecked };
  return table === 'node__field_member_of' && !isOfMedia ? { of: 'members', isChecked } : undefined;
};

/** Published media with one use. */
const filtersOf = (filters: Data): { readonly use: string | undefined; readonly lost: readonly string[] } => {
  let use: string | undefined;
  const lost: string[] = [];
  for (const [id, written] of Object.entries(filters)) {
    const { table, field, operator, value } = dataOf(written);
    const isUse = field === 'field_external_uri_uri' && table === 'taxonomy_term__field_external_uri';
    if (isUse && operator === '=' && use === undefined) use = filledTextOf(value);
    else if (field !== 'status') lost.push(`the filter ${id}`);
  }
  return { use, lost };
};

const lostSorts = (display: ServedDisplay): readonly string[] =>
  Object.entries(dataOf(display.option('sorts'))).flatMap(([id, written]) => {
    const { field, order } = dataOf(written);
    const isKnown = (field === 'field_weight_value' || field === 'created') && order !== 'DESC';
    return isKnown ? [] : [`the sort ${id}`];
  });
