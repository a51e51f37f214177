/**
 * What `npm run typecheck` and ESLint in `npm run lint` say, by one process, which works out the types of each project once for both:
 * a part of `npm run check:static`.
 */
import { join } from 'node:path';
import { ESLint } from 'eslint';
import ts from 'typescript';
import config from '../eslint.config.mjs';

const root = join(import.meta.dirname, '..');

const host = {
  ...ts.sys,
  onUnRecoverableConfigFileDiagnostic: (diagnostic) => {
    throw new Error(ts.formatDiagnostic(diagnostic, formatHost));
  },
};
const formatHost = {
  getCanonicalFileName: (name) => name,
  getCurrentDirectory: () => root,
  getNewLine: () => '\n',
};

const readProgram = (project) => {
  const { fileNames, options, errors } = ts.getParsedCommandLineOfConfigFile(join(root, project), {}, host);
  return ts.createProgram({
    rootNames: fileNames,
    options,
    configFileParsingDiagnostics: errors,
    // ESLint goes up from a node to its parents.
    host: ts.createCompilerHost(options, true),
  });
};

const programs = new Map();

/** The part of the configuration that names a project, with its program in the place of the name. */
const withProgram = (part) => {
  const { project, ...parserOptions } = part.languageOptions?.parserOptions ?? {};
  if (project === undefined) return part;
  if (!programs.has(project)) programs.set(project, readProgram(project));
  parserOptions.programs = [programs.get(project)];
  return { ...part, languageOptions: { ...part.languageOptions, parserOptions } };
};

const overrideConfig = config.map(withProgram);

const diagnostics = [...programs.values()].flatMap((program) => ts.getPreEmitDiagnostics(program));
process.stdout.write(ts.formatDiagnostics(ts.sortAndDeduplicateDiagnostics(diagnostics), formatHost));

const eslint = new ESLint({ cwd: root, overrideConfigFile: true, overrideConfig });
const results = await eslint.lintFiles('.');
const { format } = await eslint.loadFormatter('stylish');
process.stdout.write(await format(results));

const hasFindings = results.some(({ errorCount, warningCount }) => errorCount + warningCount > 0);
if (diagnostics.length > 0 || hasFindings) process.exitCode = 1;
