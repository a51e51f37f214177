/** Uploads a file to an object (`PUT /node/{id}/media/{type}/{use}`): makes a media, or replaces the file of the one with this use. */
import { Link } from '@tanstack/react-router';
import { useState, type SubmitEvent, type ReactElement } from 'react';
import { upload } from '../../../../src/client/upload.ts';
import { useRepository } from '../../api/acting.ts';
import { contentHasChanged } from '../../api/queries.ts';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/text.tsx';
import { say } from '../../ui/toast.tsx';
import { FileInput } from './file-input.tsx';
import type { ContentModel, ModelBundle } from '../model.ts';
import { ReferenceInput } from '../reference-input.tsx';
import { RequestPreview } from '../request-preview.tsx';
import { extensionOf, usualLocation } from './location.ts';
import { UploadProgress, useUploadRun } from './upload-run.tsx';

type AttachFileProps = { readonly model: ContentModel; readonly node: string };

export const AttachFile = ({ model, node }: AttachFileProps): ReactElement => {
  const form = useAttachForm(model);
  const { file, mediaType, use, location } = form;
  const { run, media, missing, send } = useAttaching(node, form);
  return (
    <section className="panel stack" aria-labelledby="attach-heading">
      <h2 id="attach-heading">Attach a file</h2>
      <form className="stack" noValidate onSubmit={send} aria-label="Attach a file">
        <FileInput
          label="File"
          file={file}
          onFile={form.setFile}
          error={missing.file ?? run.error}
          isDisabled={run.isRunning}
        />
        <AttachFields {...{ model, form }} useError={missing.use} />
        {file !== undefined && <AttachPreview {...{ node, mediaType, use, location, file }} />}
        <UploadProgress run={run} name={file?.name ?? ''} />
        <div className="row">
          <Button type="submit" look="main" disabled={run.isRunning}>
            Attach the file
          </Button>
          {media !== undefined && (
            <Link to="/entities/$type/$id" params={{ type: 'media', id: media }}>
              Open the media {media}
            </Link>
          )}
        </div>
      </form>
    </section>
  );
};

type AttachFieldsProps = {
  readonly model: ContentModel;
  readonly form: AttachForm;
  readonly useError: string | undefined;
};

/** Which media the file is for, and where it is put. */
const AttachFields = ({ model, form, useError }: AttachFieldsProps): ReactElement => {
  const types = typesWithFiles(model);
  const terms = termsOfUse(types.find(({ bundle }) => bundle === form.mediaType));
  return (
    <>
      <Field label="Media type">
        {(attributes) => (
          <select {...attributes} value={form.mediaType} onChange={({ target }) => form.setMediaType(target.value)}>
            {types.map(({ bundle, label }) => (
              <option key={bundle} value={bundle}>
                {label}
              </option>
            ))}
          </select>
        )}
      </Field>
      <Field
        label="Use of the media"
        error={useError}
        hint="If the object has a media with this use, its file is replaced."
      >
        {(attributes) => <ReferenceInput {...{ attributes }} target={terms} id={form.use} onChange={form.setUse} />}
      </Field>
      <Field label="Where the file is put" hint="The header Content-Location. It counts only when a media is made.">
        {(attributes) => (
          <input
            {...attributes}
            type="text"
            autoComplete="off"
            value={form.location}
            onChange={({ target }) => form.setLocation(target.value)}
          />
        )}
      </Field>
    </>
  );
};

const typesWithFiles = (model: ContentModel): readonly ModelBundle[] =>
  model.bundles.filter(({ type, source }) => type === 'media' && source !== undefined && source.kind !== 'oembed');

/** The terms that the media type takes as its use. */
const termsOfUse = (type: ModelBundle | undefined) => {
  const { bundles } = type?.fields.find(({ name }) => name === 'field_media_use')?.target ?? {};
  return { type: 'taxonomy_term', ...(bundles === undefined ? {} : { bundles }) };
};

type AttachForm = ReturnType<typeof useAttachForm>;

/** What the user has not chosen follows from the file. */
const useAttachForm = (model: ContentModel) => {
  const [file, setFile] = useState<File>();
  const [chosenType, setMediaType] = useState<string>();
  const [use, setUse] = useState('');
  const [written, setLocation] = useState<string>();
  const types = typesWithFiles(model);
  const extension = extensionOf(file?.name ?? '');
  const fitting = types.find(({ fields, source }) =>
    fields.find(({ name }) => name === source?.field)?.extensions?.includes(extension),
  );
  const mediaType = chosenType ?? (fitting ?? types[0])?.bundle ?? '';
  const location = written ?? (file === undefined ? '' : usualLocation(file.name, new Date()));
  return { file, setFile, mediaType, setMediaType, use, setUse, location, setLocation };
};

/** What the request cannot be made without. */
type Missing = { readonly file?: string; readonly use?: string };

const useAttaching = (node: string, { file, mediaType, use, location, setFile, setLocation }: AttachForm) => {
  const client = useRepository();
  const run = useUploadRun();
  const [media, setMedia] = useState<string>();
  const [missing, setMissing] = useState<Missing>({});
  const send = (event: SubmitEvent): void => {
    event.preventDefault();
    const nothing = {
      ...(file === undefined ? { file: 'Choose a file.' } : {}),
      ...(use === '' ? { use: 'Choose the use of the media. It is a part of the address.' } : {}),
    };
    setMissing(nothing);
    if (file === undefined || use === '') return;
    run.start(file.size, async (options) => {
      const to = { node: Number(node), mediaType, use: Number(use) };
      const uploaded = await upload(client, { to, body: file, location, ...options });
      setMedia(/\/media\/(\d+)/.exec(uploaded.media ?? '')?.[1]);
      say(uploaded.created ? 'A media was made with the file.' : 'The file of the media was replaced.');
      setFile(undefined);
      setLocation(undefined);
      // Not awaited: the progress goes in the same moment, so that the page does not move under a click on the link.
      void contentHasChanged();
    });
  };
  return { run, media, missing, send };
};

type AttachPreviewProps = Pick<AttachForm, 'mediaType' | 'use' | 'location'> & {
  readonly node: string;
  readonly file: File;
};

const AttachPreview = ({ node, mediaType, use, location, file }: AttachPreviewProps): ReactElement => (
  <RequestPreview
    name="The upload"
    ask={{
      method: 'PUT',
      path: `/node/${node}/media/${encodeURIComponent(mediaType)}/${use === '' ? '{use}' : use}`,
      headers: { 'Content-Type': file.type || 'application/octet-stream', 'Content-Location': location },
    }}
    file={file.name}
  />
);
