/** Finds the REST paths that Views make. The program has some of them built in. */
import type { BeyondName } from '../site/site.ts';
import type { Configuration } from './configuration.ts';
import { dataOf, filledTextOf } from './forgiving-values.ts';
import type { Reporter } from './report.ts';

/** The paths that the program serves, with their switch in `beyond`. */
const served: Readonly<Record<string, BeyondName>> = {
  'node/%/media': 'node_lists',
  'node/%/members': 'node_lists',
  term_from_uri: 'term_lookup',
  term_from_term_name: 'term_lookup',
};

/** The switches that the site's views turn on. Paths that are not served are reported. */
export const viewSwitches = (configuration: Configuration, reporter: Reporter): ReadonlySet<BeyondName> => {
  const on = new Set<BeyondName>();
  for (const { name, path } of restPaths(configuration)) {
    const plain = path.replace(/^\//, '').replace(/%\w*/g, '%');
    const beyond = served[plain];
    if (beyond === undefined) {
      reporter.partly(`${name}: /${plain}`, 'a view serves this path, the program does not');
      continue;
    }
    on.add(beyond);
    reporter.taken('REST paths of views');
  }
  return on;
};

const restPaths = (configuration: Configuration): { readonly name: string; readonly path: string }[] =>
  // Most views are long and have no REST display, so they are not even parsed.
  configuration.family('views.view', /display_plugin['"]?:\s*['"]?rest_export\b/).flatMap(({ name, data }) =>
    Object.values(dataOf(data['display'])).flatMap((entry) => {
      const { display_plugin: plugin, display_options: written } = dataOf(entry);
      const options = dataOf(written);
      const path = filledTextOf(options['path']);
      return plugin === 'rest_export' && options['enabled'] !== false && path !== undefined ? [{ name, path }] : [];
    }),
  );
