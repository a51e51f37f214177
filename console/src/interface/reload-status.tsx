/** What came of reading document, overlays, site and handlers the last time, kept up to date, and a button that reads them now. */
import { queryOptions, useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useId, type ReactElement } from 'react';
import { control, type ControlSchemas } from '../api/control.ts';
import { coverageQuery, modelQuery, queries } from '../api/queries.ts';
import { Button } from '../ui/button.tsx';
import { Failure, Loaded } from '../ui/states.tsx';
import { Badge, Time } from '../ui/text.tsx';

type Reload = ControlSchemas['Reload'];
type Flaw = ControlSchemas['Flaw'];

/** Asked again every two seconds while it is shown. */
export const reloadQuery = queryOptions({
  queryKey: ['reload'],
  queryFn: () => control.ask('getReload'),
  refetchInterval: 2000,
});

export const ReloadStatus = (): ReactElement => {
  const query = useQuery(reloadQuery);
  const readAt = query.data?.at;
  useEffect(() => {
    // Another document or site has other operations and fields.
    for (const queryKey of [modelQuery.queryKey, coverageQuery.queryKey]) void queries.invalidateQueries({ queryKey });
  }, [readAt]);
  const reloading = useMutation({
    mutationFn: () => control.ask('reload'),
    onSuccess: (reload) => {
      queries.setQueryData(reloadQuery.queryKey, reload);
      void queries.invalidateQueries();
    },
  });
  return (
    <section className="panel stack">
      <div className="page-head">
        <h2>What the server serves</h2>
        <Button look="main" disabled={reloading.isPending} onClick={() => reloading.mutate()}>
          {reloading.isPending ? 'Reading …' : 'Read the files again'}
        </Button>
        <p>
          The server reads the document, overlays, the site and handlers when it starts and when you ask for it; with{' '}
          <code>--watch</code> also when a file changes. This page shows it then by itself.
        </p>
      </div>
      {reloading.isError && <Failure error={reloading.error} />}
      <Loaded query={query} what="what came of the last reading">
        {(reload) => <Outcome reload={reload} />}
      </Loaded>
    </section>
  );
};

const Outcome = ({ reload: { at, served, changed, flaws, warnings } }: { readonly reload: Reload }): ReactElement => (
  <>
    <p role="status">
      <Badge tone={served ? 'good' : 'bad'}>{served ? 'Served' : 'Not served'}</Badge>{' '}
      {served
        ? 'The files as last read are served.'
        : 'The files as last read have errors. The last good ones are still served.'}{' '}
      Read at <Time iso={at} />
      {changed.length > 0 && (
        <>
          , because of <span className="mono">{changed.join(', ')}</span>
        </>
      )}
      .
    </p>
    <Flaws title="Errors" flaws={flaws} tone="bad" />
    <Flaws title="Warnings" flaws={warnings} tone="warn" />
  </>
);

type FlawsProps = { readonly title: string; readonly flaws: readonly Flaw[]; readonly tone: 'bad' | 'warn' };

/** Nothing without flaws. */
const Flaws = ({ title, flaws, tone }: FlawsProps): ReactElement | undefined => {
  const id = useId();
  if (flaws.length === 0) return undefined;
  return (
    <section className="stack" aria-labelledby={id}>
      <h3 id={id}>{title}</h3>
      {flaws.map(({ file, line, rule, message, remedy }, index) => (
        <div key={index} className={`note ${tone}`}>
          <p>
            <span className="mono">{line === null ? file : `${file}:${line}`}</span>: {message}
          </p>
          {remedy !== '' && <p>{remedy}</p>}
          <p className="soft">Rule: {rule}</p>
        </div>
      ))}
    </section>
  );
};
