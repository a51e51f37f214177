/** A copy of the project for mutants: nothing is changed where somebody works. */
import { execFileSync } from 'node:child_process';
import {
  constants,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { changed } from './changes.mjs';

/** Its files are those of the work tree that git knows or does not ignore. It is gone when this process ends. */
export const copyTree = (root) => {
  const place = mkdtempSync(join(realpathSync(tmpdir()), 'atoll-mutants-'));
  process.on('exit', () => rmSync(place, { recursive: true, force: true }));
  const listed = execFileSync('git', ['ls-files', '-z', '-co', '--exclude-standard'], { cwd: root, encoding: 'utf8' });
  for (const file of listed.split('\0').filter((name) => name !== '' && name !== 'node_modules')) {
    mkdirSync(dirname(join(place, file)), { recursive: true });
    copyFileSync(join(root, file), join(place, file), constants.COPYFILE_FICLONE);
  }
  symlinkSync(realpathSync(join(root, 'node_modules')), join(place, 'node_modules'), 'dir');
  return place;
};

/** What tests make of the sources for all files of a run. */
const made = ['prepared.json', 'prepared-starter-site.json', 'fixture-starter.json'];

/** Puts a mutant into the tree while `work` runs, which finds nothing that the program has made of its sources before. */
export const withMutant = async (place, mutant, work) => {
  for (const name of made) rmSync(join(place, 'coverage', name), { force: true });
  const file = join(place, mutant.file);
  const text = readFileSync(file, 'utf8');
  writeFileSync(file, changed(text, mutant));
  try {
    return await work();
  } finally {
    writeFileSync(file, text);
  }
};
