/** `import_site`: makes a site from the configuration that a Drupal repository exports, or only says what it would be. */
import { resolve } from 'node:path';
import type { ImportNote } from '../../openapi/openapi-host.ts';
import { flag, list, optional, structure, table, text, whole } from '../shape.ts';
import { dataNotice, notice, defineTool } from '../tool.ts';
import { ToolRefusal } from '../tool-refusal.ts';

const folder = { maxLength: 1000 };

export const importSite = defineTool({
  name: 'import_site',
  title: 'Import a site',
  description:
    'Reports what of the configuration that a Drupal repository exports becomes a site, in part or not at all. With "out" it writes the site, which needs --allow-writes.',
  hints: { readOnly: false },
  input: structure({
    folder: text('The folder of the exported configuration.', folder),
    also: optional(list(text('A folder.', folder), 'Folders that lie over it, such as splits.')),
    terms: optional(list(text('A file.', folder), 'Tables of terms in CSV.')),
    out: optional(text('The directory of the site: a new one, or one of an earlier import.', folder)),
  }),
  output: structure({
    taken: table(whole('How many.'), 'What the site has now, by kind.'),
    written: optional(text('Where the site is. Serve it with atoll serve --site.')),
    notice,
    data: list(
      structure({
        what: text('in part, not judged, or outside of this interface.'),
        why: text('The cause.'),
        clientsMayNotice: flag('Whether the site answers otherwise than the real one because of it.'),
        where: list(text('A place.'), 'Where it was met.'),
        more: optional(whole('How many more places.')),
      }),
      'What to look at.',
    ),
  }),
  long: 'data',
  run: async ({ folder: first, also = [], terms = [], out }, { options, signal }) => {
    if (out !== undefined && !options.allowWrites) {
      throw new ToolRefusal(
        'Files are not written here.',
        'Leave out "out" to get the report, or start atoll mcp with --allow-writes.',
      );
    }
    const source = { folders: [first, ...also], terms };
    const { importSource, planImport } = await import('../../sites/sites.ts');
    const { root } = options.locations;
    const plan = out === undefined ? undefined : await planImport(source, { root, out: resolve(out) });
    const { report } = plan ?? (await importSource(source));
    signal.throwIfAborted();
    // Whatever a configuration holds, the site must be one that can be served. If not, the folder stays as it is.
    await plan?.plannedSite();
    await plan?.write();
    const { taken, partly, notJudged, outside } = report;
    return {
      ...{ taken: { ...taken }, written: out && resolve(out), notice: dataNotice('data') },
      data: [...notesOf('in part', partly), ...notesOf('not judged', notJudged), ...notesOf('outside', outside)],
    };
  },
});

/** Of very many places the first ones. */
const mostPlaces = 12;

const notesOf = (what: string, notes: readonly ImportNote[]) =>
  notes.map(({ why, lost, where }) => ({
    ...{ what, why, clientsMayNotice: lost, where: where.slice(0, mostPlaces) },
    ...(where.length > mostPlaces ? { more: where.length - mostPlaces } : {}),
  }));
