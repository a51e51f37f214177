/** The faults of a world by way of the control interface. What they do is not known here. */
import * as v from 'valibot';
import type { Json } from '../model/entity.ts';
import { notFound, unprocessable } from '../problem.ts';
import type { ControlHandlers } from './control-handlers.ts';
import { faultCatalogue } from '../faults/catalogue.ts';
import type { FaultKind, Parameter } from '../faults/fault.ts';
import type { FaultsByWorld } from '../faults/faults-by-world.ts';
import type { Fault, FaultRequest } from '../faults/faults.ts';
import type { components } from '../generated/control.ts';

type Schemas = components['schemas'];

/** `operationIds` are those of the document that is served at the moment. */
export const faultHandlers = (
  faults: FaultsByWorld,
  operationIds: () => readonly string[],
): Pick<ControlHandlers, 'listFaults' | 'addFault' | 'clearFaults' | 'removeFault' | 'listFaultKinds'> => ({
  listFaults: async (_request, world) => async () => ({
    status: 200,
    mediaType: 'application/json',
    body: { faults: faults.of(world.name).list().map(shownFault) },
  }),
  addFault:
    async (_request, world) =>
    async ({ json }) => {
      const wanted = readRequest(json);
      requireOperations(wanted.operations ?? [], operationIds());
      return { status: 201, mediaType: 'application/json', body: { id: faults.of(world.name).add(wanted) } };
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
  listFaultKinds: async () => async () => ({
    status: 200,
    mediaType: 'application/json',
    body: { faults: faultCatalogue.map(shownKind) },
  }),
});

const given = <S extends v.GenericSchema>(schema: S) => v.exactOptional(schema);

const requestSchema = v.strictObject({
  fault: v.string(),
  parameters: given(v.record(v.string(), v.union([v.string(), v.number()]))),
  operations: given(v.pipe(v.array(v.string()), v.minLength(1))),
  method: given(v.picklist(['GET', 'HEAD', 'POST', 'PATCH', 'DELETE', 'PUT', 'OPTIONS'])),
  path: given(v.pipe(v.string(), v.startsWith('/'))),
  header: given(v.pipe(v.string(), v.regex(/^[a-z0-9][a-z0-9-]{0,62}$/))),
  rate: given(v.pipe(v.number(), v.minValue(0), v.maxValue(1))),
  after: given(v.pipe(v.number(), v.integer(), v.minValue(0))),
  count: given(v.pipe(v.number(), v.integer(), v.minValue(1))),
  seed: given(v.string()),
});

/** Throws 422 naming the member. */
const readRequest = (json: Json): FaultRequest => {
  const result = v.safeParse(requestSchema, json);
  if (result.success) return result.output;
  const [issue] = result.issues;
  throw unprocessable(`${v.getDotPath(issue) ?? 'The body'}: ${issue.message}`);
};

const requireOperations = (wanted: readonly string[], known: readonly string[]): void => {
  const unknown = wanted.find((id) => !known.includes(id));
  if (unknown !== undefined) throw unprocessable(`There is no operation "${unknown}" in the document.`);
};

const shownFault = ({ operations, parameters, ...fault }: Fault): Schemas['Fault'] => ({
  ...present(fault),
  ...(operations === undefined ? {} : { operations: [...operations] }),
  parameters: present(parameters),
});

const shownKind = ({
  name,
  summary,
  source,
  isPerRequest,
  operations,
  parameters,
}: FaultKind): Schemas['FaultKind'] => ({
  ...{ name, summary, source, page: `docs/faults/${name}.md`, perRequest: isPerRequest },
  operations: operations === undefined ? null : [...operations],
  parameters: Object.fromEntries(Object.entries(parameters).map(([id, parameter]) => [id, shownParameter(parameter)])),
});

const shownParameter = (parameter: Parameter): Schemas['FaultParameter'] => {
  if (parameter.type === 'number') return { ...parameter };
  const { choices, ...described } = parameter;
  return { ...described, ...(choices === undefined ? {} : { choices: [...choices] }) };
};

/** Without members that say `undefined`, which JSON does not have. */
const present = <T extends object>(value: T): { [Name in keyof T]: Exclude<T[Name], undefined> } =>
  Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined)) as never; // the same members
