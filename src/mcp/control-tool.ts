/** Makes a tool of several actions: those that operations of the control interface describe, and those that are written by hand. */
import { given as defined } from '../basics/json.ts';
import { type OperationId, placedInput, surfaceOf, type SurfaceInput } from '../client/client-control.ts';
import { surfaces } from '../client/generated/surfaces.ts';
import type { WorldCommands } from '../exchange/exchange-worlds.ts';
import { worldName } from './sandbox/sandbox-request.ts';
import type { Call } from './session/session.ts';
import { choice, type JsonSchema, optional, type Shape, structure } from './shape.ts';
import { defineTool, type Tool, type ToolHints } from './tool.ts';
import { ToolRefusal } from './tool-refusal.ts';

/** What every action takes. */
type Chosen = { readonly action: string; readonly world?: string };

/** An action that is more than one operation. */
type OwnAction<Given, Answer> = {
  /** What it does, as a sentence. */
  readonly summary: string;
  readonly run: (given: Given & Chosen, call: Call) => Promise<Answer>;
};

type ControlTool<Given, Answer> = {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly hints: ToolHints;
  /** What the actions of its own take, as a structure. */
  readonly input: Shape<Given>;
  readonly actions: Readonly<Record<string, OwnAction<Given, Answer>>>;
  readonly output: Shape<Answer>;
  readonly long: keyof Answer & string;
  /** Shows what an operation has answered. */
  readonly show: (
    operation: OperationId,
    answer: object | undefined,
    world: WorldCommands,
    call: Call,
  ) => Promise<Answer>;
};

type Operation = { readonly id: OperationId; readonly action: string };

/** Its operations are those whose `x-atoll-tool` begins with its name. */
export const defineControlTool = <Given extends object, Answer extends object>(
  definition: ControlTool<Given, Answer>,
): Tool => {
  const { input, actions, show, ...described } = definition;
  const operations = (Object.keys(surfaces) as OperationId[]).flatMap((id): readonly Operation[] => {
    const [tool, action] = (surfaceOf(id).tool ?? '').split(' ');
    return tool === definition.name && action !== undefined ? [{ id, action }] : [];
  });
  const summaries = [
    ...Object.entries(actions).map(([action, { summary }]) => `${action}: ${summary}`),
    ...operations.map(({ id, action }) => `${action}: ${small(surfaceOf(id).summary)}.`),
  ];
  const names = [...Object.keys(actions), ...operations.map(({ action }) => action)];
  const { members, forms } = membersOf(input.json, operations);
  const common = structure({ action: choice(names, summaries.join(' ')), world: optional(worldName) });
  return defineTool<Given & Chosen, Answer>({
    ...described,
    input: { json: withMembers(common.json, members) },
    forms,
    run: async (given, call) => {
      const operation = operations.find(({ action }) => action === given.action);
      if (operation === undefined) return (actions[given.action] as OwnAction<Given, Answer>).run(given, call); // the schema has no other
      const { changes } = surfaceOf(operation.id);
      const world = await (changes ? call.changeableWorld(given.world) : call.world(given.world));
      const answer = await call.control(world).ask(operation.id, inputOf(operation, given));
      return show(operation.id, answer, world, call);
    },
  });
};

const withMembers = (schema: JsonSchema, members: Members): JsonSchema => ({
  ...schema,
  properties: { ...Object(schema['properties']), ...Object.fromEntries(members) },
});

type Members = ReadonlyMap<string, JsonSchema>;
type Forms = ReadonlyMap<string, string>;

/** Those of the own actions first. A member that several actions take has one schema, and says what it is in each. */
const membersOf = (
  own: JsonSchema,
  operations: readonly Operation[],
): { readonly members: Members; readonly forms: Forms } => {
  const members = new Map(Object.entries(Object(own['properties']) as Readonly<Record<string, JsonSchema>>));
  const forms = new Map<string, string>();
  for (const { id, action } of operations) {
    for (const { as, schema, description, form, isForTools } of surfaceOf(id).inputs) {
      if (!isForTools) continue;
      const known = members.get(as);
      if (known === undefined && form !== undefined) forms.set(as, form);
      const before = known === undefined ? '' : `${String(known['description'])} `; // a text
      members.set(as, {
        ...(known ?? jsonSchemaOf(schema)),
        description: `${before}Of ${action}: ${brief(description)}.`,
      });
    }
  }
  return { members, forms };
};

/** The first clause: the list of tools costs tokens in every conversation. */
const brief = (text: string): string =>
  small(text)
    .replaceAll('`', '')
    .replace(/ \(default: .*|[;:.] .*|\.$/s, '');

const small = (text: string): string => text.replace(/^[A-Z](?![A-Z])/, (letter) => letter.toLowerCase());

/** Not every client of MCP understands a list of types, nor does every check know the formats. */
const jsonSchemaOf = ({ type, items, additionalProperties, ...schema }: SurfaceInput['schema']): JsonSchema => ({
  ...(typeof type === 'string' ? { type } : { anyOf: type?.map((each) => ({ type: each })) }),
  ...defined({ ...schema, format: undefined }),
  ...(items && { items: jsonSchemaOf(items) }),
  ...(additionalProperties && { additionalProperties: jsonSchemaOf(additionalProperties) }),
});

const inputOf = ({ id, action }: Operation, given: object): object => {
  const values = new Map(Object.entries(given));
  return placedInput(surfaceOf(id), ({ as, isRequired, schema: { pattern }, form }: SurfaceInput) => {
    const value: unknown = values.get(as);
    if (isRequired && value === undefined) throw new ToolRefusal(`Action "${action}" needs "${as}".`, `Add "${as}".`);
    // The schema of a member that several actions take is that of one.
    if (typeof value === 'string' && pattern !== undefined && form !== undefined && !new RegExp(pattern).test(value))
      throw new ToolRefusal(form, `Correct "${as}".`);
    return value;
  });
};
