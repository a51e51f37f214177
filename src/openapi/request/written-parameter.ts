/** Writes the value of a parameter as a request has it: the styles of OpenAPI 3.1 (§4.8.12), as `parameters.ts` reads them. */
import { isRecord } from '../../basics/json.ts';
import type { Parameter } from '../document/parameter.ts';

/** What a path, a header or a cookie has for the value. A cookie has its name in it. */
export const writtenText = (parameter: Parameter, value: unknown): string => {
  const { name, in: place, style, explode, mediaType } = parameter;
  if (place === 'cookie')
    return writtenPairs(parameter, value)
      .map((pair) => pair.join('='))
      .join('; ');
  const encode = place === 'header' ? String : encodeURIComponent;
  if (mediaType !== undefined) return encode(JSON.stringify(value));
  const items = itemsOf(value, explode, encode);
  if (style === 'label') return `.${items.join(explode ? '.' : ',')}`;
  if (style !== 'matrix') return items.join(',');
  if (!explode || (!Array.isArray(value) && !isRecord(value))) return `;${name}=${items.join(',')}`;
  return items.map((item) => (isRecord(value) ? `;${item}` : `;${name}=${item}`)).join('');
};

/** Items of a list; members as `a=1` where `explode` is true, else as `a`, `1`. */
const itemsOf = (value: unknown, explode: boolean, encode: (text: string) => string): string[] => {
  if (Array.isArray(value)) return value.map((item) => encode(textOf(item)));
  if (!isRecord(value)) return [encode(textOf(value))];
  return Object.entries(value).flatMap(([name, member]) => {
    const pair = [encode(name), encode(textOf(member))];
    return explode ? [pair.join('=')] : pair;
  });
};

/** Name and value of each pair of a query, encoded. */
export const writtenPairs = (
  { name, style, explode, mediaType }: Parameter,
  value: unknown,
): [name: string, value: string][] => {
  const key = encodeURIComponent(name);
  const encoded = (part: unknown): string => encodeURIComponent(textOf(part));
  if (mediaType !== undefined) return [[key, encodeURIComponent(JSON.stringify(value))]];
  if (isRecord(value)) {
    if (style === 'deepObject')
      return Object.entries(value).map(([member, part]) => [`${key}[${encodeURIComponent(member)}]`, encoded(part)]);
    if (explode) return Object.entries(value).map(([member, part]) => [encodeURIComponent(member), encoded(part)]);
  }
  const delimiter = delimiters[style] ?? ',';
  if (Array.isArray(value) && explode) return value.map((item) => [key, encoded(item)]);
  return [[key, itemsOf(value, false, encodeURIComponent).join(delimiter)]];
};

const delimiters: Readonly<Record<string, string>> = { spaceDelimited: '%20', pipeDelimited: '%7C' };

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));
