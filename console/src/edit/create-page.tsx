/** The page "Create": a new record of a bundle, which the address names and may fill in. */
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useMemo, type ReactElement } from 'react';
import { useActing } from '../api/acting.ts';
import { modelQuery } from '../api/queries.ts';
import { useSearchValues } from '../ui/search.ts';
import { Empty, Loaded } from '../ui/states.tsx';
import { Field, PageHead } from '../ui/text.tsx';
import type { Body } from './body.ts';
import { draftOfNew, prefilled } from './draft.ts';
import './edit.css';
import { MayNot } from './may-not.tsx';
import { bundleOf, creatable, fieldsOfForm, idIn, type ContentModel, type ModelBundle } from './model.ts';
import { RecordForm } from './record-form.tsx';
import { createRequest } from './request.ts';
import { deleteRecord, takeBack } from './send.ts';

export const CreatePage = (): ReactElement => {
  const model = useQuery(modelQuery);
  return (
    <Loaded query={model} what="the fields of the site">
      {(data) => <Create model={data} />}
    </Loaded>
  );
};

const Create = ({ model }: { readonly model: ContentModel }): ReactElement => {
  const [{ type, bundle, ...values }, change] = useSearchValues();
  const ofType = creatable(model).filter((each) => each.type === type);
  const only = ofType.length === 1 && bundle === undefined ? ofType[0] : undefined;
  const chosen = bundleOf(model, type ?? '', bundle ?? '') ?? only;
  return (
    <div className="stack">
      <PageHead title={chosen === undefined ? 'Create' : `Create: ${chosen.label}`}>
        A new record, created by the account that you are signed in as.
      </PageHead>
      <BundleChoice {...{ model, chosen }} onChoose={(next) => change({ type: next.type, bundle: next.bundle })} />
      {chosen === undefined ? (
        <Empty
          title={bundle === undefined ? 'Choose what to create.' : `The site has no bundle ${bundle} of ${type}.`}
        />
      ) : (
        <CreateForm key={`${chosen.type} ${chosen.bundle}`} values={values} bundle={chosen} />
      )}
    </div>
  );
};

type BundleChoiceProps = {
  readonly model: ContentModel;
  readonly chosen: ModelBundle | undefined;
  readonly onChoose: (bundle: ModelBundle) => void;
};

const typeNames: Readonly<Record<ModelBundle['type'], string>> = {
  ...{ node: 'Objects', media: 'Media', file: 'Files', taxonomy_term: 'Terms', user: 'Accounts' },
};

const BundleChoice = ({ model, chosen, onChoose }: BundleChoiceProps): ReactElement => {
  const bundles = creatable(model);
  const types = [...new Set(bundles.map(({ type }) => type))];
  const keyOf = ({ type, bundle }: ModelBundle): string => `${type} ${bundle}`;
  return (
    <Field label="What to create">
      {(attributes) => (
        <select
          {...attributes}
          value={chosen === undefined ? '' : keyOf(chosen)}
          onChange={({ target }) => {
            const next = bundles.find((each) => keyOf(each) === target.value);
            if (next !== undefined) onChoose(next);
          }}
        >
          {chosen === undefined && <option value="">– choose –</option>}
          {types.map((type) => (
            <optgroup key={type} label={typeNames[type]}>
              {bundles
                .filter((each) => each.type === type)
                .map((each) => (
                  <option key={each.bundle} value={keyOf(each)}>
                    {each.label} ({each.bundle})
                  </option>
                ))}
            </optgroup>
          ))}
        </select>
      )}
    </Field>
  );
};

type CreateFormProps = {
  readonly bundle: ModelBundle;
  /** By field: what the form begins with. */
  readonly values: Readonly<Record<string, string | undefined>>;
};

const CreateForm = ({ bundle, values }: CreateFormProps): ReactElement => {
  const navigate = useNavigate();
  const acting = useActing();
  const fields = useMemo(() => fieldsOfForm(bundle, true), [bundle]);
  const before = useMemo(() => draftOfNew(fields), [fields]);
  if (bundle.createPath === undefined) {
    return (
      <Empty title={`The site lets no client create ${bundle.label}.`}>
        <Link to="/create">Choose something else</Link>
      </Empty>
    );
  }
  return (
    <>
      <MayNot method="POST" path={bundle.createPath} what={`a new record: ${bundle.label}`} />
      <RecordForm
        {...{ bundle, fields, before }}
        initial={prefilled(before, fields, values)}
        requestOf={(body: Body) => createRequest(bundle, body) ?? { method: 'POST', path: '' }}
        label="Create"
        onSaved={(record) => {
          const { type } = bundle;
          void navigate({ to: '/entities/$type/$id', params: { type, id: idIn(record, bundle) ?? '' } });
        }}
        undoOf={(record) => {
          const id = idIn(record, bundle);
          if (id === undefined || !bundle.methods.includes('DELETE')) return undefined;
          return () => takeBack(() => deleteRecord(acting, bundle.type, id), 'The new record is deleted.');
        }}
      />
    </>
  );
};
