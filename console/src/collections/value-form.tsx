/** A form with the JSON of a record. It asks before a change is lost. */
import { useEffect, useRef, useState, type ReactElement, type RefObject, type SubmitEvent } from 'react';
import { LeaveQuestion } from '../edit/leave-question.tsx';
import { Button } from '../ui/button.tsx';
import { Failure } from '../ui/states.tsx';
import { Field } from '../ui/text.tsx';
import { readJson } from './record-values.ts';

type Draft = { readonly id: string; readonly text: string };

type ValueFormProps = {
  readonly initial: Draft;
  /** What to write as the id of a new record. Undefined where the record has its id. */
  readonly idHint?: string;
  readonly label: string;
  /** Stores the value. Its rejection is shown. */
  readonly onSubmit: (value: unknown, id: string) => Promise<void>;
  readonly onCancel: () => void;
};

export const ValueForm = ({ initial, idHint, label, onSubmit, onCancel }: ValueFormProps): ReactElement => {
  const [draft, setDraft] = useState(initial);
  const area = useRef<HTMLTextAreaElement>(null);
  const id = useRef<HTMLInputElement>(null);
  useEffect(() => (id.current ?? area.current)?.focus(), []);
  const { fault, error, isSending, isStored, submit } = useSubmit(draft, onSubmit, area);
  return (
    <form className="stack" onSubmit={submit}>
      <LeaveQuestion
        isNeeded={() => !isStored.current && (draft.text !== initial.text || draft.id !== initial.id)}
        question="Leave without storing?"
        loss="What you have written is not stored."
      />
      {error !== undefined && <Failure error={error} />}
      {idHint !== undefined && (
        <Field label="Id" hint={idHint}>
          {(attributes) => (
            <input
              {...attributes}
              {...{ ref: id, value: draft.id, required: true, autoComplete: 'off', dir: 'auto' }}
              onChange={(event) => setDraft({ ...draft, id: event.currentTarget.value })}
            />
          )}
        </Field>
      )}
      <Field label="Value as JSON" hint="It is stored also where it does not fit the document." error={fault}>
        {(attributes) => (
          <textarea
            {...attributes}
            {...{ ref: area, className: 'mono', rows: 16, spellCheck: false, value: draft.text }}
            onChange={(event) => setDraft({ ...draft, text: event.currentTarget.value })}
          />
        )}
      </Field>
      <div className="row">
        <Button type="submit" look="main" disabled={isSending}>
          {label}
        </Button>
        <Button onClick={onCancel}>Cancel</Button>
      </div>
    </form>
  );
};

const useSubmit = (
  { id, text }: Draft,
  onSubmit: ValueFormProps['onSubmit'],
  area: RefObject<HTMLTextAreaElement | null>,
) => {
  const [fault, setFault] = useState<string>();
  const [error, setError] = useState<unknown>();
  const [isSending, setSending] = useState(false);
  // The page is left when the value is stored, and nothing is lost then.
  const isStored = useRef(false);
  const submit = (event: SubmitEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const read = readJson(text);
    setFault(read.fault);
    setError(undefined);
    if (read.fault !== undefined) {
      area.current?.focus();
      return;
    }
    setSending(true);
    isStored.current = true;
    onSubmit(read.value, id)
      .catch((refusal: unknown) => {
        isStored.current = false;
        setError(refusal);
      })
      .finally(() => setSending(false));
  };
  return { fault, error, isSending, isStored, submit };
};
