/** Makes the harvest of a site from the settings of its module for OAI-PMH, and from the views that the settings name. */
import { filled, given, type JsonObject } from '../../../basics/json.ts';
import type { Configuration } from '../configuration.ts';
import {
  booleanOf,
  dataOf,
  filledTextOf,
  listOf,
  namesOf,
  wholeOf,
  type Data,
} from '../../../basics/exported/lenient-values.ts';
import type { Reporter } from '../report.ts';
import { harvestResource } from '../resources.ts';
import { type Display, displaysOf } from '../views/displays.ts';
import { isTaken } from '../views/site-lists.ts';

const settingsName = 'rest_oai_pmh.settings';

/** The section `harvest` of `living.yml`, with its path. Undefined for a site that is not harvested. */
export const harvestIn = (
  configuration: Configuration,
  reporter: Reporter,
): { readonly section: JsonObject; readonly paths: readonly string[] } | undefined => {
  const settings = configuration.object(settingsName);
  if (!configuration.ids('rest.resource').includes(harvestResource)) return undefined;
  const sets = settings === undefined ? [] : setsOf(settings, configuration, reporter);
  if (settings === undefined || sets.length === 0) {
    reporter.outside(`rest.resource.${harvestResource}`, 'this resource speaks another protocol');
    return undefined;
  }
  const [path, lifetime] = [pathOf(settings, reporter), wholeOf(settings['expiration'])];
  const section = {
    ...given({ path }),
    name: filledTextOf(settings['repository_name']) ?? 'OAI-PMH',
    email: filledTextOf(settings['repository_email']) ?? 'admin@example.com',
    ...(lifetime === undefined || lifetime < 0 ? {} : { token_lifetime: lifetime }),
    page_size: smallestPage(harvestedDisplays(settings, configuration)),
    formats: formatsOf(settings, reporter),
    ...(booleanOf(settings['support_sets']) === true ? {} : { has_sets: false }),
    sets,
  };
  return { section, paths: [path ?? '/oai/request'] };
};

const harvestedDisplays = (settings: Data, configuration: Configuration): readonly HarvestedDisplay[] =>
  namesOf(settings['view_displays']).flatMap((name) => displayOf(name, configuration) ?? []);

const setsOf = (settings: Data, configuration: Configuration, reporter: Reporter): readonly JsonObject[] =>
  harvestedDisplays(settings, configuration).flatMap((display) => {
    const { set, lost } = setOf(display);
    for (const part of lost) reporter.partly(display.name, `a set of the harvest is without ${part}`);
    if (set !== undefined) reporter.taken('sets of the harvest');
    return set === undefined ? [] : [set];
  });

const pathOf = (settings: Data, reporter: Reporter): string | undefined => {
  const written = filledTextOf(settings['repository_path'])?.trim();
  if (written === undefined) return undefined;
  const path = `/${written.replace(/^\/+|\/+$/g, '')}`;
  if (/^(\/[A-Za-z0-9_-]+)+$/.test(path) && !isTaken(path)) return path;
  reporter.partly(settingsName, 'the harvest is at /oai/request: its path cannot be served');
  return undefined;
};

type HarvestedDisplay = Pick<Display, 'title' | 'option'> & { readonly name: string };

/** `oai_pmh:collection_sets`: a display of a view of nodes. */
const displayOf = (name: string, configuration: Configuration): HarvestedDisplay | undefined => {
  const [view = '', id = ''] = name.split(':');
  const display = displaysOf(configuration.one('views.view', view) ?? {}).find((each) => each.id === id);
  return display?.baseTable === 'node_field_data' ? { ...display, name } : undefined;
};

/** The smallest page of all displays is that of the harvest. 0: all records at once. */
const smallestPage = (displays: readonly HarvestedDisplay[]): number =>
  Math.min(
    ...displays.map(({ option }) => {
      const { type, options } = dataOf(option('pager'));
      return type === 'none' ? 0 : (wholeOf(dataOf(options)['items_per_page']) ?? 10);
    }),
  );

type MadeSet = { readonly set: JsonObject | undefined; readonly lost: readonly string[] };

const setOf = ({ name, title = name, option }: HarvestedDisplay): MadeSet => {
  const { conditions, lost } = conditionsOf(dataOf(option('filters')), dataOf(option('filter_groups')));
  if (conditions === undefined) return { set: undefined, lost: ['its content types, and so it is left out'] };
  const by = Object.values(dataOf(option('arguments'))).flatMap((each) => fieldIn(dataOf(each)) ?? [])[0];
  return { set: { ...(by === undefined ? { id: name, label: title } : { by }), ...conditions }, lost };
};

/** The field of the nodes themselves that a handler is about. */
const fieldIn = ({ table, field, relationship }: Data): string | undefined => {
  const name = /^node__(.+)$/.exec(filledTextOf(table) ?? '')?.[1];
  const isOwn = relationship === undefined || relationship === 'none';
  return isOwn && name !== undefined && field === `${name}_target_id` ? name : undefined;
};

type Conditions = { readonly conditions: JsonObject | undefined; readonly lost: readonly string[] };

const conditionsOf = (filters: Data, groups: Data): Conditions => {
  const [bundles, unwanted, without, lost]: [string[], string[], string[], string[]] = [[], [], [], []];
  let mayLackModel = false;
  for (const [id, written] of Object.entries(filters)) {
    const filter = dataOf(written);
    const { field, operator, value, relationship } = filter;
    const isOfModel = field === 'field_external_uri_uri' && relationship === 'field_model';
    const name = fieldIn(filter);
    if (field === 'type') bundles.push(...namesOf(value));
    else if (isOfModel && operator === '!=') unwanted.push(filledTextOf(value) ?? '');
    else if (isOfModel && operator === 'empty' && isJoinedByOr(filter, groups)) mayLackModel = true;
    else if (name !== undefined && operator === 'empty') without.push(name);
    else if (field !== 'status') lost.push(`the filter ${id}`);
  }
  if (bundles.length === 0) return { conditions: undefined, lost };
  return {
    conditions: filled({
      ...{ bundles, without_models: unwanted },
      // Without a model there is no address to compare, and SQL finds nothing.
      needs_model: unwanted.length === 0 || mayLackModel ? undefined : true,
      without,
    }),
    lost,
  };
};

const isJoinedByOr = ({ group }: Data, groups: Data): boolean =>
  dataOf(groups['groups'])[String(wholeOf(group) ?? 1)] === 'OR';

const formatsOf = (settings: Data, reporter: Reporter): readonly string[] =>
  listOf(settings['metadata_map_plugins']).flatMap((each) => {
    const { label, value } = dataOf(each);
    const [name, plugin] = [filledTextOf(label), filledTextOf(value)];
    if (name === undefined || plugin === undefined) return [];
    if (name === 'oai_dc' && plugin !== 'dublin_core_rdf')
      reporter.partly(settingsName, 'Dublin Core is made by the RDF mapping here');
    if (name === 'mods') reporter.outside(settingsName, 'records in MODS come of a search index: here they are empty');
    if (name === 'mods' || name === 'oai_dc') return [name];
    reporter.partly(settingsName, `the format ${name} is not offered`);
    return [];
  });
