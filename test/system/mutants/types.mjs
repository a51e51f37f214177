/** Whether the changed text of a file still has the right types: the compiler finds the other changes, so no test needs to. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import ts from 'typescript';

/** `isRight` tells it of a file with another text. The files are those of `src` and `handlers`. */
export const createTypeCheck = (root) => {
  const { config } = ts.readConfigFile(resolve(root, 'tsconfig.json'), ts.sys.readFile);
  const scope = { ...config, include: ['src', 'handlers'] };
  const { options, fileNames } = ts.parseJsonConfigFileContent(scope, ts.sys, root);
  const texts = new Map();
  let version = 0;
  const versions = new Map();
  const host = {
    ...ts.sys,
    useCaseSensitiveFileNames: () => ts.sys.useCaseSensitiveFileNames,
    getCompilationSettings: () => ({ ...options, incremental: false, tsBuildInfoFile: undefined }),
    getScriptFileNames: () => fileNames,
    getScriptVersion: (file) => String(versions.get(file) ?? 0),
    getScriptSnapshot: (file) => {
      const text = texts.get(file) ?? (ts.sys.fileExists(file) ? readFileSync(file, 'utf8') : undefined);
      return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
    },
    getCurrentDirectory: () => root,
    getDefaultLibFileName: ts.getDefaultLibFilePath,
  };
  const service = ts.createLanguageService(host);
  const put = (file, text) => {
    if (text === undefined) texts.delete(file);
    else texts.set(file, text);
    versions.set(file, (version += 1));
  };
  const isRight = (name, text) => {
    const file = resolve(root, name);
    put(file, text);
    const errors = [...service.getSyntacticDiagnostics(file), ...service.getSemanticDiagnostics(file)];
    put(file, undefined);
    return errors.length === 0;
  };
  return { isRight };
};
