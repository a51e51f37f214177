/** The faults that are active in a world, with how often they have struck. */
import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { controlAt, type ControlSchemas } from '../api/control.ts';
import { queries } from '../api/queries.ts';
import { wordsOf } from '../api/refusal.ts';
import { Button } from '../ui/button.tsx';
import { Empty, Loaded } from '../ui/states.tsx';
import { say } from '../ui/toast.tsx';
import { Cell, Row, RowHead, Table } from '../ui/table.tsx';

type Fault = ControlSchemas['Fault'];

/** `url` is the base URL of the world. */
export const ActiveFaults = ({ url }: { readonly url: string }): ReactElement => {
  const active = useQuery({
    queryKey: ['faults', url],
    queryFn: () => controlAt(url).ask('listFaults'),
    refetchInterval: 3000,
  });
  const run = (work: Promise<unknown>, done: string): void => {
    void work
      .then(
        () => say(done),
        (error: unknown) => say(wordsOf(error)),
      )
      .then(() => queries.invalidateQueries());
  };
  const remove = (id: string): void =>
    run(controlAt(url).ask('removeFault', { path: { fault_id: id } }), 'The fault is removed.');
  return (
    <section aria-labelledby="active" className="stack">
      <h2 id="active">Active</h2>
      <Loaded query={active} what="the active faults">
        {({ faults }) =>
          faults.length === 0 ? (
            <Empty title="No fault is active in this world.">
              <p>Choose one below and add it.</p>
            </Empty>
          ) : (
            <>
              <FaultTable faults={faults} onRemove={remove} />
              <div className="row">
                <Button look="danger" onClick={() => run(controlAt(url).ask('clearFaults'), 'All faults are removed.')}>
                  Remove all
                </Button>
              </div>
            </>
          )
        }
      </Loaded>
    </section>
  );
};

type FaultTableProps = { readonly faults: readonly Fault[]; readonly onRemove: (id: string) => void };

const FaultTable = ({ faults, onRemove }: FaultTableProps): ReactElement => (
  <Table label="Table of active faults" heads={['Fault', 'Strikes', 'So far', 'Command']}>
    {faults.map((fault) => (
      <Row key={fault.id}>
        <RowHead>
          {fault.fault} <span className="soft mono">{parametersOf(fault)}</span>
        </RowHead>
        <Cell of="Strikes">{targetsOf(fault)}</Cell>
        <Cell of="So far">{fault.struck} times</Cell>
        <Cell of="Command">
          <Button onClick={() => onRemove(fault.id)} aria-label={`Remove ${fault.fault} (${fault.id})`}>
            Remove
          </Button>
        </Cell>
      </Row>
    ))}
  </Table>
);

const parametersOf = ({ parameters }: Fault): string =>
  Object.entries(parameters)
    .map(([name, value]) => `${name}=${value}`)
    .join(' ');

const targetsOf = ({ operations, method, path, header, rate, after, count }: Fault): string =>
  [
    operations?.join(', ') ?? 'every operation',
    ...(method === undefined ? [] : [`by ${method}`]),
    ...(path === undefined ? [] : [`below ${path}`]),
    ...(header === undefined ? [] : [`with Atoll-Fault: ${header}`]),
    ...(rate === 1 ? [] : [`${Math.round(rate * 100)} % of the requests`]),
    ...(after === 0 ? [] : [`after the first ${after}`]),
    ...(count === undefined ? [] : [`${count} times at most`]),
  ].join(', ');
