/** Writes a recorded request as JSON for other processes, without secrets, and reads it again. */
import type { Identity } from '../../core/model/principal.ts';
import type { Operation } from '../../core/document/operation.ts';
import { maskedExchange } from './masked-exchange.ts';
import type { RecordedExchange } from '../../exchange/recorded-exchange.ts';

/** Operations are written as their ids, and of a caller only what traffic shows. */
type StoredExchange = Omit<RecordedExchange, 'id' | 'operation' | 'observations' | 'isReused'> & {
  readonly id: undefined;
  readonly isReused: undefined;
  readonly operation?: string | undefined;
  readonly observations: Omit<RecordedExchange['observations'], 'operation' | 'identity'> & {
    readonly operation?: string | undefined;
    readonly identity?: StoredIdentity | undefined;
  };
};

type StoredIdentity = Omit<Identity, 'principal'> & Pick<Identity['principal'], 'uid' | 'name'>;

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
      operation: observations.operation?.id,
      identity: observations.identity === undefined ? undefined : storedIdentity(observations.identity),
    },
  };
  return JSON.stringify(stored);
};

const storedIdentity = ({ principal: { uid, name }, ...others }: Identity): StoredIdentity => ({
  ...others,
  uid,
  name,
});

/** `operationOf` finds an operation of the document served now. A request whose operation is gone has none. */
export const restoredExchange = (
  text: string,
  id: number,
  operationOf: (id: string) => Operation | undefined,
): RecordedExchange => {
  const stored = JSON.parse(text) as StoredExchange; // written by `storedExchange`
  const { operation, identity, ...observations } = stored.observations;
  return {
    ...stored,
    id,
    operation: stored.operation === undefined ? undefined : operationOf(stored.operation),
    observations: {
      ...observations,
      operation: operation === undefined ? undefined : operationOf(operation),
      identity: identity === undefined ? undefined : restoredIdentity(identity),
    },
    isReused: false,
    transmissionFault: stored.transmissionFault,
  };
};

/** What the caller may do is not needed: nothing is allowed on behalf of a recorded request. */
const restoredIdentity = ({ uid, name, credentials, provider, ...others }: StoredIdentity): Identity => ({
  ...others,
  principal: { uid, name, roles: [], permissions: new Set(), mayEverything: false },
  credentials,
  provider,
});
