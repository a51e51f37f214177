/** Which template a path matches, in each spelling, and what the pieces of its parameters are. */
import { describe, expect, it } from '@jest/globals';
import { allowedMethods, createOperationRouter } from '../../src/openapi/openapi-terms.ts';
import { createRouter, type Spelling } from '../../src/openapi/router.ts';

/** The templates are their own values. Those that end with `**` take the rest of the path. */
const foundBy = (templates: readonly string[], spelling?: Spelling) => {
  const { match } = createRouter(
    templates.map((written) => {
      const path = written.replace(/\*\*$/, '');
      return { path, value: path, takesRest: path !== written };
    }),
    spelling,
  );
  return (path: string): unknown => {
    const found = match(path);
    return found && [found.value, ...Object.values(found.pieces)];
  };
};

type Row = readonly [path: string, wanted: readonly string[] | undefined];
const none = (path: string): Row => [path, undefined];

describe('A router', () => {
  const find = foundBy([
    '/',
    '/a/b/c',
    '/a/{x}/d',
    '/{y}/b/e',
    '/p%20q',
    '/r+{s}.(t)',
    '/rest/{all}**',
    '/rest/fixed/{x}',
  ]);

  it.each([
    ['/a/b/c', ['/a/b/c']],
    ['/a/b/d', ['/a/{x}/d', 'b']],
    ['/a/b/e', ['/{y}/b/e', 'a']],
    ['/a/b/f', undefined],
    ['/rest/fixed/1', ['/rest/fixed/{x}', '1']],
    ['/rest/fixed/1/2', ['/rest/{all}', 'fixed/1/2']],
  ])('goes back where fixed text leads nowhere: %s', (path, wanted) => {
    expect(find(path)).toEqual(wanted);
  });

  it.each([
    ['/rest/1', ['/rest/{all}', '1']],
    ['/rest/1/', ['/rest/{all}', '1/']],
    ['/rest/1//2', ['/rest/{all}', '1//2']],
    ['/rest/1%2F2/%', ['/rest/{all}', '1%2F2/%']],
    ['/rest', undefined],
    ['/rest/', undefined],
    ['/rest//1', undefined],
  ])('gives a parameter the rest of %s as it was sent', (path, wanted) => {
    expect(find(path)).toEqual(wanted);
  });

  it.each(['', '*', 'a/b/c', 'http:/a/b/c', '//', '/a//c', '/a//d'])('finds nothing at %j', (path) => {
    expect(find(path)).toBeUndefined();
  });

  it.each([
    ['/%61/b/c', ['/a/b/c']],
    ['/p q', ['/p%20q']],
    ['/r+1.(t)', ['/r+{s}.(t)', '1']],
    ['/r%2b1%2E(t)', ['/r+{s}.(t)', '1']],
    ['/A/b/c', undefined],
    ['/a/b/c/', undefined],
  ])('takes fixed text in any form, and a slash at the end for a segment: %s', (path, wanted) => {
    expect(find(path)).toEqual(wanted);
  });

  it('takes the first of two templates that match the same paths', () => {
    expect(foundBy(['/x/{a}', '/x/{b}'])('/x/1')).toEqual(['/x/{a}', '1']);
  });
});

describe('A router of exact paths', () => {
  const find = foundBy(['/a/b', '/p%20q', '/r+{s}.(t)', '/u/{v}', '/rest/{all}**'], { isExact: true });

  it.each<Row>([
    ['/a/b', ['/a/b']],
    ['/p%20q', ['/p%20q']],
    ['/r+1.(t)', ['/r+{s}.(t)', '1']],
    ['/u/%76', ['/u/{v}', '%76']],
    ['/rest/%2F/%', ['/rest/{all}', '%2F/%']],
    ...['/%61/b', '/a%2fb', '/p q', '/r%2b1.(t)', '/r+1x(t)', '/a/b/', '/u/1/'].map(none),
  ])('takes fixed text as it is written alone: %s', (path, wanted) => {
    expect(find(path)).toEqual(wanted);
  });
});

describe('A router that ignores a slash at the end', () => {
  const find = foundBy(['/a/b', '/a/c/', '/u/{v}', '/rest/{all}**'], { ignoresLastSlash: true });

  it.each<Row>([
    ['/a/b/', ['/a/b']],
    ['/a/c/', ['/a/c/']],
    ['/u/1/', ['/u/{v}', '1']],
    ['/rest/1/', ['/rest/{all}', '1/']],
    ...['/', '/a/', '/a/b//', '/a//b', '/u/', '/u//', '/rest/', '/a/c'].map(none),
  ])('ignores one, and no other empty segment: %s', (path, wanted) => {
    expect(find(path)).toEqual(wanted);
  });
});

describe('The operations of a path', () => {
  it('are those of all templates with its shape', () => {
    const operations = [
      { path: '/x/{a}', method: 'GET' },
      { path: '/x/{b}', method: 'PUT' },
      { path: '/x', method: 'POST' },
    ] as const;
    const { match } = createOperationRouter(operations, (operation) => operation);
    const found = match('/x/1');
    expect(found && [...found.value]).toEqual([
      ['GET', operations[0]],
      ['PUT', operations[1]],
    ]);
    expect(found?.pieces).toEqual({ a: '1' });
  });

  it.each([
    [['PUT', 'GET'], [], ['GET', 'HEAD', 'PUT']],
    [['POST'], [], ['POST']],
    [['HEAD', 'GET'], ['OPTIONS'], ['GET', 'HEAD', 'OPTIONS']],
    [['OPTIONS'], ['OPTIONS'], ['OPTIONS']],
  ])('of %j, and %j, are allowed as %j', (documented, also, wanted) => {
    expect(allowedMethods(documented, also)).toEqual(wanted);
  });
});
