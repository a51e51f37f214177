/** Says which files have bytes, and under which names. */
import type { Entity, EntityStore } from '../../openapi/openapi-records.ts';

const pageSize = 1000;

export const blobKeyOf = (file: Entity): string => file.blob?.key ?? '';

/** All files whose record names bytes. */
export const filesWithBytes = async (store: EntityStore): Promise<Entity[]> => {
  const files: Entity[] = [];
  for (let offset = 0; ; offset += pageSize) {
    const { entities } = await store.list('file', { offset, limit: pageSize });
    files.push(...entities.filter(({ blob }) => blob !== undefined));
    if (entities.length < pageSize) return files;
  }
};
