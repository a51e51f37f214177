/** `atoll prepare`: writes a site as one module or service worker, which serves it where there is no Node. */
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import type { Command } from 'commander';
import type { SiteParts } from '../../browser/browser.ts';
import { counted } from '../../basics/counted.ts';
import { ConfigurationError } from '../../basics/configuration-error.ts';
import { unreadableReason } from '../../basics/disk/regular-file.ts';
import type { CommandContext } from '../command-context.ts';
import { parserOf } from '../options/option-parsers.ts';
import { addDrupalOptions, importLine, importSourceOf, type DrupalOptions } from '../options/drupal-options.ts';
import { refuseContradictions } from '../options/start-options.ts';
import { repeated } from '../../basics/options/option-kinds.ts';

type PrepareOptions = DrupalOptions & {
  readonly out: string;
  readonly site?: string;
  readonly fixture?: readonly string[];
  readonly seed?: string;
  readonly overlay?: readonly string[];
  readonly bytes?: string;
  readonly bytesUrl?: string;
  readonly serviceWorker?: boolean;
};

/** A page reads all of a module before it begins. */
const mostHeldBytes = 32 * 1024 * 1024;

export const addPrepare = (program: Command, context: CommandContext): void => {
  const command = program
    .command('prepare')
    .description('Write a site as one module for atoll-server/browser, which needs no server.')
    .requiredOption('--out <file>', 'the module: its name ends with .js or .mjs; its types are written next to it')
    .option('--site <name|dir>', 'the site: starter-site, or a directory (default: the built-in site)')
    .option(
      '--fixture <name|path>',
      'what a repository can begin with, as for serve; may be repeated, the first is taken unless another is named (default: starter, or sample where that does not fit the site)',
      parserOf(repeated('<name|path>')),
    )
    .option('--seed <text>', 'the seed of a sample')
    .option('--overlay <file>', 'an OpenAPI Overlay over the document; may be repeated', parserOf(repeated('<file>')))
    .option('--bytes <dir>', 'a folder for the bytes of files, which are otherwise in the module')
    .option('--service-worker', 'a service worker with the site inside, instead of a module')
    .option('--bytes-url <url>', 'with --bytes: the address of that folder (default: its name, relative to the page)');
  addDrupalOptions(command).action((options: PrepareOptions) => {
    refuseContradictions(command);
    return prepare(options, context);
  });
};

const prepare = async (options: PrepareOptions, context: CommandContext): Promise<void> => {
  const [ending] = /\.m?js$/.exec(options.out) ?? [];
  if (ending === undefined) {
    throw new ConfigurationError(
      `--out ${options.out}: it is a module of JavaScript. Name a file that ends with .js or .mjs.`,
    );
  }
  if (options.bytesUrl !== undefined && options.bytes === undefined) {
    throw new ConfigurationError('--bytes-url goes with --bytes. Add it.');
  }
  // Loaded here, because few commands prepare a site.
  const { heldBytesOf, isPreparedText, preparedModule, preparedWorker, prepareSite } =
    await import('../../browser/browser.ts');
  const parts = await prepareSite({
    ...{
      root: context.root,
      prepared: context.prepared,
      site: options.site,
      drupalConfig: importSourceOf(options, context.rim),
    },
    ...{ fixtures: options.fixture, seed: options.seed, overlays: options.overlay, warn: context.warn },
  });
  if (parts.imported !== undefined) context.warn(importLine(parts.imported));
  const out = resolve(options.out);
  await refuseForeign(out, (text) => isPreparedText(text, 'script'));
  const held = heldBytesOf(parts.fixtures);
  if (options.bytes === undefined && held > mostHeldBytes) {
    throw new ConfigurationError(
      `The files of the fixtures have ${megabytes(held)}, too many for a module (${megabytes(mostHeldBytes)}). Name a folder for them with --bytes.`,
    );
  }
  const bytesUrl = options.bytes === undefined ? undefined : addressOf(options.bytes, options.bytesUrl);
  const isWorker = options.serviceWorker === true;
  const { text, types, files } = isWorker
    ? { ...preparedWorker(parts, await readEngine(context.root), bytesUrl), types: undefined }
    : preparedModule(parts, bytesUrl);
  for (const [name, bytes] of files) await write('bytes', join(resolve(options.bytes ?? '.'), name), bytes);
  if (types !== undefined) {
    const typesFile = out.slice(0, -ending.length) + ending.replace('.', '.d.').replace('js', 'ts');
    await refuseForeign(typesFile, (earlier) => isPreparedText(earlier, 'types'));
    await write('out', typesFile, types);
  }
  await write('out', out, text);
  context.print(
    `Wrote ${options.out} (${megabytes(Buffer.byteLength(text))}): the site ${parts.name} with ${fixtureNames(parts)}. ` +
      (isWorker
        ? "Start it: startServiceWorker({ script: … }) of 'atoll-server/service-worker'."
        : "Serve it: createAtoll({ site }) of 'atoll-server/browser'."),
  );
};

/** A file that was not prepared is somebody's own. */
const refuseForeign = async (path: string, isOurs: (text: string) => boolean): Promise<void> => {
  const text = await readFile(path, 'utf8').catch(() => undefined);
  if (text === undefined || isOurs(text)) return;
  throw new ConfigurationError(`--out: ${path} is there and was not written by atoll prepare. Move it away.`);
};

const readEngine = async (root: string): Promise<string> => {
  const file = join(root, 'dist/browser/engine.js');
  try {
    return await readFile(file, 'utf8');
  } catch (cause) {
    const remedy = 'The program is not built. In its repository: npm run build';
    throw new ConfigurationError(`${file} cannot be read. ${remedy}`, { cause });
  }
};

const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;

const addressOf = (folder: string, url = basename(resolve(folder))): string => (url.endsWith('/') ? url : `${url}/`);

const fixtureNames = ({ fixtures }: SiteParts): string =>
  Object.entries(fixtures)
    .map(([name, { entities, blobs }]) => {
      const files = counted(Object.keys(blobs).length, 'file');
      return entities.length === 0 ? name : `${name} (${counted(entities.length, 'record')}, the bytes of ${files})`;
    })
    .join(' and ');

/** Who reads the file meanwhile sees the earlier one or the new one. Throws `ConfigurationError`. */
const write = async (option: string, path: string, content: string | Uint8Array): Promise<void> => {
  const temporary = `${path}.${process.pid}.tmp`;
  try {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(temporary, content);
    await rename(temporary, path);
  } catch (cause) {
    await rm(temporary, { force: true }).catch(() => undefined);
    throw new ConfigurationError(`--${option}: ${path} cannot be written: ${unreadableReason(cause)}.`, { cause });
  }
};
