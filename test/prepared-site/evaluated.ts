/** Evaluates what is prepared as text. The texts are the program's own. */
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { validatorRuntime } from '../../src/browser/generated/validator-runtime.ts';
import type { ValidatorTexts } from '../../src/browser/prepared-site/compile-validators.ts';
import type { CompiledValidator } from '../../src/browser/prepared-site/prepared-site.ts';

type Evaluate = (...values: unknown[]) => unknown;
const evaluate = (text: string, ...names: string[]): Evaluate => new Function(...names, text) as Evaluate; // eslint-disable-line @typescript-eslint/no-implied-eval

const { default: requireModule } = evaluate(`return ${validatorRuntime}`)() as { readonly default: unknown };

/** The validators of each operation. */
export const validatorsOf = ({
  modules,
  operations,
}: ValidatorTexts): ReadonlyMap<string, readonly CompiledValidator[]> => {
  const evaluated = modules.map(
    (text) =>
      evaluate(`${text}\nreturn exports;`, 'require', 'exports')(requireModule, {}) as Record<
        string,
        CompiledValidator
      >,
  );
  return new Map(
    Object.entries(operations).map(([id, places]) => [
      id,
      places.flatMap(({ module, key }) => evaluated[module]?.[key] ?? []),
    ]),
  );
};

const script = `
const [file] = process.argv.slice(1);
const { site } = await import(file);
const shown = (name, value) => (typeof value === 'function' ? String(value({})) + JSON.stringify(value.errors) : value);
process.stdout.write(JSON.stringify(site, shown));
`;

/** The site of a module as JSON, read where no text can become code. Each validator is what it says of an empty subject. */
export const siteOfModule = async (file: string): Promise<Record<string, unknown>> => {
  const flags = ['--disallow-code-generation-from-strings', '--input-type=module'];
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [...flags, '--eval', script, pathToFileURL(file).href],
    // The variable of jest would print warnings.
    { maxBuffer: 64 * 1024 * 1024, env: { ...process.env, NODE_OPTIONS: '' } },
  );
  return JSON.parse(stdout) as Record<string, unknown>;
};

/** The same of the text of a module, by way of a file in a folder. */
export const siteOfText = async (folder: string, text: string): Promise<Record<string, unknown>> => {
  const file = join(folder, 'site.mjs');
  await writeFile(file, text);
  return siteOfModule(file);
};
