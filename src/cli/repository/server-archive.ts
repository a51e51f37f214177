/** `atoll export --url` and `atoll import --url`: take a repository out of a running server, and put one in. */
import { Readable } from 'node:stream';
import { chunksOf } from '../../basics/byte-streams.ts';
import { ConfigurationError } from '../../basics/configuration-error.ts';
import { counted } from '../../basics/counted.ts';
import type { CommandContext } from '../command-context.ts';
import {
  controlOf,
  orConfigurationError,
  refuseOnDisk,
  sendCommand,
  type ServerOptions,
} from '../remote/server-connection.ts';
import { archiveAt, isTarFile, throwIfLost, withReceived, writePlace, writeTar } from './archive-places.ts';

/** Writes the repository of a world to a directory, or as it comes to a tar file. */
export const exportFromServer = async (
  server: ServerOptions,
  place: string,
  context: CommandContext,
): Promise<void> => {
  const { body } = await controlOf(server).open('exportRepository').catch(orConfigurationError);
  const archive = Readable.from(body === null ? [] : chunksOf(body), { objectMode: false });
  if (isTarFile(place)) {
    await writeTar(place, archive).catch(orBrokenOff);
    context.print(`Exported ${server.url} to ${place}.`);
    return;
  }
  await withReceived(archive, async ({ entities, counters, blobs, lost }) => {
    await writePlace(place, { entities, counters, blobsOf: () => blobs }, context);
    throwIfLost(lost, server.url);
  }).catch(orBrokenOff);
};

/** `fetch` says no more than "terminated" of a body that ended early. */
const orBrokenOff = (error: unknown): never => {
  if (!(error instanceof TypeError)) throw error;
  throw new ConfigurationError('The server broke the archive off before its end. Its log says why.');
};

/** Replaces everything in a world by what is at a place. What is on disk there is only replaced with `isSure`. */
export const importToServer = async (
  server: ServerOptions,
  place: string,
  { isSure, context }: { readonly isSure: boolean; readonly context: CommandContext },
): Promise<void> => {
  if (!isSure) await refuseOnDisk(server);
  const archive = Readable.toWeb(Readable.from(await archiveAt(place), { objectMode: false }));
  const body = archive as ReadableStream<Uint8Array>; // the same class with two types
  const { records } = await sendCommand(server, 'importRepository', { body });
  context.print(`Imported ${counted(records, 'record')} from ${place} to ${server.url}.`);
};
