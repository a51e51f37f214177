/** Sends requests to a copy of a world that nobody else sees, to learn what they would be answered. */
import { createStepVariables } from '../../contract/contract.ts';
import { readBasic } from '../../basics/formats/basic-credentials.ts';
import { ownRequestHeader, shownText } from '../../exchange/exchange.ts';
import type { CoverageRequest, WorldCommands } from '../../exchange/exchange-worlds.ts';
import { accountsOf, anonymousName } from '../session/accounts.ts';
import { type Call, refuseRemote } from '../session/session.ts';
import {
  type Permission,
  requestMethods,
  type SandboxAnswer,
  type SandboxRequest,
  sendRequest,
  withJson,
} from './sandbox-request.ts';

/** Turns requests that the coverage has found into arguments of `try_request`. They name accounts and hold no passwords. */
type Step = CoverageRequest['steps'][number];

/** To be sent. A login keeps its password. */
export const requestsOf = (steps: readonly Step[]): readonly SandboxStep[] =>
  steps.map((step) => ({ request: requestOf(step), keeps: step.keeps }));

/** To be shown. */
export const shownRequests = (steps: readonly Step[]): readonly SandboxRequest[] =>
  steps.map((step) => requestOf(step.body === undefined ? step : { ...step, body: shownText(step.body) }));

const requestOf = ({ method, path, headers, body, zeros }: Step): SandboxRequest => {
  const { Authorization: authorization, ...others } = headers;
  const account = readBasic(authorization)?.name;
  const sent = authorization === undefined || account !== undefined ? others : headers;
  const request: SandboxRequest = {
    method: requestMethods.find((each) => each === method) ?? 'GET',
    path,
    account,
    ...(Object.keys(sent).length === 0 ? {} : { headers: sent }),
  };
  if (zeros !== undefined) return { ...request, body: `(${zeros} bytes)` };
  return body === undefined ? request : withBody(request, body);
};

const withBody = (request: SandboxRequest, body: string): SandboxRequest => {
  try {
    if (request.headers?.['Content-Type'] === 'application/json') return withJson(request, JSON.parse(body));
  } catch {
    // It is meant to be no JSON.
  }
  return { ...request, body };
};

/** After so many seconds a copy goes by itself. */
const copySeconds = 60;

/** Runs `use` in a copy of a world, which is dropped afterwards. */
const inCopy = async <T>(call: Call, world: WorldCommands, use: (copy: WorldCommands) => Promise<T>): Promise<T> => {
  const copy = await call.server.world({ from: world.name, ttl: copySeconds });
  try {
    refuseRemote(copy.url, call.options);
    return await use(copy);
  } finally {
    // A cancelled call can send nothing more. The copy then goes by itself.
    await copy.drop().catch(() => undefined);
  }
};

/** A request, with what later ones need of its answer: JSON pointers by the names of variables. */
type SandboxStep = { readonly request: SandboxRequest; readonly keeps?: Readonly<Record<string, string>> | undefined };

/** The answer to the last of several requests. `{{name}}` in a path, a header or a body stands for a variable. */
export const dryRun = async (
  call: Call,
  world: WorldCommands,
  steps: readonly SandboxStep[],
): Promise<SandboxAnswer | undefined> =>
  inCopy(call, world, async (copy) => {
    const variables = createStepVariables();
    const cookies = new Map<string, string>();
    let answer: SandboxAnswer | undefined;
    for (const { request, keeps } of steps) {
      // The same with other texts.
      const filled = JSON.parse(variables.fill(JSON.stringify(request))) as SandboxRequest;
      answer = await sendRequest(call, copy, withCookies(filled, cookies), {
        sessions: new Map(),
        marks: { [ownRequestHeader]: 'mcp' },
      });
      variables.keep(answer.bytes.toString(), keeps);
      for (const line of answer.headers.getSetCookie()) {
        const [name = '', value = ''] = (line.split(';', 1)[0] ?? '').split(/=(.*)/s);
        cookies.set(name, value);
      }
    }
    return answer;
  });

const withCookies = (request: SandboxRequest, cookies: ReadonlyMap<string, string>): SandboxRequest =>
  cookies.size === 0
    ? request
    : { ...request, headers: { ...request.headers, Cookie: [...cookies].map((pair) => pair.join('=')).join('; ') } };

/** What each account would be answered, the least powerful first: that with the fewest roles. */
export const permissionsOf = async (
  call: Call,
  world: WorldCommands,
  steps: readonly SandboxStep[],
): Promise<readonly Permission[]> => {
  const known = (await accountsOf(call, world)).filter(({ password, blocked }) => password !== undefined && !blocked);
  const byPower = known.toSorted((a, b) => powerOf(a.roles) - powerOf(b.roles));
  const permissions: Permission[] = [];
  for (const account of [anonymousName, ...byPower.map(({ name }) => name)]) {
    const answer = await dryRun(
      call,
      world,
      steps.map(({ request, keeps }) => ({ request: { ...request, account }, keeps })),
    );
    if (answer !== undefined) permissions.push({ account, status: answer.status });
  }
  return permissions;
};

/** An administrator comes last. */
const powerOf = (roles: readonly string[]): number => (roles.some((role) => /admin/.test(role)) ? 100 : roles.length);
