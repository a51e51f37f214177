/** The part `checks` as the command line has it: its commands, and what commands of others take of it. */
import { repositorySite } from '../../repository/repository.ts';
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

export const readRecorded: ChecksPart['readRecorded'] = async (directory, site, context) =>
  (await import('./recorded-content.ts')).readRecorded(directory, repositorySite(site), context);

export const walkedTable: ChecksPart['walkedTable'] = async (base, from) => {
  const [{ anonymousName, audit, auditTable }, { basicCredentials }] = await Promise.all([
    import('../../checks/links-audit/audit.ts'),
    import('../../basics/formats/basic-credentials.ts'),
  ]);
  const admin = { name: 'admin', headers: { Authorization: basicCredentials('admin', 'islandora') } };
  return auditTable(await audit({ base, from, visitors: [{ name: anonymousName, headers: {} }, admin] }));
};
