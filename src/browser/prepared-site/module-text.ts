/** Writes a prepared site as the text of one module, which needs nothing else and no `eval`. */
import { validatorRuntime } from '../../core/generated/validator-runtime.ts';
import type { ValidatorTexts } from './compile-validators.ts';
import type { DocumentParts, SiteParts } from './prepare-site.ts';

/** The text of an ES module that exports `site`, a `PreparedSite`. */
export const moduleText = (parts: SiteParts): string => {
  const { name, version, siteFiles, icons, document, controlDocument, fixtures } = parts;
  return [
    `/* Prepared by atoll-server ${version}. */`,
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
    `  fixtures: ${parsed(fixtures)},`,
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

/** JSON in a text is read several times faster than a literal. */
const parsed = (value: unknown): string => `JSON.parse(${literal(JSON.stringify(value))})`;

/** A text in single quotes: most texts here are JSON, so that nothing in it needs a backslash. */
const literal = (text: string): string => {
  const inDouble = JSON.stringify(text).slice(1, -1);
  return `'${inDouble.replace(/\\.|'/g, (found) => (found === '\\"' ? '"' : found === "'" ? "\\'" : found))}'`;
};
