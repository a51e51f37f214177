/** Writes a recorded request as JSON for other processes, without secrets, and reads it again. */
import { type HostedIdentity, type HostedOperation, emptyObservations } from '../../openapi/openapi-host.ts';
import { type RecordedExchange, maskedExchange } from '../../exchange/exchange.ts';

/** Operations are written as their ids, and of a caller only what traffic shows. */
type StoredExchange = Omit<RecordedExchange, 'id' | 'operation' | 'observations' | 'isReused'> & {
  readonly id: undefined;
  readonly isReused: undefined;
  readonly operation?: string | undefined;
  readonly observations: Omit<RecordedExchange['observations'], 'operation' | 'identity' | keyof typeof unstored> & {
    readonly operation?: string | undefined;
    readonly identity?: StoredIdentity | undefined;
  };
};

/** What the log and traces alone ask for. */
const unstored = { world: undefined, trace: undefined, isReported: undefined };

type StoredIdentity = Omit<HostedIdentity, 'principal'> & Pick<HostedIdentity['principal'], 'uid' | 'name'>;

/** Contains no password, token or cookie. */
export const storedExchange = (exchange: RecordedExchange): string => {
  const { operation, observations, ...others } = maskedExchange(exchange);
  const stored: StoredExchange = {
    ...others,
    id: undefined,
    isReused: undefined,
    operation: operation?.id,
    observations: {
      ...observations,
      ...unstored,
      operation: observations.operation?.id,
      identity: observations.identity === undefined ? undefined : storedIdentity(observations.identity),
    },
  };
  return JSON.stringify(stored);
};

const storedIdentity = ({ principal: { uid, name }, ...others }: HostedIdentity): StoredIdentity => ({
  ...others,
  uid,
  name,
});

/** `operationOf` finds an operation of the document served now. A request whose operation is gone has none. */
export const restoredExchange = (
  text: string,
  id: number,
  operationOf: (id: string) => HostedOperation | undefined,
): RecordedExchange => {
  const stored = JSON.parse(text) as StoredExchange; // written by `storedExchange`
  const { operation, identity, ...observations } = stored.observations;
  return {
    ...stored,
    id,
    operation: stored.operation === undefined ? undefined : operationOf(stored.operation),
    observations: {
      ...emptyObservations(),
      ...observations,
      operation: operation === undefined ? undefined : operationOf(operation),
      identity: identity === undefined ? undefined : restoredIdentity(identity),
    },
    isReused: false,
    transmissionFault: stored.transmissionFault,
  };
};

/** What the caller may do is not needed: nothing is allowed on behalf of a recorded request. */
const restoredIdentity = ({ uid, name, credentials, provider, ...others }: StoredIdentity): HostedIdentity => ({
  ...others,
  principal: { uid, name, roles: [] },
  credentials,
  provider,
});
