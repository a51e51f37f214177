/** Serves configuration as the real site has exported it, with what the site's files say otherwise since the import. */
import type { Site } from '../../src/repository/repository.ts';

const isNothing = (value: unknown): boolean => value === undefined || value === null || value === '';

/**
 * The object of this name as it was exported. `made` is what the site's files say of it: members that the export does not have, and
 * `own` members where the files say something else by now. Without an export all of it is made.
 */
export const asExported = <T extends object>(
  { exported }: Pick<Site, 'exported'>,
  name: string,
  made: T,
  own: readonly string[],
): T => {
  const content = exported.get(name);
  if (content === undefined) return made;
  const ours = new Map<string, unknown>(Object.entries(made));
  const changed = own.filter((member) => !isNothing(ours.get(member)) || !isNothing(content[member]));
  return {
    ...content,
    ...made,
    ...content,
    ...Object.fromEntries(changed.map((member) => [member, ours.get(member)])),
  };
};
