/** `atoll check --repair`: makes a damaged data directory start again, and says what is lost. */
import { indexKeys } from '../core/content/index-keys.ts';
import { repairStore } from '../storage/journal/repair.ts';
import { isStoreDamaged } from '../storage/journal/store-damaged.ts';
import { readStoredRepository } from '../storage/journal/stored-repository.ts';
import type { CommandContext } from './command-context.ts';

/** Repairs the directory if it does not start. Prints one line for each loss, and where the old files are. */
export const repairDirectory = async (directory: string, context: CommandContext): Promise<void> => {
  const damage = await damageOf(directory);
  if (damage === undefined) {
    context.print('Nothing has to be repaired.');
    return;
  }
  context.print(damage);
  const { lost, keptIn, records } = await repairStore(directory, indexKeys);
  for (const loss of lost) context.print(`lost: ${loss}`);
  context.print(`Kept ${records} records. The files as they were are in ${keptIn}.`);
  context.print('Stored bytes that no record names stay until you remove that folder.');
};

/** The message of what keeps the directory from starting. */
const damageOf = async (directory: string): Promise<string | undefined> => {
  try {
    await readStoredRepository(directory, () => Promise.resolve());
    return undefined;
  } catch (error) {
    if (!isStoreDamaged(error)) throw error;
    return error.message;
  }
};
