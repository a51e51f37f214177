/** Reads the files of an OpenAPI document from the disk: those in the folder of its root document and below. */
import { realpath, stat } from 'node:fs/promises';
import { basename, dirname, relative, resolve, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { flawError } from '../../basics/configuration-error.ts';
import { readRegularFile, unreadableReason } from '../../basics/disk/regular-file.ts';
import { parseLocatedYaml, YamlSyntaxError } from '../../basics/yaml/located-yaml.ts';
import { documentBounds, type DocumentSource } from '../../openapi/openapi.ts';

/** Links that lead out of the folder are not followed. */
export const diskSource = (file: string): DocumentSource => {
  const root = resolve(file);
  const folder = dirname(root);
  const nameOf = (address: string): string => {
    const path = pathOf(address);
    if (path === undefined) return address;
    return path === root ? file : relative(process.cwd(), path) || basename(path);
  };
  return {
    address: pathToFileURL(root).href,
    nameOf,
    mayRead: (address) => {
      const path = pathOf(address);
      return path !== undefined && isBelow(path, folder);
    },
    read: async (address) => {
      const isRoot = address === pathToFileURL(root).href;
      try {
        return await readBelow(fileURLToPath(address), isRoot ? undefined : folder, nameOf(address));
      } catch (cause) {
        if (!isRoot) throw cause;
        const message = `cannot be read: ${cause instanceof Error ? cause.message : String(cause)}.`;
        throw flawError(
          { file: nameOf(address), rule: 'file', message, remedy: 'Name a document that is there with --document.' },
          cause,
        );
      }
    },
    parse: async (name, text) => {
      try {
        return await parseLocatedYaml(text);
      } catch (cause) {
        if (!(cause instanceof YamlSyntaxError)) throw cause;
        throw flawError(
          { file: name, line: cause.line, rule: 'yaml', message: `is not valid YAML: ${cause.message}.`, remedy: '' },
          cause,
        );
      }
    },
  };
};

/** Undefined for an address that no file of this machine has, such as one of a network, or with an encoded slash. */
const pathOf = (address: string): string | undefined => {
  try {
    const path = fileURLToPath(address);
    return path.includes('\0') ? undefined : path;
  } catch {
    return undefined;
  }
};

const isBelow = (path: string, folder: string): boolean =>
  path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);

/** Rejects with the reason for people. */
const readBelow = async (path: string, folder: string | undefined, name: string): Promise<Uint8Array> => {
  const explain = (cause: unknown): never => {
    throw new Error(unreadableReason(cause), { cause });
  };
  if (folder !== undefined && !isBelow(await realpath(path).catch(explain), await realpath(folder).catch(explain)))
    throw new Error('leads out of the folder of the document');
  const { size } = await stat(path).catch(explain);
  if (size > documentBounds.bytes) {
    const message = `is larger than ${documentBounds.bytes / 1024 / 1024} MB.`;
    throw flawError({ file: name, rule: 'too-large', message, remedy: 'Divide it.' });
  }
  return readRegularFile(path).catch(explain);
};
