/** Chooses the collection that the list shows the members of. There may be many, so they are searched. */
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useDeferredValue, useState, type ReactElement } from 'react';
import { control } from '../api/control.ts';
import { modelQuery, type EntitySummary } from '../api/queries.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Empty, Loaded } from '../ui/states.tsx';
import { Field } from '../ui/text.tsx';
import { typeOf, type ListChange, type ListValues } from './listing.ts';
import { memberFieldOf, modelFieldOf, termsQuery } from './terms.ts';

type CollectionChoiceProps = { readonly values: Partial<ListValues>; readonly change: ListChange };

/** Nothing where the objects of the site are members of nothing. */
export const CollectionChoice = ({ values, change }: CollectionChoiceProps): ReactElement | null => {
  const [isOpen, setOpen] = useState(false);
  const model = useQuery(modelQuery);
  const chosen = useQuery({
    queryKey: ['content', 'node', values.collection],
    queryFn: () => nodesWith({ ids: values.collection ?? '' }),
    enabled: values.collection !== undefined,
  });
  const field = memberFieldOf(model.data, typeOf(values));
  if (field === undefined) return null;
  const title = chosen.data?.[0]?.title ?? `number ${values.collection}`;
  const choose = (collection: string | undefined): void => {
    setOpen(false);
    change({ collection });
  };
  return (
    <div className="field" role="group" aria-label={field.label}>
      <span className="label" aria-hidden="true">
        {field.label}
      </span>
      <div className="row">
        <Dialog
          title={`${field.label}: which one?`}
          isOpen={isOpen}
          onOpenChange={setOpen}
          trigger={
            <Button className="collection-choice">
              <bdi>{values.collection === undefined ? 'Any' : title}</bdi>
            </Button>
          }
        >
          <CollectionSearch onChoose={choose} />
        </Dialog>
        {values.collection !== undefined && (
          <Button aria-label={`Remove the filter ${field.label}`} onClick={() => choose(undefined)}>
            Remove
          </Button>
        )}
      </div>
    </div>
  );
};

const CollectionSearch = ({ onChoose }: { readonly onChoose: (id: string) => void }): ReactElement => {
  const [text, setText] = useState('');
  const [isEvery, setEvery] = useState(false);
  const sought = useDeferredValue(text);
  const model = useQuery(modelQuery);
  const terms = useQuery(termsQuery(modelFieldOf(model.data, 'node')?.target?.bundles));
  const term = terms.data?.find(({ title }) => /collection/i.test(title));
  const found = useQuery({
    queryKey: ['content', 'collections', sought, isEvery ? undefined : term?.id],
    queryFn: () =>
      nodesWith({
        ...(sought === '' ? {} : { text: sought }),
        ...(isEvery || term === undefined ? {} : { model: String(term.id) }),
      }),
    enabled: !terms.isLoading,
    placeholderData: keepPreviousData,
  });
  return (
    <div className="stack">
      <Field label="Text in the title">
        {(attributes) => (
          <input
            {...attributes}
            type="search"
            maxLength={200}
            value={text}
            onChange={({ target }) => setText(target.value)}
          />
        )}
      </Field>
      {term !== undefined && (
        <label>
          <input type="checkbox" checked={isEvery} onChange={({ target }) => setEvery(target.checked)} /> Objects of
          every model, not only &ldquo;{term.title}&rdquo;
        </label>
      )}
      <Loaded query={found} what="the collections">
        {(nodes) =>
          nodes.length === 0 ? (
            <Empty title="No object has this in its title." />
          ) : (
            <Found nodes={nodes} onChoose={onChoose} />
          )
        }
      </Loaded>
    </div>
  );
};

type FoundProps = { readonly nodes: readonly EntitySummary[]; readonly onChoose: (id: string) => void };

const Found = ({ nodes, onChoose }: FoundProps): ReactElement => (
  <ul className="found-collections">
    {nodes.map(({ id, title, model }) => (
      <li key={id}>
        <Button look="plain" onClick={() => onChoose(String(id))}>
          <span dir="auto">{title}</span>{' '}
          <span className="soft">{[model, `number ${id}`].filter(Boolean).join(', ')}</span>
        </Button>
      </li>
    ))}
  </ul>
);

const nodesWith = async (query: {
  readonly ids?: string;
  readonly text?: string;
  readonly model?: string;
}): Promise<readonly EntitySummary[]> => {
  return (await control.ask('listEntities', { query: { type: 'node', order: 'title', limit: '20', ...query } }))
    .entities;
};
