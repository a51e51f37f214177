/** `atoll coverage requests`: for each status of the document that no client has met, the request that would meet it. */
import type { Command } from 'commander';
import { sendCommand, withServer, type Schemas, type ServerOptions } from './server-connection.ts';
import { inScope, withScope, type ScopeOptions } from '../coverage-scope-options.ts';
import type { CommandContext } from '../command-context.ts';
import { cellsOf, type CoverageRecord } from '../../coverage/coverage-figures.ts';

type RequestsOptions = ServerOptions & ScopeOptions & { readonly all?: boolean; readonly json?: boolean };

export const addCoverageRequests = (coverage: Command, context: CommandContext): void => {
  withScope(withServer(coverage.command('requests')))
    .description('Show requests that would meet what is not met yet.')
    .option('--all', 'also what is met already')
    .option('--json', 'print JSON lines')
    .action(async ({ all, json, only, ignore, ...server }: RequestsOptions) => {
      const record = await sendCommand<CoverageRecord>(server, 'GET', '/coverage?format=json');
      const scope = inScope(record, { ...(only && { only }), ...(ignore && { ignore }) });
      const wanted = new Set(cellsOf(scope, 'statuses').map(({ operation, name }) => `${operation} ${name}`));
      const operations = new Set(scope.offered.map(({ operation }) => operation));
      // One operation needs no search for all the others.
      const [operation] = operations.size === 1 ? operations : [];
      const query = new URLSearchParams({
        ...(operation !== undefined && { operation }),
        ...(all !== true && { met: 'unmet' }),
      });
      const path = `/coverage/requests?${query.toString()}`;
      const { requests } = await sendCommand<Schemas['CoverageRequests']>(server, 'GET', path);
      for (const request of requests) {
        if (!wanted.has(`${request.operation} ${request.status}`)) continue;
        context.print(json === true ? JSON.stringify(request) : linesOf(request));
      }
    });
};

const linesOf = ({ operation, status, explanation, curl }: Schemas['CoverageRequest']): string =>
  [
    `# ${operation} ${status}: ${explanation.replace(/\s+/g, ' ')}`,
    curl ?? '# There is no request that surely meets it.',
    '',
  ].join('\n');
