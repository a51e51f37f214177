/**
 * What `npm run typecheck` and ESLint in `npm run lint` say, by one process, which works out the types of each project once for both:
 * a part of `npm run check:static`. A second run looks only at files that changed, or whose types come from one that changed, as TypeScript
 * finds them, and at files in which something was found. `coverage/checked` says what was looked at; without it, all is.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { ESLint } from 'eslint';
import ts from 'typescript';
import config from '../eslint.config.mjs';

const root = join(import.meta.dirname, '..');
const kept = join(root, 'coverage/checked');
const found = join(kept, 'found.json');

const hashOf = (text) => createHash('sha256').update(text).digest('hex');

/** Another configuration or another version of a tool finds other things. */
const tools = hashOf(
  [
    'eslint.config.mjs',
    'package-lock.json',
    'tsconfig.json',
    'console/tsconfig.json',
    'test/browser/tsconfig.json',
    'scripts/check-sources.mjs',
  ]
    .map((file) => readFileSync(join(root, file), 'utf8'))
    .concat(process.version)
    .join('\n'),
);

const readFound = () => {
  try {
    const { files, by } = JSON.parse(readFileSync(found, 'utf8'));
    if (by === tools) return files;
  } catch {
    // Nothing was looked at yet.
  }
  rmSync(kept, { recursive: true, force: true });
  return [];
};

const formatHost = {
  getCanonicalFileName: (name) => name,
  getCurrentDirectory: () => root,
  getNewLine: () => '\n',
};

const configHost = {
  ...ts.sys,
  onUnRecoverableConfigFileDiagnostic: (diagnostic) => {
    throw new Error(ts.formatDiagnostic(diagnostic, formatHost));
  },
};

/** A builder compares files by their version. ESLint goes up from a node to its parents. */
const hostFor = (options) => {
  const host = ts.createCompilerHost(options, true);
  const getSourceFile = (...args) => {
    const file = host.getSourceFile(...args);
    if (file !== undefined) file.version = hashOf(file.text);
    return file;
  };
  return { ...host, createHash: hashOf, getSourceFile };
};

const readProject = (project) => {
  const { fileNames, options: own, errors } = ts.getParsedCommandLineOfConfigFile(join(root, project), {}, configHost);
  const tsBuildInfoFile = join(kept, `${hashOf(project).slice(0, 8)}.tsbuildinfo`);
  const options = { ...own, noEmit: true, incremental: true, tsBuildInfoFile };
  const host = hostFor(options);
  const before = ts.readBuilderProgram(options, host);
  const builder = ts.createSemanticDiagnosticsBuilderProgram(fileNames, options, host, before, errors);
  return { builder, isNew: before === undefined };
};

/** The files whose types may be others than before: those that changed, and those of which TypeScript has dropped what it had found. */
const changedIn = ({ builder, isNew }) => {
  const changed = new Set();
  const all = builder.getSourceFiles();
  let next = builder.getSemanticDiagnosticsOfNextAffectedFile();
  while (next !== undefined) {
    const { affected } = next;
    for (const file of 'fileName' in affected ? [affected] : all) changed.add(file.fileName);
    next = builder.getSemanticDiagnosticsOfNextAffectedFile();
  }
  const checked = isNew ? undefined : builder.state?.semanticDiagnosticsPerFile;
  for (const { fileName, resolvedPath } of all) if (checked?.has(resolvedPath) !== true) changed.add(fileName);
  return changed;
};

/** The part of the configuration that names a project, with its program in the place of the name. */
const withProgram = (projects) => (part) => {
  const { project, ...parserOptions } = part.languageOptions?.parserOptions ?? {};
  if (project === undefined) return part;
  if (!projects.has(project)) projects.set(project, readProject(project));
  parserOptions.programs = [projects.get(project).builder.getProgram()];
  return { ...part, languageOptions: { ...part.languageOptions, parserOptions } };
};

const foundBefore = readFound();
const projects = new Map();
const overrideConfig = config.map(withProgram(projects));
const changed = new Set([...projects.values()].flatMap((project) => [...changedIn(project)]));

const diagnostics = [...projects.values()].flatMap(({ builder }) => ts.getPreEmitDiagnostics(builder));
process.stdout.write(ts.formatDiagnostics(ts.sortAndDeduplicateDiagnostics(diagnostics), formatHost));

// A file of no project is not among them, so ESLint looks at it and complains.
const passedOver = new Set(
  [...projects.values()].flatMap(({ builder }) => builder.getSourceFiles().map(({ fileName }) => fileName)),
);
for (const file of [...changed, ...foundBefore.map((name) => join(root, name))]) passedOver.delete(file);

const eslint = new ESLint({
  cwd: root,
  overrideConfigFile: true,
  overrideConfig: [...overrideConfig, { ignores: [(file) => passedOver.has(file)] }],
});
const results = await eslint.lintFiles('.');
const { format } = await eslint.loadFormatter('stylish');
process.stdout.write(await format(results));

const faulty = results.filter(({ errorCount, warningCount }) => errorCount + warningCount > 0);
mkdirSync(kept, { recursive: true });
writeFileSync(found, JSON.stringify({ by: tools, files: faulty.map(({ filePath }) => relative(root, filePath)) }));
// At the end: what is noted as looked at, was.
for (const { builder } of projects.values()) builder.emit();

if (diagnostics.length > 0 || faulty.length > 0) process.exitCode = 1;
