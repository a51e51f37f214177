/** Where the JavaScript of a TypeScript file is kept between runs. Its source map is beside it, as `….map`. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const { version } = createRequire(import.meta.url)('@swc/core/package.json');

export const isTypeScript = (url) => url.startsWith('file:') && new URL(url).pathname.endsWith('.ts');

export const keptFile = (folder, url, source) => {
  const { pathname } = new URL(url);
  return join(folder, createHash('sha256').update(`${version}\n${pathname}\n${source}`).digest('hex'));
};

/** The source map of a file that Node has imported, for stacks and code frames. */
export const keptMap = (folder, url) => {
  if (!isTypeScript(url)) return undefined;
  try {
    return `${keptFile(folder, url, readFileSync(new URL(url), 'utf8'))}.map`;
  } catch {
    return undefined;
  }
};
