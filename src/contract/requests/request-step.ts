/** Defines requests that meet a status, and runs them against a world to see what they are answered. */
import { chunksAtHand, discardStream } from '../../basics/byte-streams.ts';
import { parsedJson } from '../../basics/json.ts';
import { readPointer, valueAt } from '../../basics/json-pointer.ts';
import type { PlainReply, AnswerRequest, HostedWorld } from '../../openapi/openapi-host.ts';

/** One request. `{{name}}` in its path, headers and body stands for a variable that an earlier step keeps. */
export type RequestStep = {
  readonly method: string;
  /** Within the world, with the query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** The body is so many bytes of zero, in place of `body`. */
  readonly zeros?: number;
  /** Variables, each with a JSON pointer to what it holds of the answer. */
  readonly keeps?: Readonly<Record<string, string>>;
};

/** Steps to send one after another, with the cookies of each. The last one meets the status. */
export type RequestSteps = { readonly steps: readonly RequestStep[]; readonly explanation: string };

/** The variables of steps: what later requests need of earlier answers. */
export type StepVariables = {
  /** The text with the values of variables in place of `{{name}}`. A name without a value stays. */
  fill(text: string): string;
  /** Takes what JSON pointers lead to in the text of an answer, by the names of variables. Empty where there is nothing. */
  keep(answer: string, pointers: Readonly<Record<string, string>> | undefined): void;
};

/** None at first. */
export const createStepVariables = (): StepVariables => {
  const values = new Map<string, string>();
  return {
    fill: (text) => text.replace(/\{\{(\w+)\}\}/g, (whole, name: string) => values.get(name) ?? whole),
    keep: (answer, pointers = {}) => {
      for (const [name, pointer] of Object.entries(pointers)) values.set(name, valueOfPointer(answer, pointer));
    },
  };
};

/** A world to try requests in, and what answers them. */
export type Sandbox = { readonly answer: AnswerRequest; readonly world: HostedWorld };

/** Resolves with the status of the last step. A body of zeros is only announced: the engine refuses it for its length. */
export const statusOf = async (steps: readonly RequestStep[], sandbox: Sandbox): Promise<number | undefined> => {
  const cookies = new Map<string, string>();
  const variables = createStepVariables();
  let status: number | undefined;
  for (const step of steps) {
    const reply = await replyTo(step, { cookies, variables, sandbox });
    status = reply.status;
    for (const [name, value] of cookiesOf(reply)) cookies.set(name, value);
    variables.keep(typeof reply.body === 'string' ? reply.body : '', step.keeps);
    if (typeof reply.body === 'object') discardStream(reply.body.stream);
  }
  return status;
};

type Progress = {
  readonly cookies: ReadonlyMap<string, string>;
  readonly variables: StepVariables;
  readonly sandbox: Sandbox;
};

const replyTo = (step: RequestStep, { cookies, variables, sandbox }: Progress): Promise<PlainReply> => {
  const [path = '', ...query] = variables.fill(step.path).split('?');
  const bytes = Buffer.from(variables.fill(step.body ?? ''));
  const length = step.zeros ?? (step.body === undefined ? undefined : bytes.length);
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(step.headers)) headers[name.toLowerCase()] = variables.fill(value);
  if (cookies.size > 0) headers['cookie'] = [...cookies].map((pair) => pair.join('=')).join('; ');
  if (length !== undefined) headers['content-length'] = String(length);
  const request = { method: step.method, path, query: query.join('?'), headers, address: '127.0.0.1' };
  return sandbox.answer({ ...request, body: chunksAtHand(bytes) }, sandbox.world);
};

const cookiesOf = ({ headers }: PlainReply): (readonly [string, string])[] =>
  [headers['Set-Cookie'] ?? []].flat().map((line) => {
    const [pair = ''] = line.split(';');
    const equals = pair.indexOf('=');
    return [pair.slice(0, equals), pair.slice(equals + 1)] as const;
  });

/** As text. Empty when the pointer leads to nothing. */
const valueOfPointer = (text: string, pointer: string): string => {
  const value = valueAt(parsedJson(text), readPointer(`#${pointer}`));
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
};
