/** Turns requests that the coverage has found into arguments of `try_request`. They name accounts and hold no passwords. */
import type { CoverageRequest } from '../../exchange/worlds/controlled-world.ts';
import { shownText } from '../../exchange/redaction/secrets.ts';
import type { TrialStep } from './rehearsal.ts';
import { requestMethods, withJson, type Trial } from './trial.ts';

type Step = CoverageRequest['steps'][number];

/** To be sent. A login keeps its password. */
export const trialsOf = (steps: readonly Step[]): readonly TrialStep[] =>
  steps.map((step) => ({ trial: trialOf(step), keeps: step.keeps }));

/** To be shown. */
export const shownTrials = (steps: readonly Step[]): readonly Trial[] =>
  steps.map((step) => trialOf(step.body === undefined ? step : { ...step, body: shownText(step.body, undefined) }));

const trialOf = ({ method, path, headers, body, zeros }: Step): Trial => {
  const { Authorization: authorization, ...others } = headers;
  const account = basicName(authorization);
  const sent = authorization === undefined || account !== undefined ? others : headers;
  const trial: Trial = {
    method: requestMethods.find((each) => each === method) ?? 'GET',
    path,
    ...(account === undefined ? {} : { account }),
    ...(Object.keys(sent).length === 0 ? {} : { headers: sent }),
  };
  if (zeros !== undefined) return { ...trial, body: `(${zeros} bytes)` };
  return body === undefined ? trial : withBody(trial, body);
};

const withBody = (trial: Trial, body: string): Trial => {
  try {
    if (trial.headers?.['Content-Type'] === 'application/json') return withJson(trial, JSON.parse(body));
  } catch {
    // It is meant to be no JSON.
  }
  return { ...trial, body };
};

const basicName = (authorization: string | undefined): string | undefined => {
  const encoded = /^Basic (.*)$/.exec(authorization ?? '')?.[1];
  return encoded === undefined ? undefined : Buffer.from(encoded, 'base64').toString().split(':', 1)[0];
};
