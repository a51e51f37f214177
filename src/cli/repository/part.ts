/** The repository as the command line has it: what a server of it hosts, and the commands that read or write its content. */
import type { CommandsByName, RepositoryPart } from '../command-context.ts';

export const loadApplication: RepositoryPart['loadApplication'] = async () =>
  (await import('../../application/application-disk.ts')).repositoryOnDisk;

export const loadFaults: RepositoryPart['loadFaults'] = async () =>
  (await import('../../application/application.ts')).repositoryApplication.faults;

export const loadCommands = async (): Promise<CommandsByName> => {
  const [check, env, exported, fixture, password, imported, records, token] = await Promise.all([
    import('./check.ts'),
    import('./env.ts'),
    import('./export.ts'),
    import('./fixture.ts'),
    import('./hash-password.ts'),
    import('./import.ts'),
    import('./list-records.ts'),
    import('./token.ts'),
  ]);
  return {
    ...{ check: check.addCheck, env: env.addEnv, export: exported.addExport, fixture: fixture.addFixture },
    ...{
      'hash-password': password.addHashPassword,
      import: imported.addImport,
      ls: records.addLs,
      token: token.addToken,
    },
  };
};
