/** The coverage of the contract by way of the control interface: that of a world, and at the main world the whole server's. */
import type { ControlHandlers } from './control-handlers.ts';
import { coverageRecord, figuresOf, type CoverageRecord } from '../coverage/coverage-figures.ts';
import { offeredBy } from '../coverage/offered-operations.ts';
import { coveragePagePolicy } from '../coverage/coverage-page.ts';
import { coverageFormats, coverageReport, type CoverageFormat } from '../coverage/coverage-report.ts';
import type { ServedContract } from '../traffic/corrected-body.ts';
import type { WorldObserver } from '../coverage/world-observer.ts';
import { mainName } from '../worlds/world-address.ts';
import type { World } from '../world.ts';

export type CoverageOptions = {
  readonly watching: WorldObserver;
  /** The repository's document as it is served at the moment. */
  readonly contract: () => ServedContract;
};

/** The coverage of a world; at the main world the sum of all worlds, those included that are gone. */
export const coverageHandlers = ({
  watching,
  contract,
}: CoverageOptions): Pick<ControlHandlers, 'getCoverage' | 'clearCoverage'> => {
  const recordOf = async ({ name, site }: World): Promise<CoverageRecord> => {
    const { backend, document } = contract();
    const counts = name === mainName ? await watching.total() : await watching.of(name).coverage.counts();
    return coverageRecord(offeredBy(backend.operations, document, [...site.roles.keys()]), counts);
  };
  return {
    getCoverage:
      async ({ query, headers }, world) =>
      async () => {
        const record = await recordOf(world);
        const format = query.format ?? acceptedFormat(headers['accept']);
        switch (format) {
          case 'html': {
            const headersOfPage = { 'Content-Security-Policy': coveragePagePolicy };
            return {
              status: 200,
              mediaType: 'text/html',
              body: coverageReport(record, format),
              headers: headersOfPage,
            };
          }
          case 'junit':
            return { status: 200, mediaType: 'application/xml', body: coverageReport(record, format) };
          case 'table':
            return { status: 200, mediaType: 'text/plain', body: coverageReport(record, format) };
          case 'json':
            return { status: 200, mediaType: 'application/json', body: { ...record, figures: figuresOf(record) } };
        }
      },
    clearCoverage: async (_request, world) => async () => {
      if (world.name === mainName) watching.clearTotal();
      else watching.of(world.name).coverage.clear();
      return { status: 204 };
    },
  };
};

const typesOfFormats: Readonly<Record<CoverageFormat, string>> = {
  table: 'text/plain',
  html: 'text/html',
  junit: 'application/xml',
  json: 'application/json',
};

/** The first of the media types that somebody asks for and that there is; JSON when there is none. */
const acceptedFormat = (accept = ''): CoverageFormat => {
  const asked = accept.split(',').map((range) => range.split(';', 1)[0]?.trim());
  const type = asked.find((each) => Object.values(typesOfFormats).some((known) => known === each));
  return coverageFormats.find((format) => typesOfFormats[format] === type) ?? 'json';
};
