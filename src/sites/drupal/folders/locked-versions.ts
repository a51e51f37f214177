/** Finds the versions of the core and of the modules: no configuration names them, but the lock file of the site's repository does. */
import { dirname, join, resolve } from 'node:path';
import { isRecord, parsedJson } from '../../../basics/json.ts';
import { readRegularFile } from '../../../basics/disk/regular-file.ts';
import { listOf } from '../../../basics/exported/lenient-values.ts';

/** How far above the configuration the repository of the site may begin. */
export const levels = 4;

/** The versions by package, such as `drupal/core`. Empty where no `composer.lock` around the configuration has the core. */
export const lockedVersions = async (folders: readonly string[]): Promise<ReadonlyMap<string, string>> => {
  for (const folder of folders) {
    let root = resolve(folder);
    for (let level = 0; level <= levels; level += 1, root = dirname(root)) {
      const versions = await versionsIn(join(root, 'composer.lock'));
      if (versions.has('drupal/core')) return versions;
    }
  }
  return new Map();
};

/** A branch such as `dev-main` is no version. */
const versionsIn = async (file: string): Promise<ReadonlyMap<string, string>> => {
  const bytes = await readRegularFile(file).catch(() => undefined);
  const lock = parsedJson(bytes?.toString() ?? '');
  const packages = isRecord(lock) ? listOf(lock['packages']) : [];
  return new Map(
    packages.flatMap((each) => {
      const { name, version } = isRecord(each) ? each : {};
      const [, digits] = /^v?(\d+\.\d+(?:\.\d+)?(?:-[A-Za-z0-9.]+)?)$/.exec(String(version)) ?? [];
      return typeof name === 'string' && digits !== undefined ? [[name, digits] as const] : [];
    }),
  );
};
