/** Makes modules of the document of the control interface: where its operations are, how each surface takes them, and the functions of the library. */

/** The parts of the document that the modules are made of. */
const readOperations = (control) => {
  const resolved = (part) =>
    part?.$ref === undefined
      ? part
      : resolved(
          part.$ref
            .split('/')
            .slice(1)
            .reduce((whole, name) => whole[name], control),
        );
  /** A schema with those that it refers to in it. */
  const flat = (part) => {
    const { allOf = [], items, ...schema } = resolved(part) ?? {};
    const own = { ...schema, ...(items && { items: flat(items) }) };
    return allOf.reduceRight((whole, each) => merged(flat(each), whole), own);
  };
  return Object.entries(control.paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([, { operationId }]) => operationId !== undefined)
      .map(([method, operation]) => {
        const success = Object.entries(operation.responses).filter(([status]) => status.startsWith('2'));
        const [content = {}] = success.map(([, response]) => resolved(response).content);
        const [sends] = Object.keys(operation.requestBody?.content ?? {});
        return {
          ...{ id: operation.operationId, method: method.toUpperCase(), path, operation, sends },
          parameters: [...(item.parameters ?? []), ...(operation.parameters ?? [])].map(resolved),
          body: sends === 'application/json' ? flat(operation.requestBody.content[sends].schema) : undefined,
          isBodyNeeded: operation.requestBody?.required === true,
          statuses: success.map(([status]) => Number(status)),
          types: Object.keys(content),
          answer: flat(content['application/json']?.schema),
          flat,
        };
      }),
  );
};

const merged = (base, schema) => ({
  ...base,
  ...schema,
  ...(base.properties && { properties: { ...base.properties, ...schema.properties } }),
  ...(base.required && { required: [...base.required, ...(schema.required ?? [])] }),
});

/** What a client needs of each operation when it runs: where it is, and what its success is like. */
export const operationsModule = (control) => {
  const byId = readOperations(control).map(({ id, method, path, sends, statuses, types, answer }) => [
    id,
    { method, path, sends, statuses, types, members: [...new Set(answer.required ?? [])] },
  ]);
  return `export const controlOperations = ${JSON.stringify(Object.fromEntries(byId))} as const;`;
};

/** A parameter of a path by its last word: `fault_id` is the `id`. */
const shortName = (name) => name.slice(name.lastIndexOf('_') + 1);

/** The keywords that a value is read and checked by. */
const shape = ({
  type,
  enum: choices,
  pattern,
  format,
  minimum,
  maximum,
  exclusiveMinimum,
  minItems,
  items,
  additionalProperties,
}) => ({
  type: Array.isArray(type) && type.includes('null') ? type.find((each) => each !== 'null') : type,
  ...{ enum: choices, pattern, format, minimum, maximum, exclusiveMinimum, minItems },
  items: items && shape(items),
  additionalProperties: typeof additionalProperties === 'object' ? shape(additionalProperties) : undefined,
});

const oneLine = (text = '') => text.replace(/\s+/g, ' ').trim();

const inputsOf = ({ parameters, body, flat }) => {
  const input = (place, { name, isRequired, part, schema }) => ({
    ...{ name, place, isRequired, schema: shape(schema) },
    as: place === 'path' ? shortName(name) : name,
    description: oneLine(part.description ?? schema.description),
    help: oneLine(part['x-atoll-help']) || undefined,
    option: part['x-atoll-option'],
    isForTools: part['x-atoll-tool'] !== false,
    form: oneLine(part['x-atoll-form'] ?? schema['x-atoll-form']) || undefined,
  });
  return [
    ...parameters
      .filter((part) => part.in !== 'header')
      .map((part) =>
        input(part.in, { name: part.name, isRequired: part.required === true, part, schema: flat(part.schema) }),
      ),
    ...Object.entries(body?.properties ?? {}).map(([name, property]) => {
      const schema = flat(property);
      return input('body', { name, isRequired: (body.required ?? []).includes(name), part: schema, schema });
    }),
  ];
};

/** How each operation is called by the command line and by coding agents, and what of its answer is shown. */
export const surfacesModule = (control) => {
  const byId = readOperations(control).map((each) => {
    const { id, operation, answer, body } = each;
    const inputs = inputsOf(each);
    const follows = inputs.find(
      ({ name }) => ['cursor', 'offset'].includes(name) && 'next' in (answer.properties ?? {}),
    );
    const surface = {
      summary: oneLine(operation.summary),
      help: operation['x-atoll-help'],
      command: operation['x-atoll-command'],
      tool: operation['x-atoll-tool'],
      answer: operation['x-atoll-answer'],
      next: follows?.name,
      changes: each.method !== 'GET',
      isJson: each.types.includes('application/json'),
      hasBody: body?.properties !== undefined,
      needsOne: body?.minProperties === 1 ? oneLine(body['x-atoll-form']) : undefined,
      inputs,
    };
    return [id, surface];
  });
  return `export const surfaces = ${JSON.stringify(Object.fromEntries(byId))} as const;
    /** What the commands of a group are about. */
    export const commandGroups: Readonly<Record<string, string>> = ${JSON.stringify(control['x-atoll-groups'])};`;
};

/** What a function takes, from its parentheses: members of the path or of the body. Without them: the path, then body and query whole. */
const takenBy = (given, { id, parameters, body, isBodyNeeded, sends, flat }) => {
  const inputs = inputsOf({ parameters, body, flat });
  const named = ({ as, place, name, isRequired, schema }) => {
    const type = schema.type === 'integer' ? 'number' : (schema.type ?? 'unknown');
    return { place, name, text: `${as}${isRequired ? '' : '?'}: ${type}` };
  };
  const path = inputs.filter(({ place }) => place === 'path').map(named);
  if (given !== undefined) return [...path, ...given.map((name) => named(inputs.find(({ as }) => as === name)))];
  const whole = (place, isNeeded) => ({ place, text: `${place}${isNeeded ? '' : '?'}: Input<'${id}'>['${place}']` });
  const queries = parameters.filter((part) => part.in === 'query');
  return [
    ...path,
    ...(sends === undefined ? [] : [whole('body', isBodyNeeded)]),
    ...(queries.length === 0
      ? []
      : [
          whole(
            'query',
            queries.some(({ required }) => required === true),
          ),
        ]),
  ];
};

/** The type that a function resolves with. It gives the member that was asked for where the answer has no other. */
const returned = ({ id, types, answer, operation }) => {
  const member = operation['x-atoll-answer'];
  const isAlone = member !== undefined && Object.keys(answer.properties).length === 1;
  if (types.length === 0) return { text: 'void' };
  if (!types.includes('application/json')) return { text: 'ReadableStream<Uint8Array>', isStream: true };
  return isAlone ? { member, text: `Answer<'${id}'>['${member}']` } : { text: `Answer<'${id}'>` };
};

const readFunctions = (control) =>
  readOperations(control).flatMap((each) => {
    const called = each.operation['x-atoll-function'];
    if (called === undefined) return [];
    const [, scope, path, given] = /^(world|server)\.([\w.]+)(?:\((.*)\))?$/.exec(called);
    const { summary, description } = each.operation;
    const answer = returned(each);
    return {
      ...{ scope, path: path.split('.'), operation: each.id, answer },
      taken: takenBy(given?.split(', '), each),
      comment: oneLine([summary, description].flatMap((text) => text?.replace(/\.?\s*$/, '.') ?? []).join(' ')),
    };
  });

const capital = (name) => name[0].toUpperCase() + name.slice(1);

/** The functions of the library: their types, and the table by which they are made. */
export const libraryModule = (control) => {
  const functions = readFunctions(control);
  const typeOf = (name, own) => `export type ${name} = { ${own.join('\n')} };`;
  const signature = ({ path, taken, answer, comment }) =>
    `/** ${comment} */\n${path.at(-1)}(${taken.map(({ text }) => text).join(', ')}): Promise<${answer.text}>;`;
  const groups = [...new Set(functions.filter(({ path }) => path.length > 1).map(({ path }) => path[0]))];
  const groupTypes = groups.map((group) =>
    typeOf(capital(group), functions.filter(({ path }) => path[0] === group).map(signature)),
  );
  const scopeTypes = ['world', 'server'].map((scope) => {
    const own = functions.filter((each) => each.scope === scope);
    const ofGroups = groups.filter((group) => own.some(({ path }) => path[0] === group));
    return typeOf(`${capital(scope)}Functions`, [
      ...own.filter(({ path }) => path.length === 1).map(signature),
      ...ofGroups.map((group) => `readonly ${group}: ${capital(group)};`),
    ]);
  });
  const table = functions.map(({ scope, path, operation, taken, answer }) => ({
    ...{ scope, path, operation, taken: taken.map(({ place, name }) => ({ place, name })) },
    ...{ member: answer.member, isStream: answer.isStream },
  }));
  return `import type { Answer, Input, OperationId } from '../control/control-types.ts';
    ${[...groupTypes, ...scopeTypes].join('\n')}
    /** A function: where it is, and what it asks. A value that is taken without a name is all of its place. */
    type LibraryFunction = {
      readonly scope: 'world' | 'server';
      readonly path: readonly string[];
      readonly operation: OperationId;
      readonly taken: readonly { readonly place: 'path' | 'query' | 'body'; readonly name?: string }[];
      readonly member?: string;
      readonly isStream?: boolean;
    };
    export const libraryFunctions: readonly LibraryFunction[] = ${JSON.stringify(table)};`;
};
