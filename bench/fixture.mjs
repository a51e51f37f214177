/** Creates fixtures of any size: the starter fixture and copies of one of its nodes. */
import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const template = 2;

/** The first id of the copies, above those of the starter fixture. */
export const firstCopy = 1001;

const uuidOf = (id) => {
  const hex = createHash('sha256').update(`bench ${id}`).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
};

/**
 * Creates a fixture with `count` copies in `folder`, unless it exists. The copies differ in id, uuid and title, so that every
 * reply is different.
 */
export const makeFixture = async (root, folder, count) => {
  const target = join(folder, `nodes-${count}`);
  const finished = await readFile(join(target, 'export.json')).catch(() => undefined);
  if (finished !== undefined) return target;
  // The build has made this file of the short fixture.
  const { entities, counters } = JSON.parse(await readFile(join(root, 'dist/fixture-starter.json'), 'utf8'));
  const making = `${target}.making`;
  await rm(making, { recursive: true, force: true });
  await Promise.all(['node', 'media', 'file'].map((type) => mkdir(join(making, type), { recursive: true })));
  await symlink(join(root, 'data/fixtures/starter/blobs'), join(making, 'blobs'));
  const write = (record) => writeFile(join(making, record.type, `${record.id}.json`), JSON.stringify(record));
  await Promise.all(entities.map(write));
  const node = entities.find(({ type, id }) => type === 'node' && id === template);
  for (let start = 0; start < count; start += 200) {
    const some = Array.from({ length: Math.min(200, count - start) }, (_, index) => firstCopy + start + index);
    await Promise.all(some.map((id) => write(copyOf(node, id))));
  }
  const last = firstCopy + count - 1;
  const described = { format: 1, name: 'starter', counters: { ...counters, node: last, node_revision: last } };
  await writeFile(join(making, 'export.json'), JSON.stringify(described));
  await rename(making, target);
  return target;
};

const copyOf = (node, id) => ({
  ...node,
  id,
  uuid: uuidOf(id),
  fields: { ...node.fields, vid: [{ value: id }], title: [{ value: titleOf(id) }] },
});

/** The title of a copy, different for each. */
export const titleOf = (id) => `Copy ${id}`;
