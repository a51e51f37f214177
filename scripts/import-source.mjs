/** Loads a module of the source into a script: Node 20 reads no TypeScript. */
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));

/** `file` is relative to the project. */
export const importSource = async (file) => {
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: [file],
    ...{ bundle: true, format: 'esm', platform: 'node', write: false },
  });
  return import(`data:text/javascript,${encodeURIComponent(outputFiles[0].text)}`);
};

/** The parsed `openapi.yaml` with its HEAD operations. */
export const withHeadOperations = async (document) => {
  const source = await importSource('src/repository/document/head-operations.ts');
  return source.withHeadOperations(document);
};
