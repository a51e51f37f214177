/** Deletes a record, after saying what goes and what stays. */
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState, type ReactElement } from 'react';
import { useActing } from '../api/acting.ts';
import { control } from '../api/control.ts';
import type { PlainAsk } from '../api/exchange.ts';
import { contentHasChanged } from '../api/queries.ts';
import { ConfirmButton } from '../ui/button.tsx';
import { Failure } from '../ui/states.tsx';
import { say, sayWithUndo } from '../ui/toast.tsx';
import { requestAgain } from './again.ts';
import { idIn, type JsonObject, type ModelBundle } from './model.ts';
import { RequestPreview } from './request-preview.tsx';
import { sendPlain } from './send.ts';

type DeleteRecordProps = {
  readonly bundle: ModelBundle;
  readonly id: string;
  readonly title: string;
  /** The path of the record as JSON, with the query. */
  readonly path: string;
  readonly record: JsonObject;
  readonly onDeleted: () => void;
};

export const DeleteRecord = ({ bundle, id, title, path, record, onDeleted }: DeleteRecordProps): ReactElement => {
  const acting = useActing();
  const ask = { method: 'DELETE', path };
  const [error, setError] = useState<unknown>();
  const others = useOthers(bundle.type, id);
  const sayDeleted = useSayDeleted(bundle, record);
  const send = async (): Promise<void> => {
    await sendPlain(acting, ask);
    onDeleted();
    sayDeleted();
    await contentHasChanged();
  };
  return (
    <section className="panel stack" aria-labelledby="delete-heading">
      <h2 id="delete-heading">Delete</h2>
      {error !== undefined && <Failure error={error} />}
      <div className="row">
        <ConfirmButton
          label={`Delete this ${nouns[bundle.type]} …`}
          question={`Delete “${title}”?`}
          confirm="Delete"
          onConfirm={() => {
            setError(undefined);
            send().catch(setError);
          }}
        >
          <p>{fates[bundle.type]}</p>
          {others.map((sentence) => (
            <p key={sentence}>{sentence}</p>
          ))}
          <p>No request brings it back with its id. A reset or a snapshot of the world does.</p>
          <RequestPreview ask={ask} />
        </ConfirmButton>
      </div>
    </section>
  );
};

/** No request gives a record its id back, so what is undone gets another one. */
const useSayDeleted = (bundle: ModelBundle, record: JsonObject) => {
  const acting = useActing();
  const navigate = useNavigate();
  const again = requestAgain(bundle, record);
  const makeAgain = async (ask: PlainAsk): Promise<string> => {
    const made = JSON.parse(await sendPlain(acting, ask)) as JsonObject; // the document says so: 201 has the record
    const { type } = bundle;
    const id = idIn(made, bundle) ?? '';
    await contentHasChanged();
    await navigate({ to: '/entities/$type/$id', params: { type, id } });
    return `It is back, as ${nouns[type]} ${id}. What referred to the old one still does.`;
  };
  return (): void => (again === undefined ? say('Deleted.') : sayWithUndo('Deleted.', () => makeAgain(again)));
};

const nouns: Readonly<Record<ModelBundle['type'], string>> = {
  ...{ node: 'object', media: 'media', file: 'file', taxonomy_term: 'term', user: 'account' },
};

/** Nothing cascades in the repository, but the bytes of a file go with its record. */
const fates: Readonly<Record<ModelBundle['type'], string>> = {
  node: 'The object and its URL alias go. Its media, their files and its members stay, and refer to an object that is gone.',
  media: 'The media goes. Its file and the bytes stay.',
  file: 'The file goes, with its bytes. Media that use it stay, and refer to a file that is gone.',
  taxonomy_term: 'The term goes. Records that refer to it stay, and refer to a term that is gone.',
  user: 'The account goes. What it owns stays.',
};

type Filter = { readonly type: 'node' | 'media' } & Partial<
  Record<'media_of' | 'collection' | 'file' | 'model', string>
>;

/** What refers to the record, and what to say about it. */
const referrers: Readonly<
  Partial<Record<ModelBundle['type'], (id: string) => readonly (readonly [string, Filter])[]>>
> = {
  node: (id) => [
    ['Media of it now', { type: 'media', media_of: id }],
    ['Members of it now', { type: 'node', collection: id }],
  ],
  file: (id) => [['Media with this file now', { type: 'media', file: id }]],
  taxonomy_term: (id) => [['Objects with this model now', { type: 'node', model: id }]],
};

const useOthers = (type: ModelBundle['type'], id: string): readonly string[] => {
  const { data = [] } = useQuery({
    queryKey: ['referrers', type, id],
    queryFn: () =>
      Promise.all(
        (referrers[type]?.(id) ?? []).map(async ([what, filter]) => {
          const query = { ...filter, limit: '1' };
          return { what, ...(await control.ask('listEntities', { query })) };
        }),
      ),
  });
  return data.filter(({ total }) => total > 0).map(({ what, total }) => `${what}: ${total}.`);
};
