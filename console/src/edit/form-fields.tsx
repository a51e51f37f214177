/** All fields of a form in three groups: what a record must have, what it may have, and what real forms do not show. */
import type { Dispatch, ReactElement, SetStateAction } from 'react';
import { changeDraft, type Draft } from './draft.ts';
import type { FormErrors } from './errors.ts';
import { FieldEditor } from './field-editor.tsx';
import { FileForField } from './files/file-for-field.tsx';
import type { ModelBundle, ModelField } from './model.ts';

type FormFieldsProps = {
  readonly bundle: ModelBundle;
  readonly fields: readonly ModelField[];
  readonly draft: Draft;
  readonly errors: FormErrors;
  readonly onDraft: Dispatch<SetStateAction<Draft>>;
  /** Called with the id of a file that was stored for the record. */
  readonly onStored: (file: string) => void;
};

export const FormFields = (props: FormFieldsProps): ReactElement => {
  const { bundle, fields, errors } = props;
  const groupOf = (field: ModelField): Group => {
    const { name, filled, configured, inForm } = field;
    if (name === bundle.labelField || isRequired(bundle, field)) return 'asked';
    return inForm && (configured || !filled) ? 'offered' : 'further';
  };
  const [asked, offered, further] = (['asked', 'offered', 'further'] as const).map((group) =>
    fields.filter((field) => groupOf(field) === group),
  );
  const names = (further ?? []).map(({ label }) => label).join(', ');
  return (
    <>
      <FieldGroup heading="Required" {...props} fields={asked ?? []} />
      <FieldGroup heading="Optional" {...props} fields={offered ?? []} />
      {further !== undefined && further.length > 0 && (
        <details className="panel" open={further.some(({ name }) => errors.fields[name] !== undefined)}>
          <summary>More fields, which the server fills: {names}</summary>
          <FieldGroup heading="More fields" {...props} fields={further} />
        </details>
      )}
    </>
  );
};

/** The name of a media is filled from its file, but only after a request without one was refused. */
const isRequired = ({ labelField }: ModelBundle, { name, required, filled }: ModelField): boolean =>
  required && (!filled || name === labelField);

/** What a record must have, what it may have, and what the server fills or the form of a real site does not show. */
type Group = 'asked' | 'offered' | 'further';

const FieldGroup = ({
  heading,
  bundle,
  fields,
  draft,
  errors,
  onDraft,
  onStored,
}: FormFieldsProps & { readonly heading: string }) =>
  fields.length === 0 ? undefined : (
    <section className="stack">
      <h2>{heading}</h2>
      {fields.map((field) => (
        <FieldEditor
          key={field.name}
          field={field}
          isRequired={isRequired(bundle, field)}
          items={draft[field.name] ?? []}
          errors={errors.fields[field.name]}
          onChange={(change) => onDraft((before) => changeDraft(before, field, change))}
          below={
            field.target?.type === 'file'
              ? (item) => (
                  <FileForField
                    {...{ bundle, field }}
                    onUploaded={(id, name) => {
                      onStored(id);
                      onDraft(
                        (before) =>
                        named(changeDraft(before, field, { kind: 'text', key: item.key, property: 'target_id', text: id }), bundle, name), // prettier-ignore
                      );
                    }}
                  />
                )
              : undefined
          }
        />
      ))}
    </section>
  );

/** A media without a name gets that of its file, as on the real site. */
const named = (draft: Draft, { type, labelField, fields }: ModelBundle, name: string): Draft => {
  const field = fields.find((each) => each.name === labelField);
  const [item] = draft[labelField] ?? [];
  if (type !== 'media' || field === undefined || item?.texts[field.main] !== '') return draft;
  return changeDraft(draft, field, { kind: 'text', key: item.key, property: field.main, text: name });
};
