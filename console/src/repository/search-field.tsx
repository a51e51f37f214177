/** The search in titles. It asks when the user pauses. */
import { useEffect, useRef, useState, type ReactElement } from 'react';
import { Field } from '../ui/text.tsx';
import { firstPage, type ListChange, type ListValues } from './listing.ts';

/** Milliseconds without a key, after which the list is asked for. */
const pause = 250;

export const SearchField = ({
  values,
  change,
}: {
  readonly values: Partial<ListValues>;
  readonly change: ListChange;
}): ReactElement => {
  const inAddress = values.text ?? '';
  const [draft, setDraft] = useState(inAddress);
  const sent = useRef(inAddress);
  const field = useRef<HTMLInputElement>(null);
  const send = useRef(change);
  useEffect(() => {
    send.current = change;
  });
  useEffect(() => {
    // The back button and links change the address too.
    if (inAddress === sent.current) return;
    sent.current = inAddress;
    setDraft(inAddress);
  }, [inAddress]);
  useEffect(() => {
    if (draft === sent.current) return;
    const timer = setTimeout(() => {
      sent.current = draft;
      send.current({ text: draft, ...firstPage }, { replace: true });
    }, pause);
    return () => clearTimeout(timer);
  }, [draft]);
  useEffect(() => {
    if (values.focus === undefined) return;
    field.current?.focus();
    send.current({ focus: undefined }, { replace: true });
  }, [values.focus]);
  return (
    <Field label="Text in the title">
      {(attributes) => (
        <input
          {...attributes}
          ref={field}
          type="search"
          maxLength={200}
          value={draft}
          onChange={({ target }) => setDraft(target.value)}
          data-search-field
        />
      )}
    </Field>
  );
};
