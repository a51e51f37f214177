/** What the mutants of a source file are, and that each is put where it belongs. */
import { describe, expect, it } from '@jest/globals';
import { changed, changesOf } from './changes.mjs';

const mutantsOf = (text: string): readonly string[] => changesOf(text, 'a.ts').map((change) => changed(text, change));

describe('the mutants of a source file', () => {
  it.each<[string, readonly string[]]>([
    ['a && b;', ['a || b;']],
    ['a === b;', ['a !== b;']],
    ['a < b;', ['a <= b;']],
    ['a - b;', ['a + b;']],
    ['a ?? b;', ['a;', '(b);']],
    ["a + 'x';", ["a + '';"]],
    ['x = 1;', [';', 'x = (1 + 1);']],
    ['const x = true;', ['const x = false;']],
    ['if (a) b;', ['if (!(a)) b;', 'if (false) b;']],
    ['const x = a ? b : c;', ['const x = !(a) ? b : c;', 'const x = false ? b : c;']],
    ['await write(a);', [';']],
    ['const x = write(a, b);', ['const x = write(a);']],
    ['const x = a.filter(b);', ['const x = a;']],
    ['const x = a.some(b);', ['const x = a.every(b);']],
    ['const x = { ...a };', ['const x = { ...{} };']],
    ['const x = [...a];', ['const x = [...[]];']],
    ['const x = /^a$/i;', ['const x = /a$/i;', 'const x = /^a/i;', 'const x = /^a$/;']],
  ])('%s', (text, mutants) => {
    expect(mutantsOf(text)).toEqual(mutants);
  });

  it.each([
    "import { a } from 'a';",
    "export { a } from 'a';",
    "type A = 'a' | { b: true };",
    "const x = { 'a': b };",
    "throw new Error('a');",
    "const x = import('a');",
  ])('%s has none', (text) => {
    expect(mutantsOf(text)).toEqual([]);
  });

  it('names the line', () => {
    expect(changesOf('a;\n\nb && c;\n', 'a.ts')).toMatchObject([{ line: 3, original: '&&', replacement: '||' }]);
  });
});
