/** The fields that choose which requests are shown. */
import { useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useId, useState, type ReactElement } from 'react';
import { coverageQuery, repositoryQuery, type Coverage } from '../api/queries.ts';
import { Button } from '../ui/button.tsx';
import { Field } from '../ui/text.tsx';
import { isStatusFilter, methods, verdicts, type TrafficValues } from './traffic-filter.ts';

type Change = (change: Partial<TrafficValues>, options?: { readonly replace?: boolean }) => void;

type FilterBarProps = { readonly values: Partial<TrafficValues>; readonly change: Change };

const none: Omit<TrafficValues, 'entry'> = {
  status: '',
  method: '',
  operation: '',
  account: '',
  verdict: '',
  advice: '',
  path: '',
};

/** The operations of the document, for suggestions and for the code of a request. */
export const useOffered = (): Coverage['offered'] =>
  useQuery({ ...coverageQuery, staleTime: 60_000 }).data?.offered ?? [];

export const FilterBar = ({ values, change }: FilterBarProps): ReactElement => (
  <form
    className="traffic-filter"
    role="search"
    aria-label="Filter of the traffic"
    onSubmit={(event) => event.preventDefault()}
  >
    <RequestFields values={values} change={change} />
    <SenderFields values={values} change={change} />
    {Object.keys(none).some((name) => values[name as keyof TrafficValues] !== undefined) && (
      <Button look="plain" onClick={() => change(none)}>
        Show all
      </Button>
    )}
  </form>
);

/** The request and the status of its response. */
const RequestFields = (bar: FilterBarProps): ReactElement => (
  <>
    <FilterText {...bar} name="path" label="Path" placeholder="/node/*" isSearch />
    <FilterChoice {...bar} name="method" label="Method" choices={methods.map((name) => [name, name])} />
    <FilterText
      {...bar}
      name="status"
      label="Status"
      placeholder="404 or 4xx"
      suggestions={['2xx', '4xx', '5xx']}
      problemOf={(text) => (text === '' || isStatusFilter(text) ? undefined : 'Write 404 or 4xx.')}
    />
    <FilterChoice {...bar} name="verdict" label="Verdict" choices={Object.entries(verdicts)} />
  </>
);

/** Who asked, and for which operation. */
const SenderFields = (bar: FilterBarProps): ReactElement => {
  const operations = useOffered().map(({ operation }) => operation);
  const accounts = useQuery(repositoryQuery).data?.accounts ?? [];
  const names = ['anonymous', ...accounts.map(({ name }) => name)];
  return (
    <>
      <FilterText {...bar} name="operation" label="Operation" placeholder="any" suggestions={operations} />
      <FilterText {...bar} name="account" label="Account" placeholder="any" suggestions={names} />
      <FilterChoice
        {...bar}
        name="advice"
        label="Advice"
        choices={[
          ['some', 'With advice'],
          ['none', 'Without advice'],
        ]}
      />
    </>
  );
};

type FilterProps = FilterBarProps & { readonly name: keyof TrafficValues; readonly label: string };

type ChoiceProps = FilterProps & { readonly choices: readonly (readonly [string, string])[] };

const FilterChoice = ({ name, label, values, change, choices }: ChoiceProps): ReactElement => (
  <Field label={label}>
    {(attributes) => (
      <select {...attributes} value={values[name] ?? ''} onChange={(event) => change({ [name]: event.target.value })}>
        <option value="">any</option>
        {choices.map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    )}
  </Field>
);

/** Milliseconds without a key after which a text counts. */
const typingTime = 250;

type TextProps = FilterProps & {
  readonly placeholder: string;
  readonly suggestions?: readonly string[];
  readonly problemOf?: (text: string) => string | undefined;
  /** The field that `/` goes to. */
  readonly isSearch?: boolean;
};

/** The address changes when the user has stopped typing. */
const FilterText = ({
  name,
  label,
  values,
  change,
  placeholder,
  suggestions = [],
  problemOf,
  isSearch,
}: TextProps): ReactElement => {
  const inAddress = values[name] ?? '';
  const [typed, setTyped] = useState<string>();
  const text = typed ?? inAddress;
  const problem = problemOf?.(text);
  const listId = useId();
  const apply = useEffectEvent((next: string) => {
    change({ [name]: next }, { replace: true });
    setTyped(undefined);
  });
  useEffect(() => {
    if (typed === undefined || problem !== undefined) return undefined;
    const timer = setTimeout(() => apply(typed), typingTime);
    return () => clearTimeout(timer);
  }, [typed, problem]);
  return (
    <Field label={label} error={problem}>
      {(attributes) => (
        <>
          <input
            {...attributes}
            {...(isSearch === true ? { 'data-search-field': true, type: 'search' } : {})}
            {...(suggestions.length > 0 ? { list: listId } : {})}
            value={text}
            placeholder={placeholder}
            autoComplete="off"
            spellCheck={false}
            onChange={(event) => setTyped(event.target.value)}
          />
          <datalist id={listId}>
            {suggestions.map((each) => (
              <option key={each} value={each} />
            ))}
          </datalist>
        </>
      )}
    </Field>
  );
};
