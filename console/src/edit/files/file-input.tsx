/** An input for a file, which says how large the file is. */
import { useEffect, useRef, type ReactElement } from 'react';
import { Field } from '../../ui/text.tsx';
import { sizeText } from '../../ui/size-text.ts';

type FileInputProps = {
  readonly label: string;
  readonly file: File | undefined;
  readonly onFile: (file: File | undefined) => void;
  /** The refusal, in the server's words. */
  readonly error: string | undefined;
  readonly isDisabled: boolean;
  /** The file extensions that are allowed. */
  readonly extensions?: readonly string[] | undefined;
};

export const FileInput = ({ label, file, onFile, error, isDisabled, extensions }: FileInputProps): ReactElement => {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (input.current === null || input.current.files?.[0] === file) return;
    // A browser keeps the name of a file that was sent already, and does not know one that was dropped elsewhere.
    const shown = new DataTransfer();
    if (file !== undefined) shown.items.add(file);
    input.current.files = shown.files;
  }, [file]);
  useEffect(() => {
    if (error !== undefined) input.current?.focus();
  }, [error]);
  const allowed = extensions === undefined ? [] : [`Allowed: ${extensions.join(', ')}.`];
  const size = file === undefined ? [] : [`${sizeText(file.size)}.`];
  return (
    <Field label={label} error={error} hint={[...size, ...allowed].join(' ') || undefined}>
      {(attributes) => (
        <input
          {...attributes}
          ref={input}
          type="file"
          disabled={isDisabled}
          onChange={({ target }) => onFile(target.files?.[0])}
        />
      )}
    </Field>
  );
};
