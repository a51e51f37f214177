/** `atoll links audit`: follows the links of a running server and reports the wrong ones. `links-audit/` does the audit. */
import { InvalidArgumentError, type Command } from 'commander';
import { ConfigurationError } from '../../basics/configuration-error.ts';
import type { CommandContext } from '../command-context.ts';
import { reportReader, type ReportFile, writeReportFiles } from '../report-files.ts';
import { withUrl } from '../remote/server-connection.ts';

type Visitor = { readonly name: string; readonly password?: string };

/** The one without credentials. */
const anonymous: Visitor = { name: 'anonymous' };

type AuditCommandOptions = {
  readonly url: string;
  readonly as?: readonly Visitor[];
  readonly from?: readonly string[];
  readonly report?: readonly ReportFile<'junit'>[];
};

export const addLinksAudit = (program: Command, context: CommandContext): void => {
  const links = program.command('links').description('Work with the links of a server.');
  withUrl(links.command('audit'), 'the base URL of the server')
    .description('Follow the links of a running server and report broken rules; ends with 1 when there are any.')
    .option('--as <identity>', 'the account that follows: anonymous, or name:password; may be repeated', addIdentity)
    .option('--from <path>', 'where to start: the path of a node; may be repeated (default: /node/1)', addPath)
    .option('--report <junit=file>', 'also write a JUnit report', reportReader('junit'))
    .action((options: AuditCommandOptions) => run(options, context));
};

const addIdentity = (text: string, before: readonly Visitor[] = []): Visitor[] => {
  if (text === anonymous.name) return [...before, anonymous];
  const colon = text.indexOf(':');
  if (colon < 1) throw new InvalidArgumentError('An identity is "anonymous" or "name:password".');
  return [...before, { name: text.slice(0, colon), password: text.slice(colon + 1) }];
};

const addPath = (text: string, before: readonly string[] = []): string[] => {
  if (!text.startsWith('/')) throw new InvalidArgumentError('A path begins with a slash.');
  return [...before, text];
};

const run = async (options: AuditCommandOptions, context: CommandContext): Promise<void> => {
  const { auditLinks } = await import('../../checks/checks.ts');
  const result = await auditLinks({
    base: options.url,
    from: (options.from ?? ['/node/1']).map((path) => options.url + path),
    as: options.as ?? [anonymous],
  });
  if (result.findings.length === 0 && result.walks.every(({ pages }) => pages.size === 0)) {
    throw new ConfigurationError('None of the visitors may see where the audit starts. Name other nodes with --from.');
  }
  context.print(result.toText());
  await writeReportFiles(options.report, () => result.toJunit());
  if (result.findings.length > 0) context.exit(1);
};
