/** Runs the commands of a guide as they are printed, and compares what they print with what the guide shows. No tests here. */
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { wholeText } from '../../../scripts/whole-document.mjs';
import { root } from '../../support/atoll.ts';
import { freePort } from '../../support/free-port.ts';
import { programFile, signingKeyFile } from '../../support/program.ts';

/** Pages whose commands `guides.process.ts` runs. */
export const guides: readonly string[] = [
  'README.md',
  'llms.txt',
  'docs/use/first-ten-minutes.md',
  'docs/use/navigating.md',
  'docs/use/console.md',
  'docs/use/pages.md',
  'docs/use/caches.md',
  'docs/use/authentication.md',
  'docs/use/front-ends.md',
  'docs/use/own-site.md',
  'docs/use/own-documents.md',
  'docs/use/proxy.md',
  'docs/use/in-the-browser.md',
  'docs/use/lists.md',
  'docs/use/content-model.md',
  'docs/use/clients.md',
  'docs/use/tools.md',
  'docs/use/diff.md',
  'docs/use/verify.md',
  'docs/use/fixtures.md',
  'docs/use/limits.md',
  'docs/use/living-repository.md',
  'docs/use/recording.md',
  'docs/use/traffic-and-coverage.md',
  'docs/use/worlds.md',
  'docs/use/control-tokens.md',
  'docs/use/testing.md',
];

/** Commands of a page, and the output that it shows for them, if it does. */
export type Block = { readonly commands: string; readonly shown: string | undefined; readonly isRun: boolean };

/** The `sh` blocks of a page; an `output` block after one is what it prints. `sh not-run` marks those that cannot be run. */
export const blocksOf = (page: string): Block[] =>
  [...page.matchAll(/^```sh( not-run)?\n([\s\S]*?)^```$(?:\n+```output\n([\s\S]*?)^```$)?/gm)].map(
    ([, mark, commands = '', shown]) => ({ commands, shown, isRun: mark === undefined }),
  );

/** What a block has printed, beside what the guide shows. */
export type Run = { readonly block: Block; readonly printed: string };

const execute = promisify(execFile);

/** The program. A server gets the key that tests keep: a new one for each start would cost more than most commands. */
const atollCommand = `#!/bin/sh
case "$*" in
  *--replay*) ;;
  serve* | exec*) name=$1; shift; set -- "$name" --jwt-key '${signingKeyFile}' "$@" ;;
esac
exec '${process.execPath}' '${programFile}' "$@"
`;

/** The package as it is packed: the document of the repository leaves its HEAD operations out. */
const placePackage = async (folder: string): Promise<void> => {
  await mkdir(folder);
  const names = (await readdir(root)).filter((name) => name !== 'openapi.yaml');
  await Promise.all(names.map((name) => symlink(join(root, name), join(folder, name))));
  await writeFile(join(folder, 'openapi.yaml'), await wholeText(await readFile(join(root, 'openapi.yaml'), 'utf8')));
};

/**
 * Runs the blocks of a page one after the other in one shell, in a new folder where `atoll` is the program and
 * `node_modules/atoll-server` the package, against the server at `url`. Rejects with what was written to standard error when a command fails.
 */
export const runGuide = async (page: string, url: string): Promise<Run[]> => {
  const blocks = blocksOf(await readFile(join(root, page), 'utf8')).filter(({ isRun }) => isRun);
  const folder = await mkdtemp(join(tmpdir(), 'atoll-guide-'));
  try {
    await mkdir(join(folder, 'node_modules/.bin'), { recursive: true });
    await placePackage(join(folder, 'node_modules/atoll-server'));
    await writeFile(join(folder, 'node_modules/.bin/atoll'), atollCommand, { mode: 0o755 });
    const places = await placesOf(url);
    const script = blocks.map(({ commands }) => `echo '${mark}'\n${commands}`).join('\n');
    const { stdout } = await execute('bash', ['-euo', 'pipefail', '-c', `${endWithIt}\n${places.written(script)}`], {
      cwd: folder,
      timeout: 60_000,
      env: { ...process.env, PATH: [join(folder, 'node_modules/.bin'), process.env['PATH'] ?? ''].join(delimiter) },
    });
    const printed = places.read(stdout).split(`${mark}\n`).slice(1);
    return blocks.map((block, index) => ({ block, printed: printed[index] ?? '' }));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};

/**
 * Runs the blocks below `<!-- walk -->` marks in one shell, in a new folder where `atoll` is the program, against the server
 * at `url` in the place of port 8000. Returns what each block has printed.
 */
export const walkGuide = async (page: string, url: string): Promise<string[]> => {
  const text = await readFile(join(root, page), 'utf8');
  const blocks = [...text.matchAll(/<!-- walk -->\n+```sh\n([\s\S]*?)```/g)].map(([, block = '']) => block);
  const folder = await mkdtemp(join(tmpdir(), 'atoll-guide-'));
  try {
    await writeFile(join(folder, 'atoll'), `#!/bin/sh\nexec '${process.execPath}' '${programFile}' "$@"\n`, {
      mode: 0o755,
    });
    const script = blocks
      .map((block) => `echo '${mark}'\n${block}`)
      .join('\n')
      .replaceAll('http://localhost:8000', url)
      .replaceAll(/atoll faults (\w+)/g, `atoll faults $1 --url ${url}`);
    const { stdout } = await execute('bash', ['-euo', 'pipefail', '-c', script], {
      cwd: folder,
      env: { ...process.env, PATH: `${folder}${delimiter}${process.env['PATH'] ?? ''}` },
    });
    return stdout.split(`${mark}\n`).slice(1);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};

const mark = '== the next block';

/** What a guide starts beside itself ends with it, also when a command fails. */
const endWithIt = `trap 'kill $(jobs -p) 2> /dev/null || true' EXIT`;

/** Commands that ask the server at port 8000 unless they are told of another. */
const asksServer =
  /\batoll (?:(?:world|snapshot|clock|faults|control-tokens) \w+|traffic(?: assert| clear)?|coverage (?:report|requests|check|clear)|reset|reload|ls|token|env)\b(?!.*--(?:url|input))/g;

/** Guides speak of port 8000, and of 8010 and 8020 for servers that they start themselves; tests take what is free. */
const placesOf = async (url: string) => {
  const running = new URL(url).port;
  const [second, third] = [String(await freePort()), String(await freePort())];
  return {
    written: (text: string): string =>
      text
        .replaceAll('8010', second)
        .replaceAll('8020', third)
        .replaceAll('localhost:8000', `localhost:${running}`)
        .replaceAll(asksServer, `$& --url ${url}`),
    read: (text: string): string =>
      text.replaceAll(second, '8010').replaceAll(third, '8020').replaceAll(`localhost:${running}`, 'localhost:8000'),
  };
};

/** What a guide shows as a pattern: `…` stands for anything on the same line, a line of its own for any lines. */
export const patternOf = (shown: string): RegExp => {
  const lines = shown
    .trim()
    .split('\n')
    .map((line) => (line.trim() === '…' ? '[\\s\\S]*?' : lineOf(line)));
  return new RegExp(`^${lines.join('\\s*\\n')}$`);
};

const lineOf = (line: string): string =>
  line
    .trimEnd()
    .split('…')
    .map((part) => part.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&'))
    .join('.*');
