/** `atoll verify` against a site that makes derivatives of uploads by itself: it judges its own media alone, and leaves nothing. */
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { type Atoll, startAtoll } from '../../src/cli/entries/atoll.ts';
import { derivativeSources } from '../../src/checks/verify/derivative-sources.ts';
import { findingsIn, lineOf, verified, type VerifyOptions } from './verified.ts';

// Two whole runs of the checks, which a loaded machine takes long for.
jest.setTimeout(120_000);

const originalFile = 3;
const fits = 910;
let atoll: Atoll;

beforeAll(async () => {
  atoll = await startAtoll({ site: 'starter-site' });
});
afterAll(() => atoll.close());

const json = async (path: string): Promise<unknown> => (await fetch(`${atoll.url}${path}`)).json();

/** What the target holds, by type, once nothing follows any more. */
const held = async (): Promise<readonly number[]> => {
  await json('/_atoll/reactions?settled=true');
  const types = ['node', 'media', 'file', 'taxonomy_term'];
  return Promise.all(
    types.map(async (type) => ((await json(`/_atoll/entities?type=${type}`)) as { total: number }).total), // as documented
  );
};

/** The site asks for FITS of every original file. */
const derivativesAsked = async (): Promise<number> =>
  ((await json('/_atoll/events?queue=islandora-connector-fits')) as { total: number }).total; // as documented

/** The findings of a run, and how many derivatives it has made the site ask for. */
const run = async (
  options: VerifyOptions,
): Promise<{ readonly findings: readonly string[]; readonly asked: number }> => {
  const before = await derivativesAsked();
  const result = await verified(atoll.url, { site: 'starter-site', ...options });
  expect(result.removal?.left).toEqual([]);
  expect(result.counts.passed).toBeGreaterThan(10);
  return { findings: findingsIn(result).map(lineOf), asked: (await derivativesAsked()) - before };
};

const only = ['sequence.*', 'replace.*', 'delete.media.*', 'upload-body.*', 'upload.*'];

describe('A run against a site that makes derivatives', () => {
  it('makes it make none, and leaves nothing', async () => {
    const before = await held();
    expect(await run({ only })).toEqual({ findings: [], asked: 0 });
    expect(await held()).toEqual(before);
  });

  it('judges its own media alone and removes the derivatives, where the named use has some', async () => {
    const before = await held();
    const { findings, asked } = await run({ only, useTerm: originalFile });
    expect(findings).toEqual([]);
    expect(asked).toBeGreaterThan(10);
    expect(await held()).toEqual(before);
  });
});

describe('A run against a site that links media of some uses alone', () => {
  // Probes are answered by an Atoll of the same site, so that they need no such rule.
  const links = ['sees.*.links-to-media'];
  const outcomes = async (options: VerifyOptions): Promise<ReadonlySet<string>> => {
    const { results } = await verified(atoll.url, { site: 'starter-site', only: links, ...options });
    return new Set(
      results
        .filter(({ check }) => /links/.test(check.name))
        .map(lineOf)
        .map(withoutName),
    );
  };
  const withoutName = (line: string): string => line.replace(/^\S+: ?/, '');

  it('uses one of those', async () => {
    expect(await outcomes({})).toEqual(new Set(['']));
  });

  it('passes over the links of another one that is named', async () => {
    expect(await outcomes({ useTerm: fits })).toEqual(new Set(['The site links no media of this use.']));
  });
});

describe('The uses that a site makes derivatives of', () => {
  const original = 'http://pcdm.org/use#OriginalFile';
  const image = 'http://example.com/image';

  it.each([
    ['none of an Atoll without the section', {}, false, []],
    ['the usual one of a real site of unknown configuration', {}, true, [original]],
    ['those of the actions', { derivatives: { actions: { a: { source_term_uri: image }, b: {} } } }, true, [image]],
    ['none of a real site that is known to make none', { derivatives: {} }, true, []],
  ])('are %s', (_name, living, isDrupal, expected) => {
    expect(derivativeSources({ living }, isDrupal)).toEqual(expected);
  });
});
