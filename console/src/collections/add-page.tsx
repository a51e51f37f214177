/** The page that adds a record to a collection. */
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { control } from '../api/control.ts';
import { contentHasChanged } from '../api/queries.ts';
import { statusOf } from '../api/refusal.ts';
import { useSearchValues } from '../ui/search.ts';
import { PageHead } from '../ui/text.tsx';
import { say } from '../ui/toast.tsx';
import { collectionsQuery, putRecord } from './queries.ts';
import { ValueForm } from './value-form.tsx';

export const AddRecordPage = (): ReactElement => {
  const [{ collection = '' }] = useSearchValues<{ readonly collection: string }>();
  const navigate = useNavigate();
  const { data } = useQuery(collectionsQuery);
  const isNested = data?.collections.find(({ name }) => name === collection)?.path?.includes('{') === true;
  const add = async (value: unknown, id: string): Promise<void> => {
    if (await isThere(collection, id)) throw new Error(`There is a record "${id}" already. Open it to change it.`);
    await putRecord(collection, id, value);
    say('Added.');
    await navigate({ to: '/collections/record', search: { collection, id } });
    await contentHasChanged();
  };
  return (
    <div className="stack">
      <PageHead title={`Add to ${collection}`}>
        A request of a client gets ids and defaults as the document says. Here you write the whole record yourself.
      </PageHead>
      <ValueForm
        initial={{ id: '', text: '{\n  \n}' }}
        idHint={isNested ? nestedHint : plainHint}
        label="Add"
        onSubmit={add}
        onCancel={() => void navigate({ to: '/collections/records', search: { collection } })}
      />
    </div>
  );
};

const plainHint = 'Any text. The path of the record ends with it.';
const nestedHint = 'The id of the record above and its own, with a slash between them: 7/12.';

const isThere = async (collection: string, id: string): Promise<boolean> => {
  try {
    await control.ask('getCollectionRecord', { path: { collection_name: collection, record_id: id } });
    return true;
  } catch (error) {
    if (statusOf(error) !== 404) throw error;
    return false;
  }
};
