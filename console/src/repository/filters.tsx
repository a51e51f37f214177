/** The filters and the order of the list. */
import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { modelQuery } from '../api/queries.ts';
import { Field } from '../ui/text.tsx';
import { CollectionChoice } from './collection-choice.tsx';
import { firstPage, orderOf, orders, typeOf, type ListChange, type ListValues } from './listing.ts';
import { SearchField } from './search-field.tsx';
import { modelFieldOf, termsQuery } from './terms.ts';

type FiltersProps = { readonly values: Partial<ListValues>; readonly change: ListChange };

export const Filters = ({ values, change }: FiltersProps): ReactElement => {
  const type = typeOf(values);
  const filter = (next: Partial<ListValues>): void => change({ ...next, ...firstPage });
  return (
    <form className="filters panel" role="search" aria-label="Filters" onSubmit={(event) => event.preventDefault()}>
      <SearchField values={values} change={change} />
      <BundleChoice values={values} change={filter} />
      <ModelChoice values={values} change={filter} />
      <CollectionChoice values={values} change={filter} />
      <Choice
        label={type === 'file' ? 'Kept for good' : type === 'user' ? 'Active' : 'Published'}
        value={values.published}
        none="Yes or no"
        options={[
          { value: 'true', label: 'Yes' },
          { value: 'false', label: 'No' },
        ]}
        onChange={(published) => filter({ published })}
      />
      <Choice
        label="Sort by"
        value={orderOf(values)}
        options={orders.map(({ order, label }) => ({ value: order, label }))}
        onChange={(order) => filter({ order: order === 'id' ? undefined : order })}
      />
    </form>
  );
};

/** Bundles that clients know: files, aliases and redirects have one each. */
const BundleChoice = ({ values, change }: FiltersProps): ReactElement | null => {
  const model = useQuery(modelQuery);
  const bundles = (model.data?.bundles ?? []).filter((each) => each.type === typeOf(values));
  if (bundles.length < 2) return null;
  return (
    <Choice
      label={typeOf(values) === 'taxonomy_term' ? 'Vocabulary' : 'Bundle'}
      value={values.bundle}
      none="Any"
      options={bundles.map(({ bundle, label }) => ({ value: bundle, label: `${label} (${bundle})` }))}
      onChange={(bundle) => change({ bundle })}
    />
  );
};

/** The model of nodes, the use of media: terms of the vocabularies that the field of the site allows. */
const ModelChoice = ({ values, change }: FiltersProps): ReactElement | null => {
  const model = useQuery(modelQuery);
  const field = modelFieldOf(model.data, typeOf(values));
  const terms = useQuery(termsQuery(field?.target?.bundles));
  if (field === undefined) return null;
  return (
    <Choice
      label={field.label}
      value={values.model}
      none="Any"
      options={(terms.data ?? []).map(({ id, title }) => ({ value: String(id), label: title }))}
      onChange={(chosen) => change({ model: chosen })}
    />
  );
};

type ChoiceProps = {
  readonly label: string;
  readonly value: string | undefined;
  /** The words for no choice. Left out where there always is one. */
  readonly none?: string;
  readonly options: readonly { readonly value: string; readonly label: string }[];
  readonly onChange: (value: string | undefined) => void;
};

const Choice = ({ label, value, none, options, onChange }: ChoiceProps): ReactElement => (
  <Field label={label}>
    {(attributes) => (
      <select
        {...attributes}
        value={value ?? ''}
        onChange={({ target }) => onChange(target.value === '' ? undefined : target.value)}
      >
        {none !== undefined && <option value="">{none}</option>}
        {value !== undefined && options.every((option) => option.value !== value) && (
          <option value={value}>{value}</option>
        )}
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    )}
  </Field>
);
