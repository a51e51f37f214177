/** The page "Edit": the fields of a record, its file, its deletion. */
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { useMemo, useState, type ReactElement } from 'react';
import { useActing } from '../api/acting.ts';
import { modelQuery } from '../api/queries.ts';
import { Empty, Loaded } from '../ui/states.tsx';
import { PageHead } from '../ui/text.tsx';
import { changedFields } from './body.ts';
import { DeleteRecord, nouns } from './delete-record.tsx';
import type { Undo } from './undo-deletion.ts';
import { Deleted } from './deleted.tsx';
import { draftOfRecord } from './draft.ts';
import './edit.css';
import {
  bundleOfRecord,
  fieldsOfForm,
  labelIn,
  type ContentModel,
  type EntityType,
  type JsonObject,
  type ModelBundle,
} from './model.ts';
import { RecordForm } from './record-form.tsx';
import { ReplaceFile } from './files/replace-file.tsx';
import { MayNot } from './may-not.tsx';
import { changeRequest } from './request.ts';
import { pathOfRecord, readRecord, sendPlain, takeBack } from './send.ts';

export const EditPage = (): ReactElement => {
  const { type = '', id = '' } = useParams({ strict: false });
  const model = useQuery(modelQuery);
  return (
    <Loaded query={model} what="the fields of the site">
      {(data) => <EditLoaded key={`${type} ${id}`} model={data} {...{ type, id }} />}
    </Loaded>
  );
};

type EditLoadedProps = { readonly model: ContentModel; readonly type: string; readonly id: string };

const EditLoaded = ({ model, type, id }: EditLoadedProps): ReactElement => {
  const edited = useEdited(type, id);
  return (
    <div className="stack">
      {edited.data === undefined && <PageHead title={`Edit ${type} ${id}`} />}
      <Loaded query={edited} what="the record">
        {({ record, path }) => {
          const bundle = bundleOfRecord(model, type, record);
          return bundle === undefined ? (
            <Empty title={`No form can be made for ${type} ${id}. The site describes no fields of it.`} />
          ) : (
            <EditRecord {...{ bundle, id, path, record }} />
          );
        }}
      </Loaded>
    </div>
  );
};

/** The record as the account that asks reads it, and its path as JSON. */
const useEdited = (type: string, id: string) => {
  const acting = useActing();
  return useQuery({
    // Without the account: the text in the form stays when another account is chosen.
    queryKey: ['edited', type, id],
    queryFn: async () => {
      const path = await pathOfRecord(type as EntityType, id); // the server refuses other types
      if (path === undefined) throw new Error(`There is no ${type} ${id} in this world.`);
      return { path, record: await readRecord(acting, path) };
    },
    gcTime: 0,
    retry: false,
  });
};

type EditRecordProps = {
  readonly bundle: ModelBundle;
  readonly id: string;
  /** The path of the record as JSON, with the query. */
  readonly path: string;
  readonly record: JsonObject;
};

const EditRecord = ({ bundle, id, path, record }: EditRecordProps): ReactElement => {
  const [deleted, setDeleted] = useState<{ readonly undo: Undo }>();
  const [isDirty, setDirty] = useState(false);
  // A form in which something was written goes on with the record that it began with, also when that is read again.
  const [begun, setBegun] = useState({ record, count: 0 });
  if (begun.record !== record && !isDirty) setBegun({ record, count: begun.count + 1 });
  const first = begun.record;
  const { type } = bundle;
  const title = labelIn(first, bundle) ?? `${type} ${id}`;
  if (deleted !== undefined) return <Deleted title={title} undo={deleted.undo} />;
  const back = (
    <Link className="button" to="/entities/$type/$id" params={{ type, id }}>
      Back to it
    </Link>
  );
  return (
    <>
      <PageHead title={`Edit: ${title}`} actions={back}>
        {bundle.label}, {type} {id}. Only what you change is sent.
      </PageHead>
      <EditFields key={begun.count} {...{ bundle, id, path }} record={first} onDirty={setDirty} />
      {type === 'media' && bundle.source !== undefined && bundle.source.kind !== 'oembed' && (
        <ReplaceFile bundle={bundle} media={id} />
      )}
      {bundle.methods.includes('DELETE') && (
        <DeleteRecord {...{ bundle, id, title, path }} onDeleted={(undo) => setDeleted({ undo })} />
      )}
    </>
  );
};

type EditFieldsProps = EditRecordProps & { readonly onDirty: (isDirty: boolean) => void };

const EditFields = ({ bundle, id, path, record, onDirty }: EditFieldsProps): ReactElement => {
  const navigate = useNavigate();
  const acting = useActing();
  const fields = useMemo(() => fieldsOfForm(bundle, false), [bundle]);
  const before = useMemo(() => draftOfRecord(fields, record), [fields, record]);
  const { type } = bundle;
  if (!bundle.methods.includes('PATCH')) {
    return <Empty title={`The site lets no client change a record of the type ${type}.`} />;
  }
  return (
    <>
      <MayNot method="PATCH" path={path} what={`a change of this ${nouns[type]}`} />
      <RecordForm
        {...{ bundle, fields, before, onDirty }}
        initial={before}
        requestOf={(body) => changeRequest(path, bundle, body)}
        label="Save the changes"
        onSaved={() => void navigate({ to: '/entities/$type/$id', params: { type, id } })}
        undoOf={(_record, sent) => {
          const ask = changeRequest(path, bundle, changedFields(fields, sent, before));
          return () => takeBack(() => sendPlain(acting, ask), 'It is as it was before.');
        }}
      />
    </>
  );
};
