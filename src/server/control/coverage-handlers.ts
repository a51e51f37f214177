/** Reports and clears the coverage of the contract. */
import { jsonReply, type ControlHandlers } from './control-handlers.ts';
import {
  coverageRecord,
  figuresOf,
  type CoverageRecord,
  offeredOperations,
} from '../../contract/coverage/coverage-figures.ts';
import { coveragePagePolicy } from '../coverage/coverage-page.ts';
import { coverageFormats, coverageReport, type CoverageFormat } from '../coverage/coverage-report.ts';
import { coverageRequestHandlers, type CoverageRequestOptions } from './coverage-request-handlers.ts';
import type { TrafficOptions } from './traffic-handlers.ts';
import { mainName } from '../../core/model/world-name.ts';
import type { World } from '../../core/world.ts';

/** The coverage of one world. The main world answers with the sum of all worlds, including dropped ones. */
export const coverageHandlers = (
  options: Pick<TrafficOptions, 'observer' | 'contract'> & Omit<CoverageRequestOptions, 'recordOf'>,
): Pick<ControlHandlers, 'getCoverage' | 'clearCoverage' | 'listCoverageRequests'> => {
  const { observer, contract } = options;
  const recordOf = async ({ name, site }: World): Promise<CoverageRecord> => {
    const { backend, document } = contract();
    const counts = name === mainName ? await observer.total() : await observer.of(name).coverage.counts();
    return coverageRecord(offeredOperations(backend.operations, document, [...site.roles.keys()]), counts);
  };
  return {
    ...coverageRequestHandlers({ ...options, recordOf }),
    getCoverage:
      async ({ query, headers: { accept } }, world) =>
      async () => {
        const record = await recordOf(world);
        const format = query.format ?? acceptedFormat(accept);
        switch (format) {
          case 'html': {
            const headers = { 'Content-Security-Policy': coveragePagePolicy };
            return { status: 200, mediaType: 'text/html', body: coverageReport(record, format), headers };
          }
          case 'junit':
            return { status: 200, mediaType: 'application/xml', body: coverageReport(record, format) };
          case 'table':
            return { status: 200, mediaType: 'text/plain', body: coverageReport(record, format) };
          case 'markdown':
            return { status: 200, mediaType: 'text/markdown', body: coverageReport(record, format) };
          case 'json':
            return jsonReply({ ...record, figures: figuresOf(record) });
        }
      },
    clearCoverage: async (_request, world) => async () => {
      if (world.name === mainName) await observer.clearTotal();
      else await observer.of(world.name).coverage.clear();
      return { status: 204 };
    },
  };
};

const typesOfFormats: Readonly<Record<CoverageFormat, string>> = {
  table: 'text/plain',
  html: 'text/html',
  junit: 'application/xml',
  json: 'application/json',
  markdown: 'text/markdown',
};

/** The format of the first accepted media type that is one of a coverage format, else JSON. */
const acceptedFormat = (accept = ''): CoverageFormat => {
  const accepted = accept.split(',').map((range) => range.split(';', 1)[0]?.trim());
  const type = accepted.find((each) => Object.values(typesOfFormats).some((known) => known === each));
  return coverageFormats.find((format) => typesOfFormats[format] === type) ?? 'json';
};
