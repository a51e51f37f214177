/** The catalogue of faults with their explanations. */
import { useQuery } from '@tanstack/react-query';
import { useState, type ReactElement } from 'react';
import { control, type ControlSchemas } from '../api/control.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Empty, Loaded } from '../ui/states.tsx';
import { Field } from '../ui/text.tsx';
import { FaultForm } from './fault-form.tsx';

type FaultKind = ControlSchemas['FaultKind'];

type CatalogueProps = {
  /** The base URL of the world in which a fault is added. */
  readonly url: string;
  readonly text: string;
  readonly onText: (text: string) => void;
};

export const Catalogue = ({ url, text, onText }: CatalogueProps): ReactElement => {
  const catalogue = useQuery({
    queryKey: ['fault-catalogue'],
    queryFn: () => control.ask('listFaultKinds'),
    staleTime: Infinity,
  });
  const [adding, setAdding] = useState<FaultKind>();
  const wanted = text.toLowerCase();
  return (
    <section aria-labelledby="catalogue" className="stack">
      <h2 id="catalogue">Catalogue</h2>
      <Field label="Search in the catalogue">
        {(attributes) => (
          <input
            {...attributes}
            type="search"
            data-search-field
            value={text}
            onChange={(event) => onText(event.currentTarget.value)}
          />
        )}
      </Field>
      <Loaded query={catalogue} what="the catalogue">
        {({ faults }) => {
          const found = faults.filter(({ name, summary }) => `${name} ${summary}`.toLowerCase().includes(wanted));
          return found.length === 0 ? (
            <Empty title={`No fault has "${text}" in its name or explanation.`} />
          ) : (
            <ul className="grid faults">
              {found.map((kind) => (
                <KindCard key={kind.name} kind={kind} onAdd={() => setAdding(kind)} />
              ))}
            </ul>
          );
        }}
      </Loaded>
      <Dialog
        title={`Add ${adding?.name ?? 'a fault'}`}
        isOpen={adding !== undefined}
        onOpenChange={() => setAdding(undefined)}
      >
        {adding !== undefined && <FaultForm url={url} kind={adding} onDone={() => setAdding(undefined)} />}
      </Dialog>
    </section>
  );
};

const KindCard = ({ kind, onAdd }: { readonly kind: FaultKind; readonly onAdd: () => void }): ReactElement => (
  <li className="panel">
    <h3>{kind.name}</h3>
    <p>{kind.summary}</p>
    <p className="soft">
      {kind.source === 'transport' ? 'Any network does this.' : `Of this interface: ${kind.source}`}
      {kind.perRequest && (
        <>
          {' '}
          One request can ask for it: <code>Atoll-Fault: {kind.name}</code>
        </>
      )}
    </p>
    <Button onClick={onAdd} aria-label={`Add ${kind.name}`}>
      Add …
    </Button>
  </li>
);
