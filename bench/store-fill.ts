/** Creates a repository with any number of nodes for `bench/store.mjs`, with the site's terms and accounts. */
import { recordModel, newFields } from '../src/repository/repository.ts';
import { loadNamedSite } from '../src/application/application-disk.ts';
import { initialRecords } from '../src/repository/repository-sites.ts';
import { openJournalEntityStore } from '../src/storage/storage.ts';
import type { Entity } from '../src/openapi/openapi-records.ts';

const [, , root = '.', directory = '', count = '0'] = process.argv;
const site = await loadNamedSite(root, undefined);
const bundle = site.model.bundle('node', 'islandora_object');
if (bundle === undefined) throw new Error('The default site has no islandora_object.');

const node = (id: number): Entity => ({
  type: 'node',
  id,
  uuid: `00000000-0000-4000-8000-${id.toString(16).padStart(12, '0')}`,
  bundle: 'islandora_object',
  fields: {
    ...newFields({ bundle, langcode: 'en', uid: 1, now: 1_700_000_000, revision: id }),
    title: [{ value: `Stored node number ${id}` }],
    field_model: [{ target_id: 23 }],
    field_description: [{ value: `What there is to say about number ${id}. `.repeat(4) }],
    ...(id > 100 ? { field_member_of: [{ target_id: (id % 100) + 1 }] } : {}),
  },
});

const opened = await openJournalEntityStore({
  directory,
  model: recordModel,
  durability: 'full',
  warn: (message) => process.stderr.write(message),
});
const nodes = Array.from({ length: Number(count) }, (_, index) => node(index + 1));
await opened.fill([...initialRecords(site), ...nodes], {});
await opened.store.close();
