/** The page of a record of a collection: its JSON, whether it fits the document, and the form that changes it. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect, useRef, useState, type ReactElement } from 'react';
import { wordsOf } from '../api/refusal.ts';
import { contentHasChanged } from '../api/queries.ts';
import { Button } from '../ui/button.tsx';
import { useSearchValues } from '../ui/search.ts';
import { Loaded } from '../ui/states.tsx';
import { Code, PageHead } from '../ui/text.tsx';
import { say, sayWithUndo } from '../ui/toast.tsx';
import type { Undo } from '../edit/undo-deletion.ts';
import { DeleteCollectionRecord } from './delete-collection-record.tsx';
import { putRecord, recordQuery, type CollectionRecord } from './queries.ts';
import { jsonText } from './record-values.ts';
import { ValueForm } from './value-form.tsx';

export const RecordPage = (): ReactElement => {
  const [{ collection = '', id = '' }] = useSearchValues<{ readonly collection: string; readonly id: string }>();
  return <Shown key={`${collection}\n${id}`} {...{ collection, id }} />;
};

type ShownProps = { readonly collection: string; readonly id: string };

const Shown = ({ collection, id }: ShownProps): ReactElement => {
  const [deleted, setDeleted] = useState<{ readonly undo: Undo }>();
  const record = useQuery({ ...recordQuery(collection, id), enabled: deleted === undefined });
  const title = `${collection} ${id}`;
  if (deleted !== undefined)
    return <Deleted {...{ collection, title }} undo={deleted.undo} onBack={() => setDeleted(undefined)} />;
  return (
    <div className="stack">
      <PageHead
        title={title}
        actions={
          <Link className="button" to="/collections/records" search={{ collection }}>
            All of {collection}
          </Link>
        }
      />
      <Loaded query={record} what="the record">
        {(data) => (
          <>
            <Faults record={data} />
            <Value record={data} />
            <DeleteCollectionRecord record={data} onDeleted={(undo) => setDeleted({ undo })} />
          </>
        )}
      </Loaded>
    </div>
  );
};

const Faults = ({ record: { fits, faults } }: { readonly record: CollectionRecord }): ReactElement | null =>
  fits ? null : (
    <div className="note warn stack" role="status">
      <p>
        <strong>It does not fit the document.</strong> It is served as it is. A request that changes it must make it
        fit.
      </p>
      <ul>
        {faults.map(({ pointer, message }) => (
          <li key={`${pointer} ${message}`}>
            <code>{pointer === '' ? 'the record' : pointer}</code> {message}
          </li>
        ))}
      </ul>
    </div>
  );

const Value = ({ record: { collection, id, value } }: { readonly record: CollectionRecord }): ReactElement => {
  const [isEditing, setEditing] = useState(false);
  const edit = useRef<HTMLButtonElement>(null);
  const wasEditing = useRef(false);
  useEffect(() => {
    if (wasEditing.current && !isEditing) edit.current?.focus();
    wasEditing.current = isEditing;
  }, [isEditing]);
  const store = async (next: unknown): Promise<void> => {
    await putRecord(collection, id, next);
    setEditing(false);
    sayWithUndo('Stored.', async () => {
      await putRecord(collection, id, value);
      await contentHasChanged();
      return 'It is as it was before.';
    });
    await contentHasChanged();
  };
  if (isEditing)
    return (
      <ValueForm
        initial={{ id, text: jsonText(value) }}
        label="Store"
        onSubmit={store}
        onCancel={() => setEditing(false)}
      />
    );
  return (
    <>
      <Code text={jsonText(value)} label="The record as JSON" />
      <div className="row">
        <Button ref={edit} onClick={() => setEditing(true)}>
          Edit
        </Button>
      </div>
    </>
  );
};

type DeletedProps = {
  readonly collection: string;
  readonly title: string;
  readonly undo: Undo;
  readonly onBack: () => void;
};

const Deleted = ({ collection, title, undo, onBack }: DeletedProps): ReactElement => {
  const choices = useRef<HTMLDivElement>(null);
  // What had the focus is gone with the record.
  useEffect(() => choices.current?.focus(), []);
  const putBack = (work: NonNullable<Undo>): void =>
    void work().then(
      (words) => {
        onBack();
        say(words);
      },
      (error: unknown) => say(`Not put back: ${wordsOf(error)}`),
    );
  return (
    <div className="stack">
      <PageHead title={`Deleted: ${title}`} />
      <div className="note good stack" tabIndex={-1} ref={choices}>
        <p>The record is gone.</p>
        <div className="row">
          <Link className="button" to="/collections/records" search={{ collection }}>
            All of {collection}
          </Link>
          {undo !== undefined && <Button onClick={() => putBack(undo)}>Put it back</Button>}
        </div>
      </div>
    </div>
  );
};
