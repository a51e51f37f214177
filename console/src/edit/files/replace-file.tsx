/** Replaces the file of a media (`PUT /media/{id}/source`). */
import { useState, type SubmitEvent, type ReactElement } from 'react';
import { upload } from '../../../../src/client/client.ts';
import { clientOf, useActing } from '../../api/acting.ts';
import { contentHasChanged } from '../../api/queries.ts';
import { Button } from '../../ui/button.tsx';
import { say, sayWithUndo } from '../../ui/toast.tsx';
import { FileInput } from './file-input.tsx';
import type { ModelBundle } from '../model.ts';
import { RequestPreview } from '../request-preview.tsx';
import { bytesNow, undoReplaced } from './stored-file.ts';
import { UploadProgress, useUploadRun } from './upload-run.tsx';

type ReplaceFileProps = { readonly bundle: ModelBundle; readonly media: string };

export const ReplaceFile = ({ bundle, media }: ReplaceFileProps): ReactElement => {
  const { run, file, setFile, isMissing, send } = useReplacing(bundle, media);
  const type = file?.type ?? '';
  const headers = { 'Content-Type': type === '' ? 'application/octet-stream' : type };
  return (
    <section className="panel stack" aria-labelledby="replace-heading">
      <h2 id="replace-heading">Replace the file</h2>
      <p>The media keeps its fields and the name of its file. The old bytes are lost, unless you undo it at once.</p>
      <form className="stack" noValidate onSubmit={send} aria-label="Replace the file">
        <FileInput
          label="New file"
          {...{ file }}
          onFile={setFile}
          error={isMissing ? 'Choose a file.' : run.error}
          isDisabled={run.isRunning}
          extensions={bundle.fields.find(({ name }) => name === bundle.source?.field)?.extensions}
        />
        {file !== undefined && (
          <RequestPreview
            name="The upload"
            ask={{ method: 'PUT', path: `/media/${media}/source`, headers }}
            file={file.name}
          />
        )}
        <UploadProgress run={run} name={file?.name ?? ''} />
        <div className="row">
          <Button type="submit" look="main" disabled={run.isRunning}>
            Replace the file
          </Button>
        </div>
      </form>
    </section>
  );
};

const useReplacing = (bundle: ModelBundle, media: string) => {
  const acting = useActing();
  const run = useUploadRun();
  const [file, setFile] = useState<File>();
  const [isMissing, setMissing] = useState(false);
  const send = (event: SubmitEvent): void => {
    event.preventDefault();
    setMissing(file === undefined);
    if (file === undefined) return;
    run.start(file.size, async (options) => {
      const before = await bytesNow(acting, bundle, media);
      await upload(clientOf(acting), { to: { media: Number(media) }, body: file, ...options });
      const said = 'The file was replaced.';
      if (before === undefined) say(said);
      else sayWithUndo(said, () => undoReplaced(acting, media, before));
      setFile(undefined);
      await contentHasChanged();
    });
  };
  return { run, file, setFile, isMissing, send };
};
