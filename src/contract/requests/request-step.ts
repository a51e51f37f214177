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

/** The text with the values of variables in place of their names. */
export const withVariables = (text: string, variables: ReadonlyMap<string, string>): string =>
  text.replace(/\{\{(\w+)\}\}/g, (whole, name: string) => variables.get(name) ?? whole);

/** A world to try requests in, and what answers them. */
export type Sandbox = { readonly answer: AnswerRequest; readonly world: HostedWorld };

/** Resolves with the status of the last step. A body of zeros is only announced: the engine refuses it for its length. */
export const statusOf = async (steps: readonly RequestStep[], sandbox: Sandbox): Promise<number | undefined> => {
  const cookies = new Map<string, string>();
  const variables = new Map<string, string>();
  let status: number | undefined;
  for (const step of steps) {
    const reply = await replyTo(step, { cookies, variables, sandbox });
    status = reply.status;
    for (const [name, value] of cookiesOf(reply)) cookies.set(name, value);
    for (const [name, pointer] of Object.entries(step.keeps ?? {})) variables.set(name, textAt(reply, pointer));
    if (typeof reply.body === 'object') discardStream(reply.body.stream);
  }
  return status;
};

/** The reply to a single step. */
export const replyOf = (step: RequestStep, sandbox: Sandbox): Promise<PlainReply> =>
  replyTo(step, { cookies: new Map(), variables: new Map(), sandbox });

type Progress = {
  readonly cookies: ReadonlyMap<string, string>;
  readonly variables: ReadonlyMap<string, string>;
  readonly sandbox: Sandbox;
};

const replyTo = (step: RequestStep, { cookies, variables, sandbox }: Progress): Promise<PlainReply> => {
  const [path = '', ...query] = withVariables(step.path, variables).split('?');
  const bytes = Buffer.from(withVariables(step.body ?? '', variables));
  const length = step.zeros ?? (step.body === undefined ? undefined : bytes.length);
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(step.headers))
    headers[name.toLowerCase()] = withVariables(value, variables);
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

/** Empty when there is nothing. */
const textAt = ({ body }: PlainReply, pointer: string): string =>
  typeof body === 'string' ? valueOfPointer(body, pointer) : '';

/** What a JSON pointer leads to in a text, as text. Empty when it leads to nothing. */
export const valueOfPointer = (text: string, pointer: string): string => {
  const value = valueAt(parsedJson(text), readPointer(`#${pointer}`));
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
};
