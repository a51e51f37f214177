/** Reads the records and files out of a recording for the commands that store them, and says which are left out. */
import { contentRules } from '../../application/content/content-rules.ts';
import type { RepositoryType, Site } from '../../repository/repository.ts';
import type { RecordedFixture } from '../../checks/recording/fixture/recorded-fixture.ts';
import { counted } from '../../basics/counted.ts';
import { ConfigurationError } from '../../basics/configuration-error.ts';
import { contentFaults } from '../../server/server-worlds.ts';
import { refuse } from '../../server/server-application.ts';
import type { CommandContext, RecordedContent } from '../command-context.ts';

/** Writes a line to standard error for all that was left out. Throws `ConfigurationError` for a recording without records. */
export const readRecorded = async (
  directory: string,
  site: Site,
  context: CommandContext,
): Promise<RecordedContent> => {
  const [{ readRecording }, { recordedFixture }] = await Promise.all([
    import('../../exchange/exchange-files.ts'),
    import('../../checks/recording/fixture/recorded-fixture.ts'),
  ]);
  const recorded = recordedFixture(await readRecording(directory), site);
  for (const note of recorded.notes) context.warn(note);
  if (recorded.entities.length === 0) {
    throw new ConfigurationError(
      `${directory}: no answer of it shows a record that the site has. Record GETs with ?_format=json, or name another --site.`,
    );
  }
  refuse(directory, await contentFaults(recorded, recorded.blobs, { rules: contentRules, site }));
  return { ...recorded, summary: recordedText(recorded) };
};

const nouns: { readonly [T in RepositoryType]: readonly [one: string, many: string] } = {
  node: ['node', 'nodes'],
  media: ['media', 'media'],
  file: ['file', 'files'],
  taxonomy_term: ['term', 'terms'],
  user: ['account', 'accounts'],
  path_alias: ['alias', 'aliases'],
  redirect: ['redirect', 'redirects'],
};

/** `3 nodes, 2 media, 1 file` */
const recordedText = ({ counts }: RecordedFixture): string =>
  [...counts]
    .filter(([, count]) => count > 0)
    .map(([type, count]) => counted(count, ...nouns[type]))
    .join(', ');
