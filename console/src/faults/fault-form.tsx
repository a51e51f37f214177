/** The form that adds a fault: its parameters, and which requests it strikes. */
import { useQuery } from '@tanstack/react-query';
import { useState, type SubmitEvent, type ReactElement } from 'react';
import { controlAt, type ControlSchemas } from '../api/control.ts';
import { operationIdsQuery, queries } from '../api/queries.ts';
import { Button } from '../ui/button.tsx';
import { Failure } from '../ui/states.tsx';
import { Field } from '../ui/text.tsx';
import { say } from '../ui/toast.tsx';
import { faultBody, methods, parameterInput } from './fault-body.ts';
import './faults.css';

type FaultKind = ControlSchemas['FaultKind'];
type Parameter = ControlSchemas['FaultParameter'];

type FaultFormProps = { readonly url: string; readonly kind: FaultKind; readonly onDone: () => void };

export const FaultForm = ({ url, kind, onDone }: FaultFormProps): ReactElement => {
  const [error, setError] = useState<unknown>();
  const [operations, setOperations] = useState<readonly string[]>([]);
  const submit = (event: SubmitEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const body = faultBody(kind, operations, new FormData(event.currentTarget));
    controlAt(url)
      .ask('addFault', { body })
      .then(async () => {
        say(`${kind.name} is active.`);
        onDone();
        await queries.invalidateQueries();
      }, setError);
  };
  return (
    <form className="stack" onSubmit={submit}>
      <p>{kind.summary}</p>
      {error !== undefined && <Failure error={error} />}
      {Object.entries(kind.parameters).map(([name, parameter]) => (
        <ParameterInput key={name} name={name} parameter={parameter} />
      ))}
      <Operations chosen={operations} onChange={setOperations} usual={kind.operations} />
      <div className="row end">
        <Field label="Share of requests, in percent">
          {(attributes) => (
            <input {...attributes} name="rate" type="number" min="0" max="100" step="any" placeholder="100" />
          )}
        </Field>
        <Field label="At most so many times">
          {(attributes) => <input {...attributes} name="count" type="number" min="1" placeholder="no end" />}
        </Field>
      </div>
      <Narrower />
      <div className="row">
        <Button type="submit" look="main">
          Add the fault
        </Button>
      </div>
    </form>
  );
};

const ParameterInput = ({
  name,
  parameter,
}: {
  readonly name: string;
  readonly parameter: Parameter;
}): ReactElement => {
  const { type, summary, minimum, maximum, choices, default: usual } = parameter;
  return (
    <Field label={name} hint={summary}>
      {(attributes) =>
        choices === undefined ? (
          <input
            {...attributes}
            name={parameterInput(name)}
            type={type === 'number' ? 'number' : 'text'}
            step="any"
            min={minimum}
            max={maximum}
            placeholder={usual === undefined ? '' : String(usual)}
          />
        ) : (
          <select {...attributes} name={parameterInput(name)} defaultValue={usual}>
            {choices.map((choice) => (
              <option key={choice}>{choice}</option>
            ))}
          </select>
        )
      }
    </Field>
  );
};

type OperationsProps = {
  readonly chosen: readonly string[];
  readonly onChange: (chosen: readonly string[]) => void;
  /** Those of the catalogue when none are chosen. Null for all. */
  readonly usual: readonly string[] | null;
};

const Operations = ({ chosen, onChange, usual }: OperationsProps): ReactElement => {
  const known = useQuery(operationIdsQuery).data ?? [];
  return (
    <fieldset className="field">
      <legend>Operations</legend>
      <span className="hint">{`When none is chosen: ${usual?.join(', ') ?? 'all'}.`}</span>
      <div className="operations" tabIndex={0} role="region" aria-label="Operations">
        {known.map((id) => (
          <label key={id}>
            <input
              type="checkbox"
              checked={chosen.includes(id)}
              onChange={() => onChange(chosen.includes(id) ? chosen.filter((each) => each !== id) : [...chosen, id])}
            />{' '}
            {id}
          </label>
        ))}
      </div>
    </fieldset>
  );
};

/** What is seldom needed. */
const Narrower = (): ReactElement => (
  <details>
    <summary>Strike fewer requests</summary>
    <div className="stack">
      <Field label="Method">
        {(attributes) => (
          <select {...attributes} name="method">
            <option value="">any</option>
            {methods.map((method) => (
              <option key={method}>{method}</option>
            ))}
          </select>
        )}
      </Field>
      <Field label="Path" hint="Such as /node/*, one segment each; /** at the end takes the rest">
        {(attributes) => <input {...attributes} name="path" pattern="/.*" />}
      </Field>
      <Field label="Only requests with the header Atoll-Fault of this value">
        {(attributes) => <input {...attributes} name="header" pattern="[a-z0-9][a-z0-9\-]*" maxLength={63} />}
      </Field>
      <Field label="Spare so many first">
        {(attributes) => <input {...attributes} name="after" type="number" min="0" />}
      </Field>
      <Field label="Seed" hint="The same seed strikes the same requests">
        {(attributes) => <input {...attributes} name="seed" />}
      </Field>
    </div>
  </details>
);
