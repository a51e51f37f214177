/** Writes a prepared site as the text of one module, which needs nothing else and no `eval`. */
import { validatorRuntime } from '../generated/validator-runtime.ts';
import type { ValidatorTexts } from './compile-validators.ts';
import type { DocumentParts, SiteParts } from './prepare-site.ts';
import type { PreparedFixture } from './prepared-site.ts';

/** `atoll prepare` knows its own modules by it. */
export const preparedMark = '/* Prepared by atoll-server ';

/** Bytes that several modules import from one. */
export type SharedBytes = {
  /** The address of that module. */
  readonly address: string;
  /** In base64. */
  readonly texts: readonly string[];
};

/** The text of a module with bytes for others. */
export const sharedBytesText = ({ texts }: SharedBytes): string => `export const bytes = ${parsed(texts)};\n`;

/** The text of an ES module that exports `site`, a `PreparedSite`. Without shared bytes it needs no other module. */
export const moduleText = (parts: SiteParts, shared?: SharedBytes): string => {
  const { name, version, siteFiles, icons, document, controlDocument, fixtures } = parts;
  return [
    `${preparedMark}${version}. */`,
    ...(shared === undefined ? [] : [`import { bytes } from ${literal(shared.address)};`]),
    `const require = ${validatorRuntime}.default;`,
    ...functionsOf('site', document.validators),
    ...functionsOf('control', controlDocument.validators),
    'export const site = {',
    `  name: ${literal(name)},`,
    `  version: ${literal(version)},`,
    `  siteFiles: ${parsed(siteFiles)},`,
    `  icons: ${parsed(icons)},`,
    `  document: ${documentText('site', document)},`,
    `  controlDocument: ${documentText('control', controlDocument)},`,
    '  fixtures: {',
    ...Object.entries(fixtures).map(([key, fixture]) => `${literal(key)}: ${fixtureText(fixture, shared)},`),
    '  },',
    '};',
    '',
  ].join('\n');
};

/** The types of such a module. */
export const moduleTypes =
  "import type { PreparedSite } from 'atoll-server/browser';\nexport declare const site: PreparedSite;\n";

/** The declarations of the functions with these validators. */
const functionsOf = (prefix: string, { modules }: ValidatorTexts): string[] =>
  modules.map((text, index) => `const ${prefix}${index} = (exports => {${text}\nreturn exports;})({});`);

const documentText = (prefix: string, { text, validators }: DocumentParts): string => {
  const lines = Object.entries(validators.operations).map(
    ([id, places]) => `${literal(id)}: [${places.map(({ module, key }) => `${prefix}${module}.${key}`).join(', ')}],`,
  );
  return `{ text: ${literal(text)}, validators: {\n${lines.join('\n')}\n} }`;
};

const fixtureText = ({ blobs, ...records }: PreparedFixture, shared?: SharedBytes): string => {
  const places = new Map(shared?.texts.map((text, index) => [text, index]));
  const lines = Object.entries(blobs).map(([key, held]) => {
    const place = 'base64' in held ? places.get(held.base64) : undefined;
    return `${literal(key)}: ${place === undefined ? parsed(held) : `{ base64: bytes[${place}] }`},`;
  });
  return `{ ...${parsed(records)}, blobs: {\n${lines.join('\n')}\n} }`;
};

/** JSON in a text is read several times faster than a literal. */
const parsed = (value: unknown): string => `JSON.parse(${literal(JSON.stringify(value))})`;

/** A text in single quotes: most texts here are JSON, so that nothing in it needs a backslash. */
const literal = (text: string): string => {
  const inDouble = JSON.stringify(text).slice(1, -1);
  return `'${inDouble.replace(/\\.|'/g, (found) => (found === '\\"' ? '"' : found === "'" ? "\\'" : found))}'`;
};
