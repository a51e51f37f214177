/** Sends the steps of a request that meets a status, one after another. */
import type { components } from '../../../src/client/generated/control.ts';

export type CoverageRequest = components['schemas']['CoverageRequest'];
type CoverageStep = components['schemas']['CoverageStep'];

/** A step that can be sent. */
export type PreparedStep = {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
};

type StepAnswer = { readonly status: number; readonly text: string | undefined };

/** Headers that a browser sets itself, whatever a page wants. */
const browserHeaders =
  /^(?:cookie|host|origin|content-length|connection|expect|transfer-encoding|te|upgrade|referer|date|via|trailer|keep-alive|accept-encoding|proxy-.*|sec-.*|access-control-request-.*)$/i;

/** The most bytes that the console makes in memory. */
const largestBody = 64 * 1024 * 1024;

/** Why the console cannot send a request itself. Undefined when it can. */
export const obstacleOf = ({ steps }: CoverageRequest): string | undefined => {
  // The console would lose its own session, because a browser has one for each world.
  if (steps.some(({ path }) => path.startsWith('/user/login')))
    return 'It needs a session of its own. Send it with curl.';
  const header = steps.flatMap(({ headers }) => Object.keys(headers)).find((name) => browserHeaders.test(name));
  if (header !== undefined) return `A browser does not let a page set the header ${header}. Send it with curl.`;
  if (steps.some(({ zeros = 0 }) => zeros > largestBody)) return 'Its body is too large for a page. Send it with curl.';
  if (steps.some(({ method }) => /^(?:TRACE|TRACK|CONNECT)$/i.test(method)))
    return 'No page may use this method. Send it with curl.';
  return undefined;
};

/** Whether a request may change the repository. */
export const isChanging = ({ steps }: CoverageRequest): boolean =>
  steps.some(({ method }) => !['GET', 'HEAD', 'OPTIONS'].includes(method));

/**
 * Sends all steps and returns the answer to the last one. A step keeps values of its answer for those that follow. Throws an
 * `Error` when a step needs a value that no answer had.
 */
export const sendSteps = async <Answer extends StepAnswer>(
  steps: readonly CoverageStep[],
  send: (step: PreparedStep) => Promise<Answer>,
): Promise<Answer> => {
  const kept = new Map<string, string | undefined>();
  let last: Answer | undefined;
  for (const step of steps) {
    last = await send(prepared(step, kept));
    for (const [variable, pointer] of Object.entries(step.keeps ?? {})) kept.set(variable, valueAt(last, pointer));
  }
  if (last === undefined) throw new Error('There is no step to send.');
  return last;
};

/** Writes the kept values in place of `{{variable}}`. */
const prepared = (step: CoverageStep, kept: ReadonlyMap<string, string | undefined>): PreparedStep => {
  const filled = (text: string): string =>
    text.replace(/\{\{(\w+)\}\}/g, (whole, variable: string) => {
      if (!kept.has(variable)) return whole;
      const value = kept.get(variable);
      if (value === undefined) throw new Error(`An earlier response has no “${variable}”, which ${step.path} needs.`);
      return value;
    });
  const { method, path, headers, zeros } = step;
  const body = zeros === undefined ? step.body : '\0'.repeat(zeros);
  return {
    method,
    path: filled(path),
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, filled(value)])),
    ...(body === undefined ? {} : { body: zeros === undefined ? filled(body) : body }),
  };
};

/** What a JSON pointer (RFC 6901) leads to in the answer, as text. Undefined when it leads to nothing. */
const valueAt = ({ text }: StepAnswer, pointer: string): string | undefined => {
  try {
    let value: unknown = JSON.parse(text ?? '');
    for (const name of pointer.split('/').slice(1)) {
      value = (Object(value) as Readonly<Record<string, unknown>>)[name.replaceAll('~1', '/').replaceAll('~0', '~')];
    }
    return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
  } catch {
    return undefined;
  }
};
