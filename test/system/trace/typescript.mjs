/** Lets Node run the sources as they are, each file transpiled alone, so that a profile names them. */
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { transform } from 'esbuild';

export const load = async (url, context, next) => {
  if (!/^file:.*\.ts$/.test(url)) return next(url, context);
  const { code } = await transform(await readFile(fileURLToPath(url), 'utf8'), { loader: 'ts', target: 'node20' });
  return { format: 'module', source: code, shortCircuit: true };
};
