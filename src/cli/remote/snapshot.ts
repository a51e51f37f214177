/** `atoll snapshot save|load|rm|ls`: saves, restores, deletes and lists snapshots of a world of a running server. */
import type { Command } from 'commander';
import { sendCommand, withServer, type Schemas, type ServerOptions } from './server-connection.ts';
import type { CommandContext } from '../command-context.ts';
import { textParser } from '../option-parsers.ts';

const readName = textParser(
  /^[A-Za-z0-9][\w.-]{0,99}$/,
  'The name of a snapshot has 1 to 100 letters, digits, dots, hyphens and underscores, and begins with a letter or digit.',
);

export const addSnapshot = (program: Command, context: CommandContext): void => {
  const snapshot = program.command('snapshot').description('States of a world, kept by the server while it runs.');
  const add = (command: string, description: string, method: string): void => {
    withServer(snapshot.command(command))
      .description(description)
      .argument('<name>', 'the name of the snapshot', readName)
      .action((name: string, server: ServerOptions) =>
        sendCommand(server, method, `/snapshots/${encodeURIComponent(name)}`),
      );
  };
  add('save', 'Keep the state of the world under a name.', 'PUT');
  add('load', 'Put the world into a state that was kept.', 'POST');
  add('rm', 'Delete a snapshot.', 'DELETE');
  withServer(snapshot.command('ls'))
    .description('List the snapshots.')
    .action(async (server: ServerOptions) => {
      const { snapshots } = await sendCommand<Schemas['SnapshotList']>(server, 'GET', '/snapshots');
      for (const { name, saved } of snapshots) context.print(`${saved}  ${name}`);
    });
};
