/** The part `checks` as the command line has it: its commands, and what commands of others take of it. */
import type { ChecksPart, CommandsByName } from '../command-context.ts';

export const loadCommands = async (): Promise<CommandsByName> => {
  const [{ addLinksAudit }, { addProxy }, { addTwin }, { addVerify }] = await Promise.all([
    import('./links-audit.ts'),
    import('./proxy.ts'),
    import('./twin.ts'),
    import('./verify.ts'),
  ]);
  return { links: addLinksAudit, proxy: addProxy, twin: addTwin, verify: addVerify };
};

export const serveRecording: ChecksPart['serveRecording'] = async (...given) =>
  (await import('./serve-recording.ts')).serveRecording(...given);

export const readRecorded: ChecksPart['readRecorded'] = async (directory, site, { warn }) =>
  (await import('../../checks/checks-recording.ts')).readRecordedContent(directory, site, warn);

export const walkedTable: ChecksPart['walkedTable'] = async (base, from) => {
  const { auditLinks } = await import('../../checks/checks.ts');
  const as = [{ name: 'anonymous' }, { name: 'admin', password: 'islandora' }];
  return (await auditLinks({ base, from, as })).toText();
};
