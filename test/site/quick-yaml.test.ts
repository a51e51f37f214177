/** The quick reader of YAML reads what the slower library reads, or leaves it to that one. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { parse } from 'yaml';
import { parseQuickly } from '../../src/basics/yaml/quick-yaml.ts';

const data = fileURLToPath(new URL('../../data', import.meta.url));

describe('The quick reader of YAML', () => {
  it.each(['site', 'sites/starter-site'])('reads each file of %s as the slower library does', async (site) => {
    const names = (await readdir(join(data, site), { recursive: true })).filter((name) => name.endsWith('.yml'));
    expect(names.length).toBeGreaterThan(20);
    for (const name of names) {
      const text = await readFile(join(data, site, name), 'utf8');
      expect({ name, ...(await parseQuickly(text)) }).toEqual({ name, value: parse(text) as unknown });
    }
  });

  it.each([
    ...[
      '1_000',
      '0b11',
      '0o17',
      '0x1F',
      '-0x1F',
      '012',
      '+12',
      '-.5',
      '.5',
      '1.',
      '1e3',
      '1E-3',
      '-1.5e+3',
      '_1',
      '1__0',
    ],
    ...[
      '.inf',
      '-.INF',
      '+.Inf',
      '.nan',
      '-.nan',
      '~',
      'null',
      'Null',
      'nULL',
      'true',
      'True',
      'tRUE',
      'yes',
      'off',
      'y',
    ],
    ...[
      '2019-03-01',
      '12:30:45',
      '<<',
      '=',
      'a&b',
      'a & b',
      'a * b',
      '50 %',
      "'1'",
      '"\\u00e9"',
      '12345678901234567890',
    ],
  ])('reads the value %s alike', async (value) => {
    const text = `key: ${value}\nlist:\n  - ${value}\nflow: [${value}]\nmap: { is${value}: key }\n`;
    expect(await parseQuickly(text)).toEqual({ value: parse(text) as unknown });
  });

  it.each([
    ...[
      'a: &x 1\nb: *x',
      'a: [&x 1, *x]',
      '&x\na: 1',
      '- &x [1]\n- *x',
      'a: !!str 1',
      'a: ! 1',
      'a:\n  !foo bar',
      '{a: !x 1}',
    ],
    ...[
      '%YAML 1.1\n---\na: yes',
      'a: 1\na: 2',
      'a: [',
      'a: 1\n---\nb: 2',
      '"a":*x',
      '? &x a\n: 1',
      '~: 1',
      'a: { null : 1 }',
      ': 1',
      'a: {:}',
      'a: {~}',
      'a: {b: 1, null}',
    ],
    ...['a: {{}}', 'a: {[b]}', '{}: 1', '[b, c]: 1', 'a: {b: 1, {c: 1}: 2}', 'a: [[b]: 1]', '? {a: 1}\n: 2'],
  ])('leaves %j to the slower library', async (text) => {
    expect(await parseQuickly(text)).toBeUndefined();
  });

  it('reads any plain value alike, or leaves it', async () => {
    const value = fc.stringMatching(/^[-+._0-9a-fxobeEinIN~:,[\]{}'"# ]{1,12}$/);
    await fc.assert(
      fc.asyncProperty(value, async (written) => {
        const text = `key: ${written}\n`;
        const quick = await parseQuickly(text);
        let slow: unknown;
        try {
          slow = parse(text);
        } catch {
          return; // Some texts are valid for one library only.
        }
        if (quick !== undefined) expect(quick.value).toEqual(slow);
      }),
      { numRuns: 2000 },
    );
  });
});
