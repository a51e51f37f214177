/** Uploads a file for a field of a record (`POST /file/upload/…`), and puts its id into the field. */
import { useId, useState, type ReactElement } from 'react';
import { uploadFile } from '../../../../src/client/client.ts';
import { useRepository } from '../../api/acting.ts';
import { say } from '../../ui/toast.tsx';
import type { ModelBundle, ModelField } from '../model.ts';
import { UploadProgress, useUploadRun } from './upload-run.tsx';

type FileForFieldProps = {
  readonly bundle: ModelBundle;
  readonly field: ModelField;
  readonly onUploaded: (id: string, name: string) => void;
};

/** The file is stored as soon as it is chosen, as a temporary one; saving the record makes it permanent. */
export const FileForField = ({ bundle, field, onUploaded }: FileForFieldProps): ReactElement => {
  const id = useId();
  const client = useRepository();
  const run = useUploadRun();
  const [name, setName] = useState('');
  if (field.uploadPath === undefined) {
    return (
      <span className="hint">
        This site takes no file before its record exists. Choose one that is there, or add the media on the page of its
        object.
      </span>
    );
  }
  const send = (file: File): void => {
    setName(file.name);
    run.start(file.size, async (options) => {
      const to = { entityType: bundle.type, bundle: bundle.bundle, field: field.name };
      const { data } = await uploadFile(client, { to, body: file, ...options });
      onUploaded(String(data.fid[0].value), file.name);
      say(`${file.name} is stored as file ${data.fid[0].value}.`);
    });
  };
  const { extensions } = field;
  return (
    <div className="field">
      <label htmlFor={id} className="soft">
        Upload a file for {field.label}
      </label>
      <input
        id={id}
        type="file"
        aria-describedby={`${id}-hint`}
        aria-invalid={run.error !== undefined || undefined}
        disabled={run.isRunning}
        onChange={({ target }) => target.files?.[0] !== undefined && send(target.files[0])}
      />
      <span className="hint" id={`${id}-hint`}>
        {extensions === undefined ? 'Any kind of file.' : `Allowed: ${extensions.join(', ')}.`}
      </span>
      {run.error !== undefined && (
        <span className="error" role="alert">
          {run.error}
        </span>
      )}
      <UploadProgress run={run} name={name} />
    </div>
  );
};
