/** Deletes a record, after saying what goes and what stays. */
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { useActing } from '../api/acting.ts';
import { control } from '../api/control.ts';
import { contentHasChanged } from '../api/queries.ts';
import { say, sayWithUndo } from '../ui/toast.tsx';
import { DeletePanel, WayBack } from './delete-panel.tsx';
import type { ModelBundle } from './model.ts';
import { RequestPreview } from './request-preview.tsx';
import { sendPlain } from './send.ts';
import { prepareUndo, type Undo } from './undo-deletion.ts';

type DeleteRecordProps = {
  readonly bundle: ModelBundle;
  readonly id: string;
  readonly title: string;
  /** The path of the record as JSON, with the query. */
  readonly path: string;
  readonly onDeleted: (undo: Undo) => void;
};

export const DeleteRecord = ({ bundle, id, title, path, onDeleted }: DeleteRecordProps): ReactElement => {
  const acting = useActing();
  const navigate = useNavigate();
  const { type } = bundle;
  const ask = { method: 'DELETE', path };
  const others = useOthers(type, id);
  const send = async (): Promise<void> => {
    const undo = await prepareUndo(
      () => ({ type, id: Number(id) }),
      () => navigate({ to: '/entities/$type/$id', params: { type, id } }),
    );
    await sendPlain(acting, ask);
    onDeleted(undo);
    if (undo === undefined) say('Deleted.');
    else sayWithUndo('Deleted.', undo);
    await contentHasChanged();
  };
  return (
    <DeletePanel label={`Delete this ${nouns[type]} …`} question={`Delete “${title}”?`} onConfirm={send}>
      <p>{fates[type]}</p>
      {others.map((sentence) => (
        <p key={sentence}>{sentence}</p>
      ))}
      <WayBack />
      <RequestPreview ask={ask} />
    </DeletePanel>
  );
};

/** What people call a record of a type. */
export const nouns: Readonly<Record<ModelBundle['type'], string>> = {
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
