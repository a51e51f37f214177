/** The commands of `docs/use/sdks.md`: what a reader types is what the suite runs. */
import { readFileSync } from 'node:fs';

const guide = new URL('../../../docs/use/sdks.md', import.meta.url);

/** The commands of the blocks that the guide marks with `<!-- sdk: name -->`, one a line, with their continuations. */
export const commandsOf = (name) => {
  const text = readFileSync(guide, 'utf8');
  const blocks = [...text.matchAll(/<!-- sdk: ([\w-]+) -->\n+```sh\n([\s\S]*?)```/g)];
  const commands = blocks
    .filter(([, marked]) => marked === name)
    .flatMap(([, , block]) => block.replaceAll(/\\\n\s*/g, '').split('\n'))
    .filter((line) => line !== '');
  if (commands.length === 0) throw new Error(`docs/use/sdks.md has no commands for ${name}.`);
  return commands;
};
