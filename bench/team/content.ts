/** The records of the bench of the team server: a site's own, and any number of nodes. */
import { initialRecords } from '../../src/repository/repository-sites.ts';
import { type Site, newFields } from '../../src/repository/repository.ts';
import type { Entity } from '../../src/openapi/openapi-records.ts';

/** Nodes have the ids from 1 to the count. The first of them, one in fifty, have the others as members. */
export const parentsOf = (count: number): number => Math.ceil(count / 50);

export const createNode = (site: Site, parents = 1): ((id: number, title?: string) => Entity) => {
  const bundle = site.model.bundle('node', 'islandora_object');
  if (bundle === undefined) throw new Error('The default site has no islandora_object.');
  return (id, title = `Stored node number ${id}`) => ({
    type: 'node',
    id,
    uuid: `00000000-0000-4000-8000-${id.toString(16).padStart(12, '0')}`,
    bundle: 'islandora_object',
    fields: {
      ...newFields({ bundle, langcode: 'en', uid: 1, now: 1_700_000_000, revision: id }),
      title: [{ value: title }],
      field_model: [{ target_id: 23 }],
      field_description: [{ value: `What there is to say about number ${id}. `.repeat(4) }],
      ...(id > parents ? { field_member_of: [{ target_id: (id % parents) + 1 }] } : {}),
    },
  });
};

export function* recordsOf(site: Site, count: number): Generator<Entity> {
  yield* initialRecords(site);
  const node = createNode(site, parentsOf(count));
  for (let id = 1; id <= count; id += 1) yield node(id);
}
