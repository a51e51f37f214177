/** One input of an item, by what it is for. */
import type { ReactElement } from 'react';
import type { ModelField } from './model.ts';
import type { Part } from './parts.ts';
import { ReferenceInput, type InputAttributes } from './reference-input.tsx';

type PartInputProps = {
  readonly attributes: InputAttributes;
  readonly field: ModelField;
  readonly part: Part;
  readonly text: string;
  readonly onText: (text: string) => void;
};

export const PartInput = ({ attributes, field, part, text, onText }: PartInputProps): ReactElement => {
  const kind = inputFor(part, text);
  if (kind === 'reference' && field.target !== undefined) {
    return <ReferenceInput attributes={attributes} target={field.target} id={text} onChange={onText} />;
  }
  if (kind === 'choice') return <ChoiceInput {...{ attributes, part, text, onText }} />;
  if (kind === 'paragraph') {
    const rows = Math.min(16, Math.max(part.as === 'json' ? 4 : 3, text.split('\n').length + 1));
    return (
      <textarea
        {...attributes}
        className={part.as === 'json' ? 'mono' : undefined}
        rows={rows}
        dir="auto"
        value={text}
        onChange={({ target }) => onText(target.value)}
      />
    );
  }
  if (kind === 'moment') {
    const shown = text.slice(0, 19);
    const change = (value: string): void => onText(value === '' ? '' : `${value.padEnd(19, ':00')}+00:00`);
    return (
      <input
        {...attributes}
        type="datetime-local"
        step={1}
        value={shown}
        onChange={({ target }) => change(target.value)}
      />
    );
  }
  return (
    <input
      {...attributes}
      type={kind === 'day' ? 'date' : 'text'}
      inputMode={part.as === 'number' ? 'decimal' : undefined}
      autoComplete="off"
      dir="auto"
      value={text}
      onChange={({ target }) => onText(target.value)}
    />
  );
};

/** Inputs for times show only texts of their own form. Others are shown as they are. */
const inputFor = ({ input }: Part, text: string): Part['input'] => {
  const form = input === 'day' ? /^\d{4}-\d\d-\d\d$/ : /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$/;
  return (input === 'day' || input === 'moment') && text !== '' && !form.test(text) ? 'line' : input;
};

/** A value that is not among the choices stays, so that nothing is lost in silence. */
const ChoiceInput = ({ attributes, part, text, onText }: Omit<PartInputProps, 'field'>): ReactElement => {
  const { choices = [] } = part;
  const isOther = text !== '' && !choices.some(({ value }) => value === text);
  return (
    <select {...attributes} value={text} onChange={({ target }) => onText(target.value)}>
      <option value="">– nothing –</option>
      {choices.map(({ value, label }) => (
        <option key={value} value={value}>
          {label}
        </option>
      ))}
      {isOther && <option value={text}>{text} (not among the choices)</option>}
    </select>
  );
};
