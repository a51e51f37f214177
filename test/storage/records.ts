/** Records, their model and directories for the tests of the storages. */
import { recordModel, targetIds } from '../../src/repository/repository.ts';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Entity, RecordModel } from '../../src/openapi/openapi-records.ts';

/** A small node whose uuid follows from its id. */
export const article = (id: number, title: string, options: { parent?: number; bundle?: string } = {}): Entity => ({
  type: 'node',
  id,
  uuid: `00000000-0000-4000-8000-${String(id).padStart(12, '0')}`,
  bundle: options.bundle ?? 'article',
  fields: {
    title: [{ value: title }],
    ...(options.parent === undefined ? {} : { field_member_of: [{ target_id: options.parent }] }),
  },
});

/** As a repository has it, with few index keys. */
export const testModel: RecordModel = {
  ...recordModel,
  keysVersion: undefined,
  indexKeys: (entity) => [
    `uuid:${entity.uuid}`,
    ...targetIds(entity, 'field_member_of').map((id) => `members-of:${id}`),
  ],
};

/** A directory that is removed by the returned function. */
export const temporaryDirectory = async (): Promise<{ path: string; remove: () => Promise<void> }> => {
  const path = await mkdtemp(join(tmpdir(), 'atoll-storage-'));
  return { path, remove: () => rm(path, { recursive: true, force: true }) };
};
