/** What the traffic of a world shows of an exchange that it remembers. */
import { emptyObservations } from '../../src/openapi/openapi-host.ts';
import { createPathRouter } from '../../src/openapi/openapi-parts.ts';
import type { Backend } from '../../src/repository/repository-engine.ts';
import type { RecordedExchange } from '../../src/exchange/exchange.ts';
import { showExchange } from '../../src/server/traffic/traffic-entry.ts';

const context = {
  router: createPathRouter([]),
  lines: undefined,
  backend: {} as Backend,
  contract: {
    backend: {} as Backend,
    passwordOf: () => undefined,
    document: { openapi: '3.1.0', info: { title: '', version: '' }, paths: {}, components: {} },
  },
  areRepliesChecked: false,
};

export const nothingObserved = () => ({
  observations: emptyObservations(),
  transmissionFault: undefined,
  isReused: false,
});

export const shownByTraffic = (one: RecordedExchange) => showExchange(one, context);
