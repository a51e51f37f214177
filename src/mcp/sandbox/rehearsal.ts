/** Sends requests to a copy of a world that nobody else sees, to learn what they would be answered. */
import { withVariables, valueOfPointer } from '../../contract/requests/request-step.ts';
import { forkWorld, type WorldCommands } from '../../exchange/worlds/controlled-world.ts';
import { pageHeader } from '../../exchange/recorded-exchange.ts';
import { accountsOf, anonymousName } from '../session/accounts.ts';
import { refuseRemote } from '../session/loopback-rule.ts';
import type { Call } from '../session/session.ts';
import { sendTrial, type Trial, type TrialAnswer } from './trial.ts';

/** After so many seconds a copy goes by itself. */
const copySeconds = 60;

/** Runs `use` in a copy of a world, which is dropped afterwards. */
const inCopy = async <T>(call: Call, world: WorldCommands, use: (copy: WorldCommands) => Promise<T>): Promise<T> => {
  const connection = { fetch: call.fetch, headers: call.headers, passwordOf: () => '' };
  const copy = await forkWorld(connection, call.server.url, { from: world.name, ttl: copySeconds });
  try {
    refuseRemote(copy.url, call.options);
    return await use(copy);
  } finally {
    // A cancelled call can send nothing more. The copy then goes by itself.
    await copy.drop().catch(() => undefined);
  }
};

/** A trial, with what later ones need of its answer: JSON pointers by the names of variables. */
export type TrialStep = { readonly trial: Trial; readonly keeps?: Readonly<Record<string, string>> | undefined };

/** The answer to the last of several trials. `{{name}}` in a path, a header or a body stands for a variable. */
export const rehearse = async (
  call: Call,
  world: WorldCommands,
  steps: readonly TrialStep[],
): Promise<TrialAnswer | undefined> =>
  inCopy(call, world, async (copy) => {
    const variables = new Map<string, string>();
    const cookies = new Map<string, string>();
    let answer: TrialAnswer | undefined;
    for (const { trial, keeps = {} } of steps) {
      const filled = withCookies(filledIn(trial, variables), cookies);
      answer = await sendTrial(call, copy, filled, { sessions: new Map(), marks: { [pageHeader]: 'mcp' } });
      for (const [name, pointer] of Object.entries(keeps))
        variables.set(name, valueOfPointer(answer.bytes.toString(), pointer));
      for (const line of answer.headers.getSetCookie()) {
        const [name = '', value = ''] = (line.split(';', 1)[0] ?? '').split(/=(.*)/s);
        cookies.set(name, value);
      }
    }
    return answer;
  });

const withCookies = (trial: Trial, cookies: ReadonlyMap<string, string>): Trial =>
  cookies.size === 0
    ? trial
    : { ...trial, headers: { ...trial.headers, Cookie: [...cookies].map((pair) => pair.join('=')).join('; ') } };

const filledIn = (trial: Trial, variables: ReadonlyMap<string, string>): Trial =>
  variables.size === 0 ? trial : (JSON.parse(withVariables(JSON.stringify(trial), variables)) as Trial); // the same with other texts

export type Permission = { readonly account: string; readonly status: number };

/** What each account would be answered, the least powerful first: that with the fewest roles. */
export const permissionsOf = async (
  call: Call,
  world: WorldCommands,
  steps: readonly TrialStep[],
): Promise<readonly Permission[]> => {
  const known = (await accountsOf(call, world)).filter(({ password, blocked }) => password !== undefined && !blocked);
  const byPower = known.toSorted((a, b) => powerOf(a.roles) - powerOf(b.roles));
  const permissions: Permission[] = [];
  for (const account of [anonymousName, ...byPower.map(({ name }) => name)]) {
    const answer = await rehearse(
      call,
      world,
      steps.map(({ trial, keeps }) => ({ trial: { ...trial, account }, keeps })),
    );
    if (answer !== undefined) permissions.push({ account, status: answer.status });
  }
  return permissions;
};

/** An administrator comes last. */
const powerOf = (roles: readonly string[]): number => (roles.some((role) => /admin/.test(role)) ? 100 : roles.length);
