/** Counts the requests of a server by plain numbers. It works for every request, so it does nothing that can be done at a reading. */
import { secondBounds } from '../../basics/work-tally.ts';
import { createHistogram, observe, type Histogram } from '../../basics/histogram.ts';

/** The answers of one operation. */
type OperationTally = {
  /** By status. */
  readonly answers: ReadonlyMap<number, number>;
  /** Seconds until an answer was ready. */
  readonly seconds: Histogram;
};

export type RequestTally = {
  /** Requests that came and have no answer yet. */
  inProgress: number;
  /** By the id of the operation; an empty one is for what no operation answered. */
  readonly operations: ReadonlyMap<string, OperationTally>;
  /** Undefined for an operation: none answered. */
  answered(operation: string | undefined, status: number, seconds: number): void;
};

export const createRequestTally = (): RequestTally => {
  const operations = new Map<string, { readonly answers: Map<number, number>; readonly seconds: Histogram }>();
  return {
    inProgress: 0,
    operations,
    answered: (operation = '', status, seconds) => {
      let tally = operations.get(operation);
      if (tally === undefined) {
        tally = { answers: new Map(), seconds: createHistogram(secondBounds) };
        operations.set(operation, tally);
      }
      tally.answers.set(status, (tally.answers.get(status) ?? 0) + 1);
      observe(tally.seconds, seconds);
    },
  };
};
