/** The part `browser` as the command line has it: its commands. */
import type { CommandsByName } from '../command-context.ts';

export const loadCommands = async (): Promise<CommandsByName> => {
  const [{ addDemo }, { addPrepare }] = await Promise.all([import('./demo.ts'), import('./prepare.ts')]);
  return { demo: addDemo, prepare: addPrepare };
};
