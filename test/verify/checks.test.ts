/** The checks of `atoll verify` as a list: names, sentences, operations. Whether they find anything is `mutants.suite.ts`. */
import { beforeAll, describe, expect, it } from '@jest/globals';
import { createBackend } from '../../src/repository/repository-engine.ts';
import { allChecks } from '../../src/checks/verify/checks/all-checks.ts';
import { dealt } from '../../src/checks/verify/dealt.ts';
import type { Check } from '../../src/checks/verify/check.ts';
import { unknownDifferences } from '../differences/deliberate-differences.ts';
import { openTarget, type OpenedTarget } from './verified.ts';

describe.each([
  ['the built-in site', undefined],
  ['the starter site', 'starter-site'],
])('the checks of %s', (_words, site) => {
  let contract: OpenedTarget['contract'];
  let checks: readonly Check[];
  beforeAll(async () => {
    ({ contract } = await openTarget('http://localhost', undefined, site));
    checks = allChecks(contract);
  });

  it('have names of their own', () => {
    const names = checks.map(({ name }) => name);
    const repeated = names.filter((name, index) => names.indexOf(name) !== index);
    expect(repeated).toEqual([]);
  });

  it('have names without spaces, in parts', () => {
    expect(checks.map(({ name }) => name).filter((name) => !/^[\w-]+(\.[\w-]+)+$/.test(name))).toEqual([]);
  });

  it('say their rules in sentences', () => {
    const odd = checks.filter(({ rule }) => !/^\S.*[.)]$/s.test(rule) || rule.includes('undefined'));
    expect(odd.map(({ name, rule }) => `${name}: ${rule}`)).toEqual([]);
  });

  it('say where their rules come from', () => {
    expect(checks.filter(({ source }) => source.trim() === '').map(({ name }) => name)).toEqual([]);
  });

  it('name differences that the page has', async () => {
    expect(await unknownDifferences([...new Set(checks.map(({ source }) => source))])).toEqual([]);
  });

  it('are about operations of the document, with few exceptions', () => {
    const known = new Set(createBackend(contract.document, []).operations.map(({ id }) => id));
    const unknown = new Set(checks.flatMap(({ operations }) => operations.filter((id) => !known.has(id))));
    // The sites of the package offer everything; what else is named here is misspelt.
    expect([...unknown].filter((id) => !['getMediaByEditPath'].includes(id) && site === undefined)).toEqual([]);
  });

  it('meet each operation that writes', () => {
    const writes = createBackend(contract.document, []).operations.filter(
      ({ method }) => !['GET', 'HEAD'].includes(method),
    );
    const met = new Set(checks.flatMap(({ operations }) => operations));
    expect(writes.map(({ id }) => id).filter((id) => !met.has(id))).toEqual([]);
  });

  it('meet each operation that reads', () => {
    const reads = createBackend(contract.document, []).operations.filter(({ method }) =>
      ['GET', 'HEAD'].includes(method),
    );
    const met = new Set(checks.flatMap(({ operations }) => operations));
    // An alias and a redirect have no links to be found by; the content of files has no operation of one name.
    const unseen = ['PathAlias', 'Redirect'];
    const missed = reads.map(({ id }) => id).filter((id) => !met.has(id));
    expect(missed.filter((id) => !unseen.some((name) => id === `get${name}` || id === `head${name}`))).toEqual([]);
  });

  it('change nothing where they say that they only read', () => {
    const writing = checks.filter(({ name }) => /^(create|patch|delete|upload|replace)\./.test(name));
    expect(writing.filter(({ isWriting }) => !isWriting).map(({ name }) => name)).toEqual([]);
  });
});

it('rows are dealt out so that the first subject has all, and the others have each of them once', () => {
  const rows = ['a', 'b', 'c', 'd', 'e'];
  const shares = [0, 1, 2, 3].map((at) => dealt(rows, at, 4));
  expect(shares).toEqual([rows, ['a', 'd'], ['b', 'e'], ['c']]);
  expect(dealt(rows, 1, 2)).toEqual(rows);
});
