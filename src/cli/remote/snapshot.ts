/** `atoll snapshot save|load|rm|ls`: the snapshots of a world of a running server. */
import type { Command } from 'commander';
import type { components } from '../../generated/control.ts';
import { askControl, withServer, type ServerOptions } from './ask-control.ts';
import type { CommandContext } from '../serve.ts';

/** Adds the commands to the program. */
export const addSnapshot = (program: Command, context: CommandContext): void => {
  const snapshot = program.command('snapshot').description('States of a world, kept by the server while it runs.');
  const add = (command: string, description: string, method: string): void => {
    withServer(snapshot.command(command), context)
      .description(description)
      .argument('<name>', 'the name of the snapshot')
      .action(async (name: string, server: ServerOptions) => {
        await askControl(server, method, `/snapshots/${encodeURIComponent(name)}`);
      });
  };
  add('save', 'Keep the state of the world under a name.', 'PUT');
  add('load', 'Put the world into a state that was kept.', 'POST');
  add('rm', 'Delete a snapshot.', 'DELETE');
  withServer(snapshot.command('ls'), context)
    .description('List the snapshots.')
    .action(async (server: ServerOptions) => {
      const { snapshots } = await askControl<components['schemas']['SnapshotList']>(server, 'GET', '/snapshots');
      for (const { name, saved } of snapshots) context.print(`${saved}  ${name}`);
    });
};
