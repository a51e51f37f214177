/**
 * Every style of parameters in every place (OpenAPI 3.1.1 §4.8.12.4, its table of examples), with typed members, and what clients
 * write otherwise. The values of the rows are those of the table: `blue`, `[blue, black, brown]` and `{ R: 100, G: 200, B: 150 }`.
 */
import { describe, expect, it } from '@jest/globals';
import { parameterOf } from '../document/described-parameter.ts';
import { type RawParameters, readerOf } from '../../../src/openapi/openapi-parts.ts';
import { schemasOf } from '../schemas/compiled-schemas.ts';

const text = { type: 'string' };
const whole = { type: 'integer' };
const colours = { type: 'array', items: text };
const numbers = { type: 'array', items: whole };
const rgb = { type: 'object', properties: { R: whole, G: whole, B: whole }, additionalProperties: false };

type Written = Readonly<Record<string, unknown>>;

const reading = (written: Written | readonly Written[]) => {
  const schemas = schemasOf();
  const parameters = [written].flat().flatMap((each) => parameterOf(each) ?? []);
  return readerOf(parameters, schemas);
};

const sentAs = (place: unknown, raw: string): RawParameters => ({
  path: place === 'path' ? { color: raw } : {},
  query: place === 'query' ? raw : '',
  headers: place === 'header' && raw !== '' ? { color: raw } : place === 'cookie' ? { cookie: raw } : {},
});

const member = { path: 'path', query: 'query', header: 'headers', cookie: 'cookies' } as const;

const valueIn = (written: Written, raw: string): unknown => {
  const place = written['in'] as keyof typeof member;
  const { values, violations } = reading({ name: 'color', required: place === 'path', ...written })(sentAs(place, raw));
  return violations.length > 0
    ? violations.map(({ pointer, message }) => `${pointer} ${message}`)
    : values[member[place]]['color'];
};

const threeColours = ['blue', 'black', 'brown'];
const mixed = { R: 100, G: 200, B: 150 };

/** Place, style, explode, schema, what is sent, the value. */
const styles: readonly (readonly [string, string, boolean, object, string, unknown])[] = [
  ['path', 'simple', false, text, 'blue', 'blue'],
  ['path', 'simple', true, text, 'blue', 'blue'],
  ['path', 'simple', false, colours, 'blue,black,brown', threeColours],
  ['path', 'simple', true, colours, 'blue,black,brown', threeColours],
  ['path', 'simple', false, rgb, 'R,100,G,200,B,150', mixed],
  ['path', 'simple', true, rgb, 'R=100,G=200,B=150', mixed],
  ['path', 'label', false, text, '.blue', 'blue'],
  ['path', 'label', true, text, '.blue', 'blue'],
  ['path', 'label', false, colours, '.blue,black,brown', threeColours],
  ['path', 'label', true, colours, '.blue.black.brown', threeColours],
  ['path', 'label', false, rgb, '.R,100,G,200,B,150', mixed],
  ['path', 'label', true, rgb, '.R=100.G=200.B=150', mixed],
  ['path', 'matrix', false, text, ';color=blue', 'blue'],
  ['path', 'matrix', true, text, ';color=blue', 'blue'],
  ['path', 'matrix', false, colours, ';color=blue,black,brown', threeColours],
  ['path', 'matrix', true, colours, ';color=blue;color=black;color=brown', threeColours],
  ['path', 'matrix', false, rgb, ';color=R,100,G,200,B,150', mixed],
  ['path', 'matrix', true, rgb, ';R=100;G=200;B=150', mixed],
  ['query', 'form', false, text, 'color=blue', 'blue'],
  ['query', 'form', true, text, 'color=blue', 'blue'],
  ['query', 'form', false, colours, 'color=blue,black,brown', threeColours],
  ['query', 'form', true, colours, 'color=blue&color=black&color=brown', threeColours],
  ['query', 'form', false, rgb, 'color=R,100,G,200,B,150', mixed],
  ['query', 'form', true, rgb, 'R=100&G=200&B=150', mixed],
  ['query', 'spaceDelimited', false, colours, 'color=blue%20black%20brown', threeColours],
  ['query', 'spaceDelimited', false, colours, 'color=blue+black+brown', threeColours],
  ['query', 'spaceDelimited', false, rgb, 'color=R%20100%20G%20200%20B%20150', mixed],
  ['query', 'spaceDelimited', true, colours, 'color=blue&color=black', ['blue', 'black']],
  ['query', 'pipeDelimited', false, colours, 'color=blue|black|brown', threeColours],
  ['query', 'pipeDelimited', false, colours, 'color=blue%7Cblack%7Cbrown', threeColours],
  ['query', 'pipeDelimited', false, rgb, 'color=R|100|G|200|B|150', mixed],
  ['query', 'deepObject', true, rgb, 'color[R]=100&color[G]=200&color[B]=150', mixed],
  ['query', 'deepObject', true, rgb, 'color%5BR%5D=100&color%5BG%5D=200&color%5BB%5D=150', mixed],
  ['header', 'simple', false, text, 'blue', 'blue'],
  ['header', 'simple', false, colours, 'blue,black,brown', threeColours],
  ['header', 'simple', true, colours, 'blue, black , brown', threeColours],
  ['header', 'simple', false, rgb, 'R,100,G,200,B,150', mixed],
  ['header', 'simple', true, rgb, 'R=100, G=200, B=150', mixed],
  ['cookie', 'form', true, text, 'color=blue', 'blue'],
  ['cookie', 'form', false, colours, 'color=blue,black,brown', threeColours],
  ['cookie', 'form', true, colours, 'color=blue&color=black', ['blue', 'black']],
  ['cookie', 'form', true, colours, 'color=blue; other=1; color=black', ['blue', 'black']],
  ['cookie', 'form', false, rgb, 'color=R,100,G,200,B,150', mixed],
  // A cookie may have no comma (RFC 6265 §4.1.1).
  ['cookie', 'form', false, numbers, 'color=1%2C2', [1, 2]],
  ['cookie', 'form', false, rgb, 'color=R%2C100', { R: 100 }],
  ['cookie', 'form', true, rgb, 'R=100; G=200; B=150', mixed],
];

describe('A parameter', () => {
  it.each(styles)(
    'in %s of style %s, explode %s, schema %j, sent as %s, is %j',
    (place, style, explode, schema, raw, value) => {
      expect(valueIn({ in: place, style, explode, schema }, raw)).toEqual(value);
    },
  );

  it.each([
    ['path', colours, 'blue,black', ['blue', 'black']],
    ['query', colours, 'color=blue&color=black', ['blue', 'black']],
    ['header', colours, 'blue,black', ['blue', 'black']],
    ['cookie', text, 'color=blue', 'blue'],
  ])('in %s has the default style of its place', (place, schema, raw, value) => {
    expect(valueIn({ in: place, schema }, raw)).toEqual(value);
  });
});

describe('A typed value', () => {
  it.each([
    [whole, '5', 5],
    [whole, '-5', -5],
    [whole, '05', ['/query/color must be integer']],
    [whole, '+5', ['/query/color must be integer']],
    [whole, '0x5', ['/query/color must be integer']],
    [whole, '5.5', ['/query/color must be integer']],
    [whole, '', ['/query/color must be integer']],
    [whole, '%0A', ['/query/color must be integer']],
    [whole, 'x', ['/query/color must be integer']],
    [{ type: 'number' }, '1e3', 1000],
    [{ type: 'number' }, '-0.5', -0.5],
    [{ type: 'number' }, 'NaN', ['/query/color must be number']],
    [{ type: 'boolean' }, 'true', true],
    [{ type: 'boolean' }, 'false', false],
    [{ type: 'boolean' }, '1', ['/query/color must be boolean']],
    [{ type: 'boolean' }, 'True', ['/query/color must be boolean']],
    [{ type: ['integer', 'null'] }, 'null', null],
    [{ type: ['integer', 'null'] }, '', null],
    [{ type: ['string', 'null'] }, '', ''],
    [text, '007', '007'],
    [text, '', ''],
    [{}, '5', '5'],
    [{ type: ['integer', 'string'] }, '5', 5],
    [{ type: ['integer', 'string'] }, 'five', 'five'],
    [{ oneOf: [{ type: 'integer' }, { type: 'string', minLength: 3 }] }, '12', 12],
    [
      {
        oneOf: [
          { type: 'integer', maximum: 9 },
          { type: 'string', minLength: 2 },
        ],
      },
      '12',
      '12',
    ],
    [{ anyOf: [{ type: 'boolean' }, { enum: ['auto'] }] }, 'auto', 'auto'],
    [{ enum: [1, 2] }, '2', 2],
    [{ const: 7 }, '7', 7],
    [{ allOf: [{ type: 'integer' }, { minimum: 3 }] }, '2', ['/query/color must be >= 3']],
    [{ oneOf: [text, colours] }, 'a', 'a'],
  ])('of the schema %j, sent as "%s", is %j', (schema, raw, value) => {
    expect(valueIn({ in: 'query', schema }, `color=${raw}`)).toEqual(value);
  });

  it('of a list or a text is a list where it is sent twice', () => {
    expect(valueIn({ in: 'query', schema: { oneOf: [text, { ...colours, minItems: 2 }] } }, 'color=a&color=b')).toEqual(
      ['a', 'b'],
    );
  });

  it.each([
    [numbers, 'color=1&color=2', [1, 2]],
    [numbers, 'color=1', [1]],
    [numbers, 'color=1&color=x', ['/query/color/1 must be integer']],
    [{ ...numbers, maxItems: 1 }, 'color=1&color=2', ['/query/color must NOT have more than 1 items']],
    [{ type: 'array', prefixItems: [whole, { type: 'boolean' }] }, 'color=1&color=true', [1, true]],
    [{ type: 'array', items: { type: ['integer', 'string'] } }, 'color=1&color=x', [1, 'x']],
    [{ type: 'array' }, 'color=1', ['1']],
  ])('of the list %j, sent as %s, is %j', (schema, raw, value) => {
    expect(valueIn({ in: 'query', schema }, raw)).toEqual(value);
  });
});

describe('A text', () => {
  it.each([
    [
      'a delimiter in an item is encoded',
      { in: 'query', explode: false, schema: colours },
      'color=a%2Cb,c',
      ['a,b', 'c'],
    ],
    ['the same in a path', { in: 'path', schema: colours }, 'a%2Cb,c', ['a,b', 'c']],
    ['a plus sign in a query is a blank', { in: 'query', schema: text }, 'color=a+b', 'a b'],
    ['an encoded plus sign is one', { in: 'query', schema: text }, 'color=a%2Bb', 'a+b'],
    ['a plus sign in a path is one', { in: 'path', schema: text }, 'a+b', 'a+b'],
    ['an encoded slash in a path', { in: 'path', schema: text }, 'a%2Fb', 'a/b'],
    ['other scripts', { in: 'query', schema: text }, 'color=%E6%97%A5', '日'],
    ['a value with an equals sign', { in: 'query', schema: text }, 'color=a=b', 'a=b'],
    [
      'reserved signs that are not encoded',
      { in: 'query', allowReserved: true, schema: text },
      'color=a:/?@b',
      'a:/?@b',
    ],
    ['a header is not percent-encoded', { in: 'header', schema: text }, 'a%20b', 'a%20b'],
    ['an item without text', { in: 'query', explode: false, schema: colours }, 'color=a,,b', ['a', '', 'b']],
    ['an empty list', { in: 'query', explode: false, schema: colours }, 'color=', []],
    [
      'a label without its dot',
      { in: 'path', style: 'label', schema: text },
      'blue',
      ['/path/color begins with a dot, as style label has it'],
    ],
    [
      'bytes that are no UTF-8',
      { in: 'query', schema: text },
      'color=%E9',
      ['/query/color is not percent-encoded UTF-8'],
    ],
    [
      'commas that a client has encoded, of numbers',
      { in: 'query', explode: false, schema: numbers },
      'color=1%2C2',
      [1, 2],
    ],
    ['the same of an object', { in: 'query', explode: false, schema: rgb }, 'color=R%2C100', { R: 100 }],
    ['a cookie with a percent sign', { in: 'cookie', schema: text }, 'color=100%', '100%'],
    ['half an escape', { in: 'query', schema: text }, 'color=%2', ['/query/color is not percent-encoded UTF-8']],
    ['a text that is sent twice', { in: 'query', schema: text }, 'color=a&color=b', ['/query/color is given 2 times']],
    [
      'an object with a name alone',
      { in: 'query', explode: false, schema: rgb },
      'color=R',
      ['/query/color has a name without a value'],
    ],
  ])('%s', (_name, written, raw, value) => {
    expect(valueIn(written, raw)).toEqual(value);
  });
});

describe('An object', () => {
  it.each([
    [
      'a member of another type',
      { style: 'form', explode: true, schema: rgb },
      'R=x',
      ['/query/color/R must be integer'],
    ],
    [
      'a member of another type in brackets',
      { style: 'deepObject', schema: rgb },
      'color[R]=x',
      ['/query/color/R must be integer'],
    ],
    [
      'an unknown member in brackets',
      { style: 'deepObject', schema: rgb },
      'color[Z]=1',
      ['/query/color must NOT have additional properties (Z)'],
    ],
    [
      'a list in brackets',
      { style: 'deepObject', schema: { type: 'object', properties: { tags: colours } } },
      'color[tags]=a&color[tags]=b',
      { tags: ['a', 'b'] },
    ],
    [
      'a list in empty brackets',
      { style: 'deepObject', schema: { type: 'object', properties: { n: numbers } } },
      'color[n][]=1&color[n][]=2',
      { n: [1, 2] },
    ],
    [
      'a list in numbered brackets',
      { style: 'deepObject', schema: { type: 'object', properties: { n: numbers } } },
      'color[n][0]=1&color[n][1]=2',
      { n: [1, 2] },
    ],
    [
      'a wrong item in empty brackets',
      { style: 'deepObject', schema: { type: 'object', properties: { n: numbers } } },
      'color[n][]=1&color[n][]=x',
      ['/query/color/n/1 must be integer'],
    ],
    [
      'an object in brackets',
      { style: 'deepObject', schema: { type: 'object', properties: { by: rgb } } },
      'color[by][R]=1',
      { by: { R: 1 } },
    ],
    ['without brackets', { style: 'deepObject', schema: rgb }, 'color=1', ['/query/color is written as color[member]']],
    [
      'members that the schema does not name',
      { schema: { type: 'object', additionalProperties: whole } },
      'a=1&b=2',
      { a: 1, b: 2 },
    ],
    [
      'a required member',
      { schema: { ...rgb, required: ['R'] } },
      'G=1',
      ["/query/color must have required property 'R'"],
    ],
    [
      'a name that every object has',
      { style: 'deepObject', schema: { type: 'object', additionalProperties: true } },
      'color[constructor]=1',
      { constructor: '1' },
    ],
  ])('with %s', (_name, written, raw, value) => {
    expect(valueIn({ in: 'query', ...written }, raw)).toEqual(value);
  });

  it('takes no members that other parameters have a name for', () => {
    const read = reading([
      { name: 'filter', in: 'query', schema: { type: 'object', additionalProperties: text } },
      { name: 'page', in: 'query', schema: whole },
    ]);
    expect(read({ path: {}, query: 'a=1&page=2', headers: {} }).values.query).toEqual({ filter: { a: '1' }, page: 2 });
  });

  it('may have a member __proto__, which is data', () => {
    const read = reading({
      name: 'q',
      in: 'query',
      style: 'deepObject',
      schema: { type: 'object', additionalProperties: text },
    });
    const { q } = read({ path: {}, query: 'q[__proto__]=x', headers: {} }).values.query as { q: object };
    expect(Object.entries(q)).toEqual([['__proto__', 'x']]);
    expect(({} as { x?: unknown }).x).toBeUndefined();
  });
});

describe('A parameter with content', () => {
  const range = {
    in: 'query',
    content: { 'application/json': { schema: { type: 'object', required: ['from'], properties: { from: whole } } } },
  };
  it.each([
    ['{"from":1}', { from: 1 }],
    ['{}', ["/query/color must have required property 'from'"]],
    ['{', ['/query/color is not JSON']],
  ])('sent as %s is %j', (json, value) => {
    expect(valueIn(range, `color=${encodeURIComponent(json)}`)).toEqual(value);
  });

  it('may stand in a header, a path and a cookie', () => {
    const content = { 'application/json': { schema: numbers } };
    expect(valueIn({ in: 'header', content }, '[1,2]')).toEqual([1, 2]);
    expect(valueIn({ in: 'path', content }, '%5B1%2C2%5D')).toEqual([1, 2]);
    expect(valueIn({ in: 'cookie', content }, 'color=%5B1%5D')).toEqual([1]);
  });
});

describe('A parameter that was not sent', () => {
  it.each([
    ['has its default', { in: 'query', schema: { type: 'integer', default: 1 } }, 1],
    ['has none', { in: 'query', schema: whole }, undefined],
    ['is refused where it is required', { in: 'query', required: true, schema: whole }, ['/query/color is required']],
    ['is refused as a required object', { in: 'query', required: true, schema: rgb }, ['/query/color is required']],
    ['is refused as a required header', { in: 'header', required: true, schema: whole }, ['/header/color is required']],
    ['is refused as a required cookie', { in: 'cookie', required: true, schema: whole }, ['/cookie/color is required']],
  ])('%s', (_name, written, value) => {
    expect(valueIn(written, '')).toEqual(value);
  });

  it('has the default behind a reference', () => {
    const schemas = schemasOf({ Page: { type: 'integer', default: 1 } });
    const parameter = parameterOf({ name: 'page', in: 'query', schema: { $ref: '#/components/schemas/Page' } });
    const read = readerOf(parameter === undefined ? [] : [parameter], schemas);
    expect(read({ path: {}, query: '', headers: {} }).values.query).toEqual({ page: 1 });
    expect(read({ path: {}, query: 'page=3', headers: {} }).values.query).toEqual({ page: 3 });
  });
});

it('A flag with allowEmptyValue may have no value, whatever its schema says', () => {
  const flag = { in: 'query', allowEmptyValue: true, schema: { type: 'boolean' } };
  expect(valueIn(flag, 'color')).toBe('');
  expect(valueIn(flag, 'color=')).toBe('');
  expect(valueIn(flag, 'color=true')).toBe(true);
  expect(valueIn(flag, 'color=x')).toEqual(['/query/color must be boolean']);
});

it.each(['Accept', 'Content-Type', 'Authorization'])(
  'A header parameter %s has no effect (OpenAPI 3.1 §4.8.12.1)',
  (name) => {
    expect(parameterOf({ name, in: 'header', required: true, schema: text })).toBeUndefined();
  },
);
