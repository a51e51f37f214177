/** Uploads a file to an object (`PUT /node/{id}/media/{type}/{use}`): makes a media, or replaces the file of the one with this use. */
import { queryOptions, useQueries, useQuery } from '@tanstack/react-query';
import { useState, type SubmitEvent, type ReactElement } from 'react';
import { upload } from '../../../../src/client/client.ts';
import { clientOf, useActing, type Acting } from '../../api/acting.ts';
import { control } from '../../api/control.ts';
import { contentHasChanged, type EntitySummary } from '../../api/queries.ts';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/text.tsx';
import { say, sayWithUndo } from '../../ui/toast.tsx';
import { MayNot } from '../may-not.tsx';
import '../edit.css';
import { bundleOf, typesWithFiles, type ContentModel, type ModelBundle } from '../model.ts';
import { ReferenceInput } from '../reference-input.tsx';
import { RequestPreview } from '../request-preview.tsx';
import { FileInput } from './file-input.tsx';
import { guessedUse } from './guess-use.ts';
import { extensionOf, usualLocation } from './location.ts';
import { undoMade } from './stored-file.ts';
import { UploadProgress, type UploadOptions, type UploadRun } from './upload-run.tsx';

type AttachFormProps = {
  readonly model: ContentModel;
  readonly node: string;
  readonly run: UploadRun;
  readonly file: File | undefined;
  readonly onFile: (file: File | undefined) => void;
  /** Called with the id of the media, where the server says which. */
  readonly onDone: (media: string | undefined) => void;
};

export const AttachForm = ({ model, node, run, file, onFile, onDone }: AttachFormProps): ReactElement => {
  const form = useAttachForm(model, node, file);
  const { mediaType, use, location } = form;
  const { missing, send } = useAttaching({ model, node, run, file, onDone }, form);
  const path = `/node/${node}/media/${encodeURIComponent(mediaType)}/${use === '' ? '{use}' : use}`;
  return (
    <form className="stack" noValidate onSubmit={send} aria-label="Add media">
      {use !== '' && <MayNot method="PUT" path={path} what="an upload to this object" />}
      <FileInput
        label="File"
        file={file}
        onFile={onFile}
        error={missing.file ?? run.error}
        isDisabled={run.isRunning}
      />
      <AttachFields {...{ model, form }} useError={missing.use} />
      {file !== undefined && <AttachPreview {...{ path, location, file }} />}
      <UploadProgress run={run} name={file?.name ?? ''} />
      <div className="row">
        <Button type="submit" look="main" disabled={run.isRunning}>
          Upload the file
        </Button>
      </div>
    </form>
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

/** The terms that the media type takes as its use. */
const termsOfUse = (type: ModelBundle | undefined) => {
  const { bundles } = type?.fields.find(({ name }) => name === 'field_media_use')?.target ?? {};
  return { type: 'taxonomy_term', ...(bundles === undefined ? {} : { bundles }) };
};

type AttachForm = ReturnType<typeof useAttachForm>;

/** What the user has not chosen follows from the file. */
const useAttachForm = (model: ContentModel, node: string, file: File | undefined) => {
  const [chosenType, setMediaType] = useState<string>();
  const [chosenUse, setUse] = useState<string>();
  const [written, setLocation] = useState<string>();
  const types = typesWithFiles(model);
  const extension = extensionOf(file?.name ?? '');
  const fitting = types.find(({ fields, source }) =>
    fields.find(({ name }) => name === source?.field)?.extensions?.includes(extension),
  );
  const type = types.find(({ bundle }) => bundle === chosenType) ?? fitting ?? types[0];
  const terms = useTerms(termsOfUse(type));
  const media = useQuery(listQuery({ type: 'media', media_of: node })).data?.entities;
  const guessed = file && terms && media && guessedUse(file.name, terms, media);
  const use = chosenUse ?? (guessed === undefined ? '' : String(guessed.id));
  const location = written ?? (file === undefined ? '' : usualLocation(file.name, new Date()));
  return { mediaType: type?.bundle ?? '', setMediaType, use, setUse, location, setLocation };
};

type ListQuery = { readonly type: 'media' | 'taxonomy_term'; readonly media_of?: string; readonly bundle?: string };

const listQuery = (query: ListQuery) =>
  queryOptions({ queryKey: ['content', 'list', query], queryFn: () => control.ask('listEntities', { query }) });

/** The terms that a use can be. A vocabulary of uses has few. */
const useTerms = ({ bundles }: ReturnType<typeof termsOfUse>): readonly EntitySummary[] | undefined => {
  const answers = useQueries({
    queries: (bundles ?? []).map((bundle) => listQuery({ type: 'taxonomy_term', bundle })),
  });
  return answers.every(({ data }) => data !== undefined)
    ? answers.flatMap(({ data }) => data?.entities ?? [])
    : undefined;
};

/** What the request cannot be made without. */
type Missing = { readonly file?: string; readonly use?: string };

const useAttaching = (
  { model, node, run, file, onDone }: Omit<AttachFormProps, 'onFile'>,
  { mediaType, use, location }: AttachForm,
) => {
  const acting = useActing();
  const [missing, setMissing] = useState<Missing>({});
  const send = (event: SubmitEvent): void => {
    event.preventDefault();
    // The form is in a dialog of a page that may have a form of its own.
    event.stopPropagation();
    const nothing = {
      ...(file === undefined ? { file: 'Choose a file.' } : {}),
      ...(use === '' ? { use: 'Choose the use of the media. It is a part of the address.' } : {}),
    };
    setMissing(nothing);
    if (file === undefined || use === '') return;
    let media: string | undefined;
    const work = async (options: UploadOptions): Promise<void> => {
      const to = { node: Number(node), mediaType, use: Number(use) };
      const uploaded = await upload(clientOf(acting), { to, body: file, location, ...options });
      media = /\/media\/(\d+)/.exec(uploaded.media ?? '')?.[1];
      const bundle = bundleOf(model, 'media', mediaType);
      if (!uploaded.created) say('The file of the media with this use was replaced.');
      else if (media === undefined || bundle === undefined) say(`${file.name} was added.`);
      else sayAdded(acting, bundle, media, file.name);
      void contentHasChanged();
    };
    run.start(file.size, work, () => onDone(media));
  };
  return { missing, send };
};

const sayAdded = (acting: Acting, bundle: ModelBundle, media: string, name: string): void =>
  sayWithUndo(`${name} was added, as media ${media}.`, () => undoMade(acting, bundle, media));

type AttachPreviewProps = Pick<AttachForm, 'location'> & { readonly path: string; readonly file: File };

const AttachPreview = ({ path, location, file }: AttachPreviewProps): ReactElement => (
  <RequestPreview
    name="The upload"
    ask={{
      method: 'PUT',
      path,
      headers: { 'Content-Type': file.type || 'application/octet-stream', 'Content-Location': location },
    }}
    file={file.name}
  />
);
