/** Deletes a record of a collection after a question, and puts it back at its place. */
import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { control } from '../api/control.ts';
import { contentHasChanged } from '../api/queries.ts';
import { DeletePanel, WayBack } from '../edit/delete-panel.tsx';
import { prepareUndo, type Undo } from '../edit/undo-deletion.ts';
import { collectionsQuery, type CollectionRecord } from './queries.ts';

type DeleteProps = { readonly record: CollectionRecord; readonly onDeleted: (undo: Undo) => void };

export const DeleteCollectionRecord = ({ record: { collection, id }, onDeleted }: DeleteProps): ReactElement => {
  const { data } = useQuery(collectionsQuery);
  const below = (data?.collections ?? []).filter(({ parent }) => parent === collection).map(({ name }) => name);
  const remove = async (): Promise<void> => {
    const undo = await prepareUndo(async (snapshot) => ({
      type: 'collection_record',
      id: await placeOf(collection, id, snapshot),
    }));
    await control.ask('deleteCollectionRecord', { path: { collection_name: collection, record_id: id } });
    onDeleted(undo);
    await contentHasChanged();
  };
  return (
    <DeletePanel label="Delete this record …" question={`Delete “${id}” of ${collection}?`} onConfirm={remove}>
      <p>
        This record goes.{' '}
        {below.length > 0 &&
          `Its records of ${below.join(' and ')} stay: only a request of a client deletes them, too.`}
      </p>
      <WayBack />
    </DeletePanel>
  );
};

/** The number of the record in the snapshot. */
const placeOf = async (collection: string, id: string, snapshot: string): Promise<number> => {
  let cursor: string | undefined;
  do {
    const { entries, next } = await control.ask('listDifferences', {
      query: { from: snapshot, type: 'collection_record', change: 'removed', cursor },
    });
    const removed = entries.find(({ bundle, title }) => bundle === collection && title === id);
    if (removed !== undefined) return removed.id;
    cursor = next;
  } while (cursor !== undefined);
  throw new Error('Another deletion has taken its place.');
};
