/** Asks before a record is deleted, and shows why that has failed. */
import { useState, type ReactElement, type ReactNode } from 'react';
import { ConfirmButton } from '../ui/button.tsx';
import { Failure } from '../ui/states.tsx';

type DeletePanelProps = {
  readonly label: string;
  readonly question: string;
  readonly onConfirm: () => Promise<void>;
  /** What goes, and what stays. */
  readonly children: ReactNode;
};

export const DeletePanel = ({ label, question, onConfirm, children }: DeletePanelProps): ReactElement => {
  const [error, setError] = useState<unknown>();
  return (
    <section className="panel stack" aria-labelledby="delete-heading">
      <h2 id="delete-heading">Delete</h2>
      {error !== undefined && <Failure error={error} />}
      <div className="row">
        <ConfirmButton
          label={label}
          question={question}
          confirm="Delete"
          onConfirm={() => {
            setError(undefined);
            onConfirm().catch(setError);
          }}
        >
          {children}
        </ConfirmButton>
      </div>
    </section>
  );
};

/** The last sentence of each question. */
export const WayBack = (): ReactElement => (
  <p>No request of a client brings it back. The console can, until the next deletion.</p>
);
