/** A request that meets a status: what it does, its curl, and a button that sends it. */
import { useMutation } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { exchange } from '../api/exchange.ts';
import { contentHasChanged } from '../api/queries.ts';
import { Button, ConfirmButton } from '../ui/button.tsx';
import { Failure } from '../ui/states.tsx';
import { Code } from '../ui/text.tsx';
import { isChanging, obstacleOf, sendSteps, type CoverageRequest } from './coverage-steps.ts';

export const RequestView = ({ request }: { readonly request: CoverageRequest }): ReactElement => {
  const { operation, status, explanation, curl } = request;
  return (
    <>
      <p>{explanation.split('`').map((part, index) => (index % 2 === 1 ? <code key={index}>{part}</code> : part))}</p>
      {curl === null ? (
        <p className="soft">There is no request that meets it for sure.</p>
      ) : (
        <>
          <Code text={curl} label={`A request that meets ${status} of ${operation}`} copyLabel="Copy curl" />
          <Send request={request} />
        </>
      )}
    </>
  );
};

const Send = ({ request }: { readonly request: CoverageRequest }): ReactElement => {
  const { operation, status } = request;
  const obstacle = obstacleOf(request);
  const sending = useMutation({
    // The steps carry their own credentials.
    mutationFn: () => sendSteps(request.steps, (step) => exchange(undefined, { ...step, isCounted: true })),
    onSuccess: () => void contentHasChanged(),
  });
  if (obstacle !== undefined) return <p className="soft">{obstacle}</p>;
  const label = sending.isPending ? 'Sending …' : 'Send it now';
  const name = `${label}: ${operation} ${status}`;
  return (
    <>
      <div className="row">
        {isChanging(request) ? (
          <ConfirmButton
            label={label}
            question={`Send ${operation} to meet ${status}?`}
            confirm="Send it"
            look="main"
            isDisabled={sending.isPending}
            onConfirm={() => sending.mutate()}
          >
            <p>It may change this world's content. Send it to a world of its own if you do not want that.</p>
          </ConfirmButton>
        ) : (
          <Button aria-label={name} disabled={sending.isPending} onClick={() => sending.mutate()}>
            {label}
          </Button>
        )}
      </div>
      {sending.isError && <Failure error={sending.error} />}
      {sending.data !== undefined && <Outcome wanted={status} status={sending.data.status} text={sending.data.text} />}
    </>
  );
};

type OutcomeProps = { readonly wanted: number; readonly status: number; readonly text: string | undefined };

const Outcome = ({ wanted, status, text }: OutcomeProps): ReactElement => (
  <div className={`note ${status === wanted ? 'good' : 'bad'}`} role="status">
    <p>
      {status === wanted
        ? `The response is ${status}, as expected.`
        : `The response is ${status}, not ${wanted}. Content may have changed since the request was written.`}
    </p>
    {status !== wanted && text !== undefined && <p className="mono">{text.slice(0, 500)}</p>}
  </div>
);
