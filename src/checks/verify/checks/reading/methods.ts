/** Checks the methods of each path: those that it lacks are 405 with `Allow`, and OPTIONS names them. */
import { methods, operationsOf, type Operation } from '../../../../repository/repository-engine.ts';
import type { TargetContract } from '../../../target/contract-source.ts';
import { expectRefusal, expectStatus, expectThat, shown, type Answer } from '../../answer.ts';
import type { Check, CheckContext } from '../../check.ts';
import { isBeyondContract } from '../../beyond-contract.ts';
import { addressOf } from './addresses.ts';
import { referenceRule, adviceRule, checksThatRead, checksThatWrite, type Rule } from '../../rule.ts';

type DocumentedPath = {
  readonly path: string;
  readonly operations: readonly Operation[];
  readonly allowed: readonly string[];
  /** Whether no operation of it is one of the contract. */
  readonly isBeyond: boolean;
};

const pathsOf = ({ document }: TargetContract): readonly DocumentedPath[] => {
  const byPath = new Map<string, Operation[]>();
  for (const operation of operationsOf(document)) {
    byPath.set(operation.path, [...(byPath.get(operation.path) ?? []), operation]);
  }
  return [...byPath].map(([path, operations]) => {
    const own = operations.map(({ method }) => method as string);
    const allowed = [...new Set([...own, ...(own.includes('GET') ? ['HEAD'] : [])])].sort();
    return {
      path,
      operations,
      allowed,
      isBeyond: operations.every((operation) => isBeyondContract(document, operation)),
    };
  });
};

export const methodChecks = (contract: TargetContract): readonly Check[] =>
  pathsOf(contract).flatMap((path, at) => [
    ...checksThatRead(path.isBeyond && at % 2 === 1 ? [] : [options(path)]),
    ...methods
      .filter((method) => !path.allowed.includes(method))
      // What is beyond the contract shares them: each such path lacks every third of its methods, and always one.
      .filter((_, row) => !path.isBeyond || (row + at) % 3 === 0)
      .flatMap((method) => lacking(path, method)),
    ...(path.path === '/node/{node_id}' ? [...lacking(path, 'TRACE'), ...lacking(path, 'MKCOL')] : []),
  ]);

/** `/node/{node_id}` as a part of a name: `node._.linkset`. */
const nameOf = (path: string): string =>
  path
    .slice(1)
    .replace(/\{[^}]*\}/g, '_')
    .replaceAll('/', '.');

/** An address of the path at which nothing is, so that no request can change anything. */
const absentAddress = (context: CheckContext, [operation]: readonly Operation[]): string => {
  if (operation === undefined) return '/';
  const replaced = operation.pathParameters.map(({ name, isId }) => [
    name,
    isId ? String(context.subjects.absentId) : 'x1',
  ]);
  return addressOf(context, { ...operation, queryNames: [] }, Object.fromEntries(replaced) as Record<string, string>);
};

/** The methods that `Allow` names. Throws unless these are among them. */
const expectAllowed = (answer: Answer, allowed: readonly string[]): readonly string[] => {
  const named = answer.headers('allow').flatMap((line) => line.split(',').map((name) => name.trim()));
  const absent = allowed.filter((name) => !named.includes(name));
  expectThat(absent.length === 0, `Allow is ${shown(named.join(', '))} and lacks ${absent.join(', ')}.`);
  return named;
};

const options = ({ path, operations, allowed }: DocumentedPath): Rule =>
  referenceRule(`options.${nameOf(path)}`, 'a real site')(
    `OPTIONS ${path} answers 200 without a body, and Allow names ${allowed.join(', ')}.`,
    async (context) => {
      const answer = await context.ask({
        method: 'OPTIONS',
        path: absentAddress(context, operations),
        isJudged: false,
      });
      expectStatus(answer, 200, 204);
      expectThat(answer.exchange.reply.body.bytes === 0, 'The answer has a body.');
      expectAllowed(
        answer,
        allowed.filter((method) => method !== 'HEAD'),
      );
    },
    { also: operations.slice(0, 1).map(({ id }) => id) },
  );

const safe: ReadonlySet<string> = new Set(['GET', 'HEAD']);

/** A real site shows a form at the address of a record, which takes POST. */
const hasForm = (operations: readonly Operation[], method: string): boolean =>
  method === 'POST' && operations.some(({ hasHtmlPage }) => hasHtmlPage);

/** A server that takes the method by mistake would do something, so that all but GET and HEAD count as writing. */
const lacking = ({ path, operations, allowed }: DocumentedPath, method: string): readonly Check[] => {
  const name = `method.${nameOf(path)}.${method.toLowerCase()}`;
  const row = hasForm(operations, method)
    ? adviceRule(name, 'docs/use/differences.md: `Allow`')
    : referenceRule(name, 'RFC 9110 §15.5.6; a real site');
  const rule = row(`${method} ${path} is 405, and Allow names the methods that there are.`, async (context) => {
    const answer = await context.ask({ method, path: absentAddress(context, operations), isJudged: false });
    if (method === 'HEAD') expectStatus(answer, 405);
    else expectRefusal(answer, 405);
    const named = expectAllowed(answer, allowed);
    expectThat(!named.includes(method), `Allow names ${method}, which is refused.`);
  });
  const room = { operations: operations.slice(0, 1).map(({ id }) => id) };
  return safe.has(method) ? checksThatRead([rule], room) : checksThatWrite([rule], room);
};
