/** Deletes a record of a collection after a question, and puts it back at its place. */
import { useQuery } from '@tanstack/react-query';
import { useState, type ReactElement } from 'react';
import { control } from '../api/control.ts';
import { contentHasChanged } from '../api/queries.ts';
import { ConfirmButton } from '../ui/button.tsx';
import { Failure } from '../ui/states.tsx';
import { collectionsQuery, type CollectionRecord } from './queries.ts';

/** Puts the record back. Undefined where the user may not save snapshots: then nobody can. */
export type Undo = (() => Promise<string>) | undefined;

type DeleteProps = { readonly record: CollectionRecord; readonly onDeleted: (undo: Undo) => void };

export const DeleteCollectionRecord = ({ record: { collection, id }, onDeleted }: DeleteProps): ReactElement => {
  const [error, setError] = useState<unknown>();
  const { data } = useQuery(collectionsQuery);
  const below = (data?.collections ?? []).filter(({ parent }) => parent === collection).map(({ name }) => name);
  const remove = async (): Promise<void> => {
    const undo = await prepareUndo(collection, id);
    await control.ask('deleteCollectionRecord', { path: { collection_name: collection, record_id: id } });
    onDeleted(undo);
    await contentHasChanged();
  };
  return (
    <section className="panel stack" aria-labelledby="delete-heading">
      <h2 id="delete-heading">Delete</h2>
      {error !== undefined && <Failure error={error} />}
      <div className="row">
        <ConfirmButton
          label="Delete this record …"
          question={`Delete “${id}” of ${collection}?`}
          confirm="Delete"
          onConfirm={() => {
            setError(undefined);
            remove().catch(setError);
          }}
        >
          <p>
            This record goes.{' '}
            {below.length > 0 &&
              `Its records of ${below.join(' and ')} stay: only a request of a client deletes them, too.`}
          </p>
          <p>No request of a client brings it back. The console can, until the next deletion.</p>
        </ConfirmButton>
      </div>
    </section>
  );
};

/** What the world was before the last deletion, as for records of the repository. */
const snapshot = 'before-last-deletion';

const prepareUndo = (collection: string, id: string): Promise<Undo> =>
  control.ask('saveSnapshot', { path: { snapshot_name: snapshot } }).then(
    () => () => putBack(collection, id),
    () => undefined,
  );

const putBack = async (collection: string, id: string): Promise<string> => {
  await control.ask('putBack', {
    body: { type: 'collection_record', id: await placeOf(collection, id), from: snapshot },
  });
  await contentHasChanged();
  return 'It is back, as it was.';
};

/** The number of the record in the snapshot. */
const placeOf = async (collection: string, id: string): Promise<number> => {
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
