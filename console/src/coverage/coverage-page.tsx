/** The page "Coverage": what of the document clients have met, and how to meet the rest. */
import { useMutation, useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { control } from '../api/control.ts';
import { coverageQuery, queries, type Coverage } from '../api/queries.ts';
import { wordsOf } from '../api/refusal.ts';
import { ConfirmButton } from '../ui/button.tsx';
import { ControlFile } from '../ui/control-file.tsx';
import { useSearchValues } from '../ui/search.ts';
import { Empty, Loaded } from '../ui/states.tsx';
import { Field, PageHead } from '../ui/text.tsx';
import { say } from '../ui/toast.tsx';
import { filtered, metricTitles, rowsOf } from './coverage-rows.ts';
import { CoverageTable } from './coverage-table.tsx';
import './coverage.css';
import { OperationDetails } from './operation-details.tsx';

type CoverageValues = {
  /** A part of an operation's name, method or path. */
  readonly text: string;
  /** `1`: only operations with a status that nobody has met. */
  readonly unmet: string;
  /** The selected operation. */
  readonly operation: string;
};

export const CoveragePage = (): ReactElement => {
  const query = useQuery({ ...coverageQuery, refetchInterval: 5000 });
  return (
    <div className="stack">
      <PageHead title="Coverage">
        How much of the document clients have met: every operation with every status. The requests of this console do
        not count, unless you send them on purpose.
      </PageHead>
      <div className="row">
        <ControlFile path="/_atoll/coverage?format=html" name="coverage.html">
          Report as a page
        </ControlFile>
        <ControlFile path="/_atoll/coverage?format=junit" name="coverage.xml" isSaved>
          Save as JUnit
        </ControlFile>
        <ClearButton />
      </div>
      <Loaded query={query} what="the coverage">
        {(coverage) => <Report coverage={coverage} />}
      </Loaded>
    </div>
  );
};

const ClearButton = (): ReactElement => {
  const clearing = useMutation({
    mutationFn: () => control.ask('clearCoverage'),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: coverageQuery.queryKey });
      say('The coverage starts from zero.');
    },
    onError: (error) => say(wordsOf(error)),
  });
  return (
    <ConfirmButton
      label="Start from zero"
      question="Forget the coverage?"
      confirm="Forget it"
      onConfirm={() => clearing.mutate()}
    >
      <p>All counts are lost: of this world, and in the main world of every world. Traffic and content stay.</p>
    </ConfirmButton>
  );
};

const Report = ({ coverage }: { readonly coverage: Coverage }): ReactElement => {
  const [{ text = '', unmet, operation }, change] = useSearchValues<CoverageValues>();
  const isUnmetOnly = unmet === '1';
  const all = rowsOf(coverage);
  const rows = filtered(all, { text, isUnmetOnly });
  const selected = all.find((row) => row.operation === operation);
  return (
    <>
      <Figures figures={coverage.figures} />
      <OperationFilter text={text} isUnmetOnly={isUnmetOnly} change={change} />
      <div className={selected === undefined ? 'coverage list-and-details' : 'coverage list-and-details with-details'}>
        {rows.length === 0 ? (
          <Empty title="No operation fits.">
            <p>Write another text, or take the filter away.</p>
          </Empty>
        ) : (
          <CoverageTable
            rows={rows}
            selected={operation}
            onSelect={(name) => change({ operation: name }, { staysInPlace: true })}
          />
        )}
        {selected !== undefined && (
          <OperationDetails
            key={selected.operation}
            row={selected}
            onClose={() => change({ operation: '' }, { staysInPlace: true })}
          />
        )}
      </div>
    </>
  );
};

type FilterProps = {
  readonly text: string;
  readonly isUnmetOnly: boolean;
  readonly change: ReturnType<typeof useSearchValues<CoverageValues>>[1];
};

const OperationFilter = ({ text, isUnmetOnly, change }: FilterProps): ReactElement => (
  <form
    className="row end"
    role="search"
    aria-label="Filter of the operations"
    onSubmit={(event) => event.preventDefault()}
  >
    <Field label="Operation, method or path">
      {(attributes) => (
        <input
          {...attributes}
          type="search"
          data-search-field
          value={text}
          onChange={(event) => change({ text: event.target.value }, { replace: true })}
        />
      )}
    </Field>
    <label className="row check">
      <input
        type="checkbox"
        checked={isUnmetOnly}
        onChange={(event) => change({ unmet: event.target.checked ? '1' : '' })}
      />
      Only with unmet statuses
    </label>
  </form>
);

const Figures = ({ figures }: { readonly figures: Coverage['figures'] }): ReactElement => (
  <ul className="grid figures" aria-label="Figures">
    {figures.map(({ metric, met, of, percent }) => (
      <li key={metric} className="panel">
        <span>{metricTitles[metric] ?? metric}</span>
        <strong>{percent} %</strong>
        <span className="soft">
          {met} of {of}
        </span>
        <div className="bar" aria-hidden="true">
          <div style={{ width: `${percent}%` }} />
        </div>
      </li>
    ))}
  </ul>
);
