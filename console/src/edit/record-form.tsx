/** The form of a record: all fields of its bundle, the request that they make, and the errors of its refusal. */
import { useEffect, useMemo, useRef, useState, type SubmitEvent, type ReactElement, type RefObject } from 'react';
import { useActing } from '../api/acting.ts';
import { exchange, type PlainAsk } from '../api/exchange.ts';
import { contentHasChanged } from '../api/queries.ts';
import { wordsOf } from '../api/refusal.ts';
import { OtherAccounts } from '../object/refused.tsx';
import { Button } from '../ui/button.tsx';
import { RefusalHelp } from '../ui/help-link.tsx';
import { say, sayWithUndo } from '../ui/toast.tsx';
import { changedFields, type Body } from './body.ts';
import type { Draft } from './draft.ts';
import { errorsOf, faultyFields, noErrors, withError, type FormErrors } from './errors.ts';
import { FormFields } from './form-fields.tsx';
import { LeaveQuestion } from './leave-question.tsx';
import { messageIn } from './message.ts';
import type { JsonObject, ModelBundle, ModelField } from './model.ts';
import { RequestPreview } from './request-preview.tsx';
import { deleteRecord } from './send.ts';

type RecordFormProps = {
  readonly bundle: ModelBundle;
  readonly fields: readonly ModelField[];
  /** What the record has already. Only what differs from it is sent. */
  readonly before: Draft;
  /** What the form begins with. */
  readonly initial: Draft;
  readonly requestOf: (body: Body) => PlainAsk;
  /** The label of the button that sends. */
  readonly label: string;
  readonly onSaved: (record: JsonObject) => void;
  /** Sends what takes it back, and returns what to say then. Undefined where no request does. */
  readonly undoOf: (record: JsonObject, sent: Draft) => (() => Promise<string>) | undefined;
  /** Called when the form begins and ceases to differ from what it began with. */
  readonly onDirty?: (isDirty: boolean) => void;
};

type Refused = { readonly status: number | undefined; readonly errors: FormErrors };

export const RecordForm = (props: RecordFormProps): ReactElement => {
  const { bundle, fields, before, initial, requestOf, label, onDirty } = props;
  const [draft, setDraft] = useState(initial);
  const body = useMemo(() => changedFields(fields, before, draft), [fields, before, draft]);
  const isDirty = useMemo(() => hasChanges(changedFields(fields, initial, draft)), [fields, initial, draft]);
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => onDirty?.(isDirty), [isDirty, onDirty]);
  const { refused, isSending, send, isDone } = useSending(props, { body, draft }, form);
  const onStored = useStoredFiles(isDone);
  const errors = refused?.errors ?? noErrors;
  return (
    <div className="edit-columns">
      <form className="stack" noValidate onSubmit={send} ref={form} aria-label={`Fields of ${bundle.label}`}>
        {refused !== undefined && <RefusalSummary refused={refused} fields={fields} />}
        <FormFields {...{ bundle, fields, draft, errors }} onDraft={setDraft} onStored={onStored} />
        <div className="row form-end">
          <Button type="submit" look="main" disabled={isSending}>
            {isSending ? 'Sending …' : label}
          </Button>
          <span className="soft" role="status">
            {hasChanges(body) ? toldChanges(body) : 'No field has changed.'}
          </span>
        </div>
      </form>
      <section className="request-column stack" aria-labelledby="request-heading">
        <h2 id="request-heading">What will be sent</h2>
        <RequestPreview ask={requestOf(body)} />
      </section>
      <LeaveQuestion
        isNeeded={() => isDirty && !isDone.current}
        question="Leave without saving?"
        loss="What you have changed in the form has not been sent. It is lost when you leave."
      />
    </div>
  );
};

/** Files are stored before the record that they are for. They go again when the form is left without it. */
const useStoredFiles = (isDone: RefObject<boolean>): ((file: string) => void) => {
  const acting = useActing();
  const asNow = useRef(acting);
  const stored = useRef<string[]>([]);
  useEffect(() => {
    asNow.current = acting;
  }, [acting]);
  useEffect(
    () => () => {
      if (isDone.current) return;
      // Nobody waits for it: the page is gone. A file that stays is a temporary one.
      for (const id of stored.current) deleteRecord(asNow.current, 'file', id).catch(() => undefined);
    },
    [isDone],
  );
  return (file) => void stored.current.push(file);
};

const hasChanges = ({ members, unreadable }: Body): boolean => Object.keys(members).length + unreadable.length > 0;

const toldChanges = ({ members }: Body): string => {
  const count = Object.keys(members).length;
  return count === 1 ? '1 field is sent.' : `${count} fields are sent.`;
};

/** Sends the form and keeps what came of it. After a refusal the focus goes to the first input with an error. */
const useSending = (
  { fields, requestOf, label, onSaved, undoOf }: RecordFormProps,
  { body, draft }: { readonly body: Body; readonly draft: Draft },
  form: RefObject<HTMLFormElement | null>,
) => {
  const acting = useActing();
  const [refused, setRefused] = useState<Refused>();
  const [isSending, setSending] = useState(false);
  const isDone = useRef(false);
  useEffect(() => {
    if (refused !== undefined) focusFirstError(form.current);
  }, [refused, form]);
  const ask = async (): Promise<void> => {
    const { status, text = '' } = await exchange(acting, requestOf(body));
    if (status >= 300) {
      setRefused({ status, errors: errorsOf(messageIn(text) || `HTTP ${status}`, fields, body.keys) });
      return;
    }
    isDone.current = true;
    const record = JSON.parse(text) as JsonObject; // the document says so: 200 and 201 have the record
    const undo = undoOf(record, draft);
    const said = status === 201 ? 'Created.' : 'Saved.';
    if (undo === undefined) say(said);
    else sayWithUndo(said, undo);
    await contentHasChanged();
    onSaved(record);
  };
  const send = (event: SubmitEvent): void => {
    event.preventDefault();
    const unreadable = unreadableErrors(body, fields);
    if (unreadable !== undefined) setRefused({ status: undefined, errors: unreadable });
    else if (!hasChanges(body) && label.startsWith('Save')) say('No field has changed, so there is nothing to send.');
    else {
      setSending(true);
      ask()
        .catch((error: unknown) => setRefused({ status: undefined, errors: { ...noErrors, rest: [wordsOf(error)] } }))
        .finally(() => setSending(false));
    }
  };
  return { refused, isSending, send, isDone };
};

const unreadableErrors = ({ unreadable }: Body, fields: readonly ModelField[]): FormErrors | undefined => {
  if (unreadable.length === 0) return undefined;
  return unreadable.reduce<FormErrors>((errors, { field: name, key, message }) => {
    const field = fields.find((each) => each.name === name);
    return field === undefined ? errors : withError(errors, field, key, { text: message });
  }, noErrors);
};

/** An input is better than the error of its field, which is only read. */
const focusFirstError = (form: HTMLElement | null): void => {
  const first = form?.querySelector<HTMLElement>('[aria-invalid="true"], [data-list-error]');
  const details = first?.closest('details');
  if (details) details.open = true;
  const input = first?.closest('fieldset')?.querySelector<HTMLElement>('[aria-invalid="true"]');
  (input ?? first ?? form?.querySelector<HTMLElement>('[data-refusal]'))?.focus();
};

const RefusalSummary = ({
  refused: { status, errors },
  fields,
}: {
  readonly refused: Refused;
  readonly fields: readonly ModelField[];
}): ReactElement => {
  const faulty = faultyFields(errors).map((name) => fields.find((field) => field.name === name)?.label ?? name);
  return (
    <div className="note bad" role="alert" tabIndex={-1} data-refusal>
      <p>
        <strong>{status === undefined ? 'Not sent.' : `Refused with ${status}.`}</strong>{' '}
        {faulty.length > 0 && `See ${faulty.join(', ')}.`} <RefusalHelp status={status} />
      </p>
      {errors.rest.map((line) => (
        <p key={line}>{line}</p>
      ))}
      {(status === 401 || status === 403) && <OtherAccounts />}
    </div>
  );
};
