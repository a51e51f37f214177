/** Makes what sits between the clients of each world and its engine. */
import type { HostedOperation } from '../../openapi/openapi-host.ts';
import type { Application } from '../application.ts';
import { createWorldObserver } from '../coverage/world-observer.ts';
import { createFaultsByWorld } from '../faults/faults-by-world.ts';
import { type BasicChallenge, challengeInterceptors } from '../http/basic-challenge.ts';

type InterceptorOptions = {
  readonly application: Application;
  /** The number of requests that are kept of each world. */
  readonly traffic?: number | undefined;
  readonly basicChallenge?: BasicChallenge | undefined;
};

/** The observer is outermost, so that it sees the replies that the faults have changed. `operations`: of the document that is served now. */
export const createInterceptors = (
  { application, traffic, basicChallenge }: InterceptorOptions,
  operations: () => readonly HostedOperation[],
) => {
  const { followAddress, faults: ofApplication } = application;
  const observer = createWorldObserver({ entries: traffic, followAddress, operations });
  const faults = createFaultsByWorld({ ofApplication });
  return {
    observer,
    faults,
    intercept: [observer.intercept, faults.intercept, ...challengeInterceptors(basicChallenge)],
  };
};
