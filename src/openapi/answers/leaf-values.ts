/** Makes texts and numbers that look like what their name and format say. */
import type { SchemaObject } from '../schemas/schemas.ts';

/** Makes a value for a schema without references, the same for the same pointer. */
export type MakeText = (schema: SchemaObject, pointer: string) => unknown;

type Leaf = {
  readonly name: string;
  readonly pointer: string;
  readonly index: number;
  readonly seed: string;
  readonly isDynamic: boolean;
  readonly makeText: MakeText;
};

/** A number from 0 below 2³² for a text (FNV-1a). */
export const seededNumber = (text: string): number => {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash >>> 0;
};

/** The value of a schema that has neither members nor items. */
export const leafValue = (schema: SchemaObject, leaf: Leaf): unknown => {
  const { type } = schema;
  const [name = 'string'] = (Array.isArray(type) ? type : type === undefined ? [] : [type]).filter(
    (each) => each !== 'null',
  ) as string[];
  if (type === 'null' || (Array.isArray(type) && type.length === 1 && type[0] === 'null')) return null;
  if (name === 'boolean') return !leaf.isDynamic || seededNumber(`${leaf.seed} ${leaf.pointer}`) % 2 === 0;
  if (name === 'integer' || name === 'number') return numberOf(schema, leaf, name === 'integer');
  return textOf(schema, leaf);
};

const numberOf = (schema: SchemaObject, leaf: Leaf, isWhole: boolean): number => {
  const { multipleOf } = schema;
  const step = typeof multipleOf === 'number' && multipleOf > 0 ? multipleOf : isWhole ? 1 : 0;
  const smallest = bound(schema, 'minimum', 'exclusiveMinimum', step || 0.01);
  const largest = bound(schema, 'maximum', 'exclusiveMaximum', -(step || 0.01));
  const usual = leaf.isDynamic ? seededNumber(`${leaf.seed} ${leaf.pointer}`) % 1000 : usualNumber(leaf, isWhole);
  const value = Math.min(Math.max(usual, smallest ?? -Infinity), largest ?? Infinity);
  if (step === 0) return value;
  const up = Number((Math.ceil(value / step - 1e-9) * step).toPrecision(12));
  return largest !== undefined && up > largest
    ? Number((Math.floor(largest / step + 1e-9) * step).toPrecision(12))
    : up;
};

const bound = (schema: SchemaObject, name: string, exclusive: string, step: number): number | undefined => {
  const open = schema[exclusive];
  if (typeof open === 'number') return open + step;
  const closed = schema[name];
  return typeof closed === 'number' ? closed : undefined;
};

const usualNumber = ({ name, index }: Leaf, isWhole: boolean): number => {
  const word = wordsOf(name);
  if (/\b(latitude|lat)\b/.test(word)) return 52.37;
  if (/\b(longitude|lon|lng)\b/.test(word)) return 4.89;
  if (/\byear\b/.test(word)) return 2024;
  if (/\bage\b/.test(word)) return 36;
  if (/\b(price|amount|cost|total price)\b/.test(word)) return isWhole ? 20 : 19.95;
  if (/\b(size|bytes|length)\b/.test(word)) return 1024;
  if (/\b(limit|per page|page size)\b/.test(word)) return 10;
  if (/\b(page|offset)\b/.test(word)) return isWhole ? 1 : 1;
  if (/\bid$/.test(word) || word === 'id') return index + 1;
  return isWhole ? 1 + index : 0.5;
};

/** `createdAt`, `created_at` and `created-at` as `created at`. */
const wordsOf = (name: string): string =>
  name
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replace(/[_\-.]+/g, ' ')
    .toLowerCase();

const textOf = (schema: SchemaObject, leaf: Leaf): unknown => {
  const { pattern, format } = schema;
  const fits = fitting(schema);
  const candidates = [
    ...(typeof format === 'string' ? (formats[format]?.(leaf) ?? []) : []),
    ...(typeof format === 'string' && format in formats ? [] : namedTexts(leaf)),
  ];
  const found = candidates.find(fits);
  if (found !== undefined) return found;
  if (pattern === undefined) {
    const [first = 'text'] = candidates;
    return sized(first, schema);
  }
  return byPattern(schema, leaf, fits) ?? sized('text', schema);
};

/** A generator looks at the pattern alone. The lengths are tried with other seeds, and then as those of its last repetition. */
const byPattern = (schema: SchemaObject, leaf: Leaf, fits: (text: string) => boolean): string | undefined => {
  const { pattern, minLength = 0, maxLength = Math.max(Number(minLength), 20) } = schema;
  const repeated = String(pattern).replace(
    /(?<!\\)[+*](?!.*(?<!\\)[+*])/,
    `{${String(minLength)},${String(maxLength)}}`,
  );
  const attempts = [pattern, pattern, pattern, repeated, repeated].map((each, at) =>
    leaf.makeText(
      { type: 'string', pattern: withoutProperties(String(each)) },
      `${leaf.pointer} ${leaf.index} ${at === 0 ? '' : at}`,
    ),
  );
  const texts = attempts.filter((each) => typeof each === 'string');
  return texts.find(fits) ?? texts[0];
};

/** The generator does not know properties of Unicode, such as `\p{Lu}`. */
const withoutProperties = (pattern: string): string => {
  let isInClass = false;
  return pattern.replaceAll(/\\p\{([^}]*)\}|\\.|[[\]]/gs, (piece, property: string | undefined) => {
    if (piece === '[' || piece === ']') isInClass = piece === '[';
    if (property === undefined) return piece;
    const signs = asciiOf.find(([properties]) => properties.test(property))?.[1] ?? 'a-zA-Z';
    return isInClass ? signs : `[${signs}]`;
  });
};

const asciiOf: readonly (readonly [RegExp, string])[] = [
  [/^(Lu|Uppercase.*)$/, 'A-Z'],
  [/^(Ll|Lowercase.*)$/, 'a-z'],
  [/^(Nd?|Decimal_Number|Number)$/, '0-9'],
  [/^(P.*|Punctuation)$/, '.,!'],
  [/^(Z.*|White_Space|Separator)$/, ' '],
];

const syllables = ['ka', 'lo', 'mi', 'ra', 'ten', 'vo', 'sel', 'bru', 'nim', 'ost'];
const dynamicText = ({ seed, pointer, index }: Leaf): string => {
  const number = seededNumber(`${seed} ${pointer} ${index}`);
  return [0, 1, 2].map((at) => syllables[Math.floor(number / 10 ** at) % 10]).join('');
};

/** A made text has the form of its name, too. */
const dynamicTextFor = (word: string, leaf: Leaf): string => {
  const text = dynamicText(leaf);
  if (/\be ?mail\b/.test(word)) return `${text}@example.org`;
  return /\b(url|uri|link|href|website|homepage|avatar)\b/.test(word) ? `https://example.org/${text}` : text;
};

const fitting = ({ pattern, minLength = 0, maxLength = Infinity }: SchemaObject): ((text: string) => boolean) => {
  const expression = typeof pattern === 'string' ? expressionOf(pattern) : undefined;
  return (text) => {
    const { length } = Array.from(text);
    return length >= Number(minLength) && length <= Number(maxLength) && (expression?.test(text) ?? true);
  };
};

const expressionOf = (pattern: string): RegExp | undefined => {
  try {
    return new RegExp(pattern, 'u');
  } catch {
    return undefined;
  }
};

/** The longest text that is made, whatever `minLength` says. */
const mostCharacters = 10_000;

const sized = (text: string, { minLength = 0, maxLength = Infinity }: SchemaObject): string => {
  const least = Math.min(Number(minLength), mostCharacters);
  const long = text.length < least ? `${text} `.repeat(Math.ceil(least / (text.length + 1))).slice(0, least) : text;
  return Array.from(long)
    .slice(0, Math.min(Number(maxLength), mostCharacters))
    .join('')
    .replace(/ $/, '.');
};

const uuidOf = ({ seed, pointer, index }: Leaf): string => {
  const digits = [0, 1, 2, 3]
    .map((at) => seededNumber(`${seed} ${pointer} ${index} ${at}`).toString(16).padStart(8, '0'))
    .join('');
  return [
    digits.slice(0, 8),
    digits.slice(8, 12),
    `4${digits.slice(13, 16)}`,
    `a${digits.slice(17, 20)}`,
    digits.slice(20),
  ].join('-');
};

const dayOf = ({ index }: Leaf): string => `2024-05-${String(17 + (index % 10)).padStart(2, '0')}`;

/** By format (JSON Schema 2020-12 §7.3, OpenAPI's registry). The first that fits the other rules is taken. */
const formats: Readonly<Record<string, (leaf: Leaf) => string[]>> = {
  date: (leaf) => [dayOf(leaf)],
  'date-time': (leaf) => [`${dayOf(leaf)}T09:30:00Z`],
  time: () => ['09:30:00Z'],
  duration: () => ['PT1H30M', 'P1D'],
  email: ({ index }) => [index === 0 ? 'ada@example.org' : `ada${index + 1}@example.org`, ...otherEmails],
  'idn-email': () => ['ada@example.org', ...otherEmails],
  hostname: () => ['www.example.org', 'a.example', 'a.io'],
  'idn-hostname': () => ['www.example.org', 'a.example', 'a.io'],
  ipv4: () => ['192.0.2.1'],
  ipv6: () => ['2001:db8::1', '::1'],
  uri: ({ name, index }) => [
    `https://example.org/${slugOf(name)}${index === 0 ? '' : `/${index + 1}`}`,
    'https://example.org/',
    'urn:a',
  ],
  url: ({ name }) => [`https://example.org/${slugOf(name)}`],
  iri: () => ['https://example.org/'],
  'uri-reference': ({ name }) => [`/${slugOf(name)}`],
  'iri-reference': ({ name }) => [`/${slugOf(name)}`],
  'uri-template': () => ['/items/{id}'],
  uuid: (leaf) => [uuidOf(leaf)],
  'json-pointer': () => ['/title'],
  'relative-json-pointer': () => ['1/title'],
  regex: () => ['^[a-z]+$'],
  byte: () => ['QXRvbGw='],
  binary: () => ['Atoll'],
  base64url: () => ['QXRvbGw'],
  password: () => ['correct horse'],
  int64: () => ['1'],
  int32: () => ['1'],
};

/** Shorter, and longer. */
const otherEmails = ['a@b.example', 'a@b.io', 'ada.lovelace.of.the.analytical.engine@mathematics.example.org'];

const slugOf = (name: string): string => wordsOf(name).replaceAll(/[^a-z\d]+/g, '-') || 'item';

/** By name: what a reader takes for such a value. */
const namedTexts = (leaf: Leaf): string[] => {
  const { name, index } = leaf;
  const word = wordsOf(name);
  const found = textsByName.find(([pattern]) => pattern.test(word))?.[1];
  if (leaf.isDynamic) return [dynamicTextFor(word, leaf)];
  const own = (found ?? []).map((_, at, all) => all[(index + at) % all.length] ?? '');
  const label = word === '' ? 'text' : word;
  return [...own, index === 0 ? label : `${label} ${index + 1}`];
};

const textsByName: readonly (readonly [RegExp, readonly string[]])[] = [
  [/\be ?mail\b/, ['ada@example.org', 'grace@example.org', 'emmy@example.org']],
  [/\b(first|given) name\b/, ['Ada', 'Grace', 'Emmy']],
  [/\b(last|family) name\b|\bsurname\b/, ['Lovelace', 'Hopper', 'Noether']],
  [/\b(user ?name|login|handle|nickname)\b/, ['ada', 'grace', 'emmy']],
  [/\b(full name|author|owner|creator|customer|contact|person)\b/, ['Ada Lovelace', 'Grace Hopper', 'Emmy Noether']],
  [/^(display )?name$/, ['Ada', 'Grace', 'Emmy']],
  [/\bphone|mobile|fax\b/, ['+31 20 555 0100', '+44 20 7946 0100']],
  [/\bcity|town\b/, ['Amsterdam', 'London', 'Göttingen']],
  [/\bcountry code\b/, ['NL', 'GB', 'DE']],
  [/\bcountry\b/, ['Netherlands', 'United Kingdom', 'Germany']],
  [/\bstreet|address\b/, ['12 Quay Street', '3 Harbour Lane']],
  [/\bzip|postal|postcode\b/, ['1012 AB', '10115']],
  [/\bcurrency\b/, ['EUR', 'USD', 'GBP']],
  [/\b(language|locale|lang)\b/, ['en', 'de', 'nl']],
  [/\btime ?zone\b/, ['Europe/Amsterdam', 'UTC']],
  [/\b(colour|color)\b/, ['#1b6ca8', '#e0a030']],
  [/\b(mime|media|content) ?type\b/, ['text/plain', 'image/png']],
  [/\b(file ?name|file)\b/, ['report.pdf', 'photo.jpg']],
  [/\b(url|uri|link|href|website|homepage)\b/, ['https://example.org/', 'https://example.org/2']],
  [/\b(image|avatar|picture|photo|thumbnail|icon|logo)\b/, ['https://example.org/image.png']],
  [/\bslug\b/, ['the-harbour', 'the-quay']],
  [
    /\b(title|headline|heading|subject)\b/,
    ['The harbour at low tide', 'Ships of the north coast', 'A map of the quay'],
  ],
  [
    /\b(description|summary|abstract|comment|body|text|content|note|message)\b/,
    ['A short text about the harbour.', 'A second text, as short as the first.'],
  ],
  [/\b(date|day|birthday)\b/, ['2024-05-17', '2024-05-18']],
  [
    /\b(created|updated|modified|published|deleted|expires|timestamp)( at| on)?\b/,
    ['2024-05-17T09:30:00Z', '2024-05-18T09:30:00Z'],
  ],
  [/\btime\b/, ['09:30', '10:00']],
  [/\b(version)\b/, ['1.0.0', '1.1.0']],
  [/\b(tag|category|label|keyword|genre)s?\b/, ['harbour', 'ships', 'maps']],
  [/\b(status|state)\b/, ['active', 'open']],
  [/\b(ip|ip address)\b/, ['192.0.2.1']],
  [/\b(isbn)\b/, ['978-3-16-148410-0']],
  [/\b(token|secret|key)\b/, ['c2VjcmV0']],
];
