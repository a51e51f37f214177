/** Reads a Dockerfile: its stages with their instructions, as far as ours uses the format. */

export type Instruction = { readonly name: string; readonly flags: ReadonlyMap<string, string>; readonly text: string };
export type Stage = { readonly name: string; readonly base: string; readonly instructions: readonly Instruction[] };

/** Throws for a line that is no instruction, and for one before the first stage. */
export const readDockerfile = (text: string): readonly Stage[] => {
  const stages: { name: string; base: string; instructions: Instruction[] }[] = [];
  const joined = text.replaceAll(/^\s*#.*\n/gm, '').replaceAll(/\\\n\s*/g, '');
  for (const line of joined.split('\n').filter((each) => each.trim() !== '')) {
    const [, name = '', rest = ''] = /^([A-Z]+) (.+)$/.exec(line) ?? [];
    if (name === '') throw new Error(`No instruction: ${line}`);
    if (name === 'FROM') {
      const [, base = '', stage = ''] = /^(\S+)(?: AS (\S+))?$/.exec(rest) ?? [];
      stages.push({ name: stage, base, instructions: [] });
      continue;
    }
    const stage = stages.at(-1);
    if (stage === undefined) throw new Error(`Before the first stage: ${line}`);
    const [flagText = ''] = /^(?:--\S+ )*/.exec(rest) ?? [];
    const flags = flagText
      .trim()
      .split(' ')
      .filter(Boolean)
      .map((flag) => flag.slice(2).split('=') as [string, string]); // --name=value
    stage.instructions.push({ name, flags: new Map(flags), text: rest.slice(flagText.length) });
  }
  return stages;
};

/** The words of an instruction: of its JSON form, or split at spaces. */
export const wordsOf = (text: string): readonly string[] =>
  text.startsWith('[') ? (JSON.parse(text) as string[]) : text.split(/\s+/);
