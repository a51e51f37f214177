/** `atoll collection`: writes the document as a collection of requests for Postman or Bruno. */
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { Argument, type Command } from 'commander';
import type { DocumentObject } from '../../openapi/openapi-terms.ts';
import { ConfigurationError } from '../../basics/configuration-error.ts';
import type { CommandContext } from '../command-context.ts';
import { fetchRunningServer } from '../remote/server-connection.ts';

type CollectionOptions = {
  readonly site?: string;
  readonly url?: string;
  readonly baseUrl: string;
  readonly out?: string;
};

export const addCollection = (program: Command, context: CommandContext): void => {
  program
    .command('collection')
    .description('Write a collection of requests, one for each operation, that runs from top to bottom.')
    .addArgument(new Argument('<tool>', 'whose format').choices(['postman', 'bruno']))
    .option('--site <name|dir>', 'the site: starter-site, or a directory (default: the built-in site)')
    .option('--url <url>', 'read the document of a running server instead, with its overlays')
    .option('--base-url <url>', 'the address that the requests go to', 'http://localhost:8000')
    .option('--out <path>', 'the file for Postman (default: standard output), the new directory for Bruno')
    .action((tool: string, options: CollectionOptions) => write(tool, options, context));
};

const write = async (tool: string, options: CollectionOptions, context: CommandContext): Promise<void> => {
  if (tool === 'bruno' && options.out === undefined) {
    throw new ConfigurationError('A collection of Bruno is a directory. Name a new one with --out.');
  }
  const collection = await collect(options, context);
  if (options.out === undefined) context.print(collection.toPostman().trimEnd());
  else if (tool === 'postman') await writeText(resolve(options.out), collection.toPostman());
  else await writeFolder(resolve(options.out), collection.toBruno());
  if (options.out !== undefined) context.print(`Wrote ${collection.count} requests to ${options.out}.`);
};

const collect = async ({ site, url, baseUrl }: CollectionOptions, { root, prepared }: CommandContext) => {
  // Loaded here, because no other command writes collections.
  const { collectionOfDocument, collectionOfSite } = await import('../../sites/sites.ts');
  return url === undefined
    ? collectionOfSite({ root, prepared, site }, baseUrl)
    : collectionOfDocument(await documentOfServer(url));
};

const documentOfServer = async (url: string): Promise<DocumentObject> => {
  const address = `${url.replace(/\/+$/, '')}/openapi.json`;
  const response = await fetchRunningServer(address);
  const document: unknown = response.ok ? await response.json().catch(() => undefined) : undefined;
  if (typeof document === 'object' && document !== null && 'paths' in document) return document as DocumentObject; // just looked at
  throw new ConfigurationError(`${address} has no OpenAPI document. Name an Atoll with --url.`);
};

const writeFolder = async (folder: string, files: readonly { name: string; text: string }[]): Promise<void> => {
  const present = await readdir(folder).catch(() => []);
  if (present.length > 0) throw new ConfigurationError(`--out ${folder}: is not empty. Name a new directory.`);
  for (const { name, text } of files) await writeText(join(folder, name), text);
};

const writeText = async (file: string, text: string): Promise<void> => {
  try {
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
  } catch (cause) {
    throw new ConfigurationError(`--out ${file}: cannot be written. Name another place.`, { cause });
  }
};
