/** `atoll selftest worlds`: tests on a server of its own that no world shows the changes of another. */
import type { Command } from 'commander';
import type { Atoll } from '../atoll.ts';
import { basicCredentials } from '../library/demo-accounts.ts';
import { inParallel, newNode, testWorlds, type WorldsTest } from './verify/selftest-worlds.ts';
import type { CommandContext } from './command-context.ts';
import { counted } from '../basics/counted.ts';
import { digitsParser } from './option-parsers.ts';

type WorldsOptions = Pick<WorldsTest, 'parallel' | 'ops' | 'seed'> & {
  readonly worlds: number;
  readonly nodes: number;
};

export const addSelftest = (program: Command, context: CommandContext): void => {
  program
    .command('selftest')
    .description('Try what this program promises, on a server of its own.')
    .command('worlds')
    .description('Write at random into many worlds at once; ends with 1 when one shows the change of another.')
    .option('--worlds <number>', 'how many worlds', readCount, 200)
    .option('--parallel <number>', 'how many clients', readCount, 32)
    .option('--ops <number>', 'how many writes in each world', readCount, 50)
    .option('--nodes <number>', 'how many nodes each begins with, at least 30', readCount, 1000)
    .option('--seed <text>', 'of what is written', 'atoll')
    .action((options: WorldsOptions) => selftest(options, context));
};

const readCount = digitsParser(/^[1-9]\d{0,5}$/, 'A whole number above 0 is wanted.');

const selftest = async ({ nodes, ...options }: WorldsOptions, context: CommandContext): Promise<void> => {
  const { startAtoll } = await import('../atoll.ts');
  const atoll = await startAtoll({ checkReplies: 'off', onError: (error) => context.warn(`atoll: ${String(error)}`) });
  try {
    const authorization = basicCredentials('admin', 'islandora');
    await fill(atoll, nodes, authorization);
    const worlds: string[] = [];
    for (let index = 0; index < options.worlds; index += 1) worlds.push((await atoll.world({ from: 'filled' })).url);
    const { writes, nodes: read, violations } = await testWorlds({ ...options, worlds, authorization, fetch });
    for (const violation of violations.slice(0, 20)) context.print(violation);
    context.print(
      [
        `${counted(worlds.length, 'world')}, ${counted(writes, 'write')} by ${counted(options.parallel, 'client')}, `,
        `${counted(read, 'node')} read: ${counted(violations.length, 'fault')}`,
      ].join(''),
    );
    if (violations.length > 0) context.exit(1);
  } finally {
    await atoll.close();
  }
};

/** Adds nodes to those of the starter fixture, and saves the snapshot that the worlds are forked from. */
const fill = async (atoll: Atoll, nodes: number, authorization: string): Promise<void> => {
  const numbers = Array.from({ length: Math.max(0, nodes - starterNodes) }, (_, at) => starterNodes + at + 1);
  await inParallel(numbers, 16, async (number) => {
    const response = await fetch(`${atoll.url}/node?_format=json`, {
      method: 'POST',
      headers: { Authorization: authorization, 'Content-Type': 'application/json' },
      body: newNode(`Node ${number}`),
    });
    if (response.status !== 201)
      throw new Error(`A node could not be made: ${response.status} ${await response.text()}`);
    await response.arrayBuffer();
  });
  await atoll.snapshots.save('filled');
};

const starterNodes = 30;
