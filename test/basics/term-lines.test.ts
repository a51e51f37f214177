/** The terms of a vocabulary's file, read line by line as JSON. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { readTermLines } from '../../src/basics/yaml/term-lines.ts';

const data = fileURLToPath(new URL('../../data', import.meta.url));

describe('Lines of terms', () => {
  it.each(['site', 'sites/starter-site'])('are in each file of %s what the YAML library reads', async (site) => {
    const names = (await readdir(join(data, site), { recursive: true })).filter((name) => name.endsWith('.yml'));
    expect(names.length).toBeGreaterThan(20);
    for (const name of names) {
      const text = await readFile(join(data, site, name), 'utf8');
      const found = readTermLines(text);
      const whole = parse(text) as { readonly terms?: readonly object[] };
      const value = found === undefined ? whole : { ...(parse(found.rest) as object), [found.key]: found.elements };
      expect({ name, value }).toEqual({ name, value: whole });
      for (const [index, line] of (found?.lines ?? []).entries()) {
        expect(text.split('\n')[line - 1]).toContain(JSON.stringify(Object.values(whole.terms?.[index] ?? {})[0]));
      }
    }
  });

  it.each(['title: no terms\n', 'a: 1\nterms:\n  - { "tid": 1 }\n  - name: one\n', 'a: 1\nterms:\n'])(
    'leave %j to the YAML library',
    (text) => {
      expect(readTermLines(text)).toBeUndefined();
    },
  );
});
