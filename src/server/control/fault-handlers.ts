/** Lists, adds and removes the faults of a world. */
import { given } from '../../basics/json.ts';
import { jsonReply } from '../../openapi/openapi-host.ts';
import type { ControlHandlers } from './control-handlers.ts';
import type { FaultKind } from '../faults/fault.ts';
import type { FaultsByWorld } from '../faults/faults-by-world.ts';
import type { Fault } from '../faults/faults.ts';
import { notFound, unprocessable } from '../../openapi/openapi-terms.ts';

/** `operationIds` returns the operations of the document that is served now. */
export const faultHandlers = (
  faults: FaultsByWorld,
  operationIds: () => readonly string[],
): Pick<ControlHandlers, 'listFaults' | 'addFault' | 'clearFaults' | 'removeFault' | 'listFaultKinds'> => ({
  listFaults: async (_request, world) => async () => jsonReply({ faults: faults.of(world.name).list().map(faultBody) }),
  addFault:
    async (_request, world) =>
    async ({ json }) => {
      requireOperations(json.operations ?? [], operationIds());
      return jsonReply({ id: faults.of(world.name).add(json) }, 201);
    },
  clearFaults: async (_request, world) => async () => {
    faults.of(world.name).clear();
    return { status: 204 };
  },
  removeFault: async (request, world) => async () => {
    const id = request.path.fault_id;
    if (!faults.of(world.name).remove(id)) throw notFound(`There is no fault "${id}".`);
    return { status: 204 };
  },
  listFaultKinds: async () => async () => jsonReply({ faults: faults.catalogue.map(kindBody) }),
});

const requireOperations = (ids: readonly string[], known: readonly string[]): void => {
  const unknown = ids.find((id) => !known.includes(id));
  if (unknown !== undefined) throw unprocessable(`There is no operation "${unknown}" in the document.`);
};

const faultBody = ({ parameters, ...fault }: Fault) => ({ ...given(fault), parameters: given(parameters) });

const kindBody = ({ name, summary, source, parameters, operations, isPerRequest }: FaultKind) => ({
  ...{ name, summary, source, page: `docs/use/faults.md#${name}`, perRequest: isPerRequest },
  operations: operations ?? null,
  parameters,
});
