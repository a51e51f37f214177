/** Measures what a start costs the processor: from the call until the first answer was sent. */
import { startContender } from './contenders.mjs';

/** The mean of milliseconds for each, in interleaved rounds: a tick of the kernel's count is ten milliseconds. */
export const startCost = async (starts, rounds) => {
  const sums = starts.map(() => 0);
  for (let round = 0; round < rounds; round += 1) {
    for (const [index, { args, path }] of starts.entries()) {
      const server = await startContender('start', args, path);
      sums[index] += server.cpuMs();
      await server.stop();
    }
  }
  return sums.map((sum) => sum / rounds);
};
