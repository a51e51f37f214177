/** `explain_operation`: what an operation takes and answers, who may, and a request that works. */
import { trimmedText } from '../../openapi/openapi-parts.ts';
import { partOf, type Part } from '../../openapi/openapi-terms.ts';
import type { Coverage, CoverageRequest } from '../../exchange/exchange-worlds.ts';
import { flag, json, list, optional, structure, table, text, whole } from '../shape.ts';
import { operationNamed, readServedDocument, type DescribedOperation } from '../session/served-document.ts';
import type { Call } from '../session/session.ts';
import { dataNotice, notice, defineTool } from '../tool.ts';
import { headersOf, inBrief, textOf } from '../sandbox/answer-text.ts';
import { permissionsOf, dryRun, shownRequests, requestsOf } from '../sandbox/dry-run.ts';
import { permissionShape, requestShape } from '../sandbox/sandbox-request.ts';

/** The types of parameters. */
const scalars = ['string', 'number', 'boolean'] as const;

export const explainOperation = defineTool({
  name: 'explain_operation',
  title: 'Explain an operation',
  description:
    'One operation: its parameters, body and statuses, how to sign in, the relations of its links, a request that works now with its answer, and what each account is answered.',
  hints: { readOnly: true },
  input: structure({ operation: text('The id, as find_operations says it.', { maxLength: 100 }) }),
  output: structure({
    operation: text('The id.'),
    method: text('The method of HTTP.'),
    path: text('The path, with its parameters in braces.'),
    summary: text('What it does.'),
    description: text('What else there is to know.'),
    signIn: list(text('A kind of authentication.'), 'How an account may sign in. Empty: nobody needs to.'),
    needsCsrfToken: flag('Whether a request with a session cookie needs X-CSRF-Token.'),
    parameters: list(
      structure({
        name: text('The name.'),
        in: text('path, query or header.'),
        required: flag('Whether it must be there.'),
        description: text('What it is.'),
        values: optional(list(json(scalars, 'A value.'), 'All that are allowed.')),
        example: optional(json(scalars, 'A value that works.')),
      }),
      'Without those of the body.',
    ),
    contentTypes: list(text('A media type.'), 'Of the body. Empty: there is no body.'),
    statuses: list(
      structure({ status: whole('The status.'), meaning: text('When it is answered.') }),
      'All that are answered.',
    ),
    relations: list(text('A relation.'), 'The relations of the Link headers of its answers.'),
    example: optional(
      structure({
        requests: optional(
          list(
            requestShape,
            'Arguments for try_request, one after the other. {{name}} stands for a value of an earlier answer. Absent when they are too long.',
          ),
        ),
        status: whole('The status of the last answer, as a copy of the world gave it just now.'),
        headers: table(text('The value.'), 'The headers of that answer.'),
        body: optional(text('The beginning of its body.')),
      }),
    ),
    permissions: list(permissionShape, 'Who may: what each account is answered to the example.'),
    notice,
  }),
  long: 'statuses',
  run: async ({ operation: id }, call) => {
    const document = await readServedDocument(call.server);
    const operation = operationNamed(document, id);
    const [coverage, tried] = [await call.server.coverage(), await exampleOf(operation, call)];
    return {
      ...described(operation),
      ...{ relations: relationsOf(coverage, id), notice: dataNotice('example') },
      ...(tried === undefined ? { permissions: [] } : tried),
    };
  },
});

/** In characters of JSON. */
const longestRequests = 3000;

const described = (operation: DescribedOperation) => {
  const { id, method, path, summary, description, operation: part, parameters } = operation;
  return {
    ...{ operation: id, method, path, summary, description: inBrief(description, 800) },
    signIn: signInOf(part),
    needsCsrfToken: part['x-csrf'] === true,
    parameters: parameters.map(parameterOf),
    contentTypes: Object.keys(partOf(partOf(part['requestBody'])['content'])),
    statuses: Object.entries(partOf(part['responses'])).map(([status, response]) => ({
      status: Number(status),
      meaning: inBrief(trimmedText(partOf(response)['description']), 120),
    })),
  };
};

const signInNames: Readonly<Record<string, string>> = { basic_auth: 'basic', jwt_auth: 'token', cookie: 'session' };

const signInOf = ({ security }: Part): string[] =>
  (Array.isArray(security) ? security : []).flatMap((each) =>
    Object.keys(partOf(each)).flatMap((name) => signInNames[name] ?? []),
  );

const parameterOf = (parameter: Part) => {
  const { enum: values } = partOf(parameter['schema']);
  const example = parameter['example'] ?? partOf(Object.values(partOf(parameter['examples']))[0])['value'];
  return {
    name: trimmedText(parameter['name']),
    in: trimmedText(parameter['in']),
    required: parameter['required'] === true,
    description: inBrief(trimmedText(parameter['description']), 200),
    ...(Array.isArray(values) ? { values: values as unknown[] } : {}),
    example,
  };
};

const relationsOf = ({ offered }: Coverage, id: string): readonly string[] =>
  offered.find(({ operation }) => operation === id)?.relations ?? [];

/** A request that succeeds in the main world as it is, and what comes of it. */
const exampleOf = async ({ id, operation: part }: DescribedOperation, call: Call) => {
  const success = Object.keys(partOf(part['responses'])).filter((status) => /^2/.test(status));
  for (const status of success) {
    const [found] = await call.server.coverageRequests({ operation: id, status });
    if (found === undefined || found.steps.length === 0) continue;
    return {
      example: await tried(found, call),
      permissions: await permissionsOf(call, call.server, requestsOf(found.steps)),
    };
  }
  return undefined;
};

const tried = async ({ steps, operation, status }: CoverageRequest, call: Call) => {
  const requests = requestsOf(steps);
  const shown = shownRequests(steps);
  const answer = await dryRun(call, call.server, requests);
  const body = answer === undefined ? undefined : textOf(answer, operation);
  return {
    requests: JSON.stringify(shown).length > longestRequests ? undefined : shown,
    status: answer?.status ?? status,
    headers: answer === undefined ? {} : headersOf(answer),
    body: body && inBrief(body, 600),
  };
};
