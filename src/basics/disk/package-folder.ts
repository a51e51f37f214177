/** Finds the folder of the package from one of its modules. */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** `module` is the URL of a module in `src/` or of a bundle in `dist/`. The folder is the closest one above with a `package.json`. */
export const packageFolder = (module: string): string => {
  const above = (folder: string): string =>
    existsSync(join(folder, 'package.json')) || folder === dirname(folder) ? folder : above(dirname(folder));
  return above(dirname(fileURLToPath(module)));
};
