/** Reports and clears the coverage of the contract, and lists requests that would raise it. */
import { type ServedContract, curlLines, createFindRequest } from '../../contract/contract.ts';
import {
  coverageCells,
  coverageOf,
  type CoverageRecord,
  coverageFigures,
  scopedCoverage,
} from '../../contract/contract-coverage.ts';
import { readMediaType } from '../../openapi/openapi-terms.ts';
import { createLruMap } from '../../basics/lru-map.ts';
import {
  type HostedOperation,
  type HostedWorld,
  type AnswerRequest,
  mainName,
  jsonReply,
} from '../../openapi/openapi-host.ts';
import {
  type CoverageFormat,
  coverageFormats,
  coveragePagePolicy,
  coverageReport,
} from '../coverage/coverage-report.ts';
import type { Worlds } from '../worlds/worlds.ts';
import type { ControlHandlers } from './control-handlers.ts';
import type { TrafficOptions } from './traffic-handlers.ts';

/** Lists requests that meet the statuses of the document, for clients that want to cover the rest. */
type CoverageRequestOptions = {
  readonly worlds: Worlds;
  readonly contract: () => ServedContract;
  /** Answers a request in a copy of a world, which nobody else sees. */
  readonly dryRun: AnswerRequest;
  readonly recordOf: (world: HostedWorld) => Promise<CoverageRecord>;
};

const coverageRequestHandlers = (options: CoverageRequestOptions): Pick<ControlHandlers, 'listCoverageRequests'> => {
  const find = createCachedFind(options);
  return {
    listCoverageRequests:
      async ({ query }, world) =>
      async () => {
        const { operations } = options.contract().backend;
        const cells = coverageCells(await options.recordOf(world), 'statuses').filter(
          ({ operation, name, count }) =>
            (query.operation === undefined || operation === query.operation) &&
            (query.status === undefined || name === query.status) &&
            (query.met === undefined || (query.met === 'met') === count > 0),
        );
        const found = await find(
          world.name,
          cells.map(({ operation, name }) => ({
            operation: operations.find(({ id }) => id === operation),
            status: Number(name),
          })),
        );
        return jsonReply({
          requests: cells.map(({ operation, name, count }, at) => {
            const { steps = [], explanation = '' } = found[at] ?? {};
            return {
              ...{ operation, status: Number(name), count, explanation },
              curl: steps.length === 0 ? null : curlLines(steps, world.baseUrl),
              steps,
            };
          }),
        });
      },
  };
};

type FindRequest = Awaited<ReturnType<typeof createFindRequest>>;
type FoundRequest = Awaited<ReturnType<FindRequest>>;

type Cell = { readonly operation: HostedOperation | undefined; readonly status: number };
type FindRequests = (world: string, cells: readonly Cell[]) => Promise<readonly (FoundRequest | undefined)[]>;

/** The requests for a world: `now` for its records as they are, `last` for whatever they were when each was searched last. */
type FoundRequests = {
  readonly contract: ServedContract;
  /** Weak: old records are not kept for this. */
  readonly revision: WeakRef<object>;
  readonly now: Map<string, Promise<FoundRequest>>;
  readonly last: Map<string, FoundRequest>;
};

const cellKey = (operation: HostedOperation, status: number): string => `${operation.id} ${status}`;

/** The most worlds whose requests are remembered. */
const rememberedWorlds = 64;

/**
 * The requests found for the records of a world and a document are kept until one of them changes. After a change of the records they
 * are tried before others.
 */
const createCachedFind = ({ worlds, contract, dryRun }: CoverageRequestOptions): FindRequests => {
  const known = createLruMap<string, FoundRequests>(rememberedWorlds);
  const foundIn = async (world: string): Promise<FoundRequests> => {
    const revision = await worlds.revision(world);
    const before = known.get(world);
    const isSame = before?.contract === contract();
    if (isSame && before.revision.deref() === revision) return before;
    const last = isSame ? before.last : new Map<string, FoundRequest>();
    const found = {
      contract: contract(),
      revision: new WeakRef(revision),
      now: new Map<string, Promise<FoundRequest>>(),
      last,
    };
    known.set(world, found);
    return found;
  };
  return async (world, cells) => {
    const { now, last } = await foundIn(world);
    const stage = await worlds.stage(world);
    let finding: Promise<FindRequest> | undefined;
    const find = async (operation: HostedOperation, status: number): Promise<FoundRequest> => {
      finding ??= createFindRequest(
        contract(),
        { sandbox: () => ({ answer: dryRun, world: stage.world() }), renew: stage.renew },
        (...cell) => last.get(cellKey(...cell)),
      );
      const request = await (await finding)(operation, status);
      last.set(cellKey(operation, status), request);
      return request;
    };
    const answers: (FoundRequest | undefined)[] = [];
    try {
      for (const { operation, status } of cells) {
        if (operation === undefined) {
          answers.push(undefined);
          continue;
        }
        const key = cellKey(operation, status);
        const promise = now.get(key) ?? find(operation, status);
        now.set(key, promise);
        promise.catch(() => now.delete(key));
        answers.push(await promise);
      }
    } finally {
      await stage.end();
    }
    return answers;
  };
};

/** The coverage of one world. The main world answers with the sum of all worlds, including dropped ones. */
export const coverageHandlers = (
  options: Pick<TrafficOptions, 'observer' | 'contract'> & Omit<CoverageRequestOptions, 'recordOf'>,
): Pick<ControlHandlers, 'getCoverage' | 'clearCoverage' | 'listCoverageRequests'> => {
  const { observer, contract } = options;
  const recordOf = async ({ name, site }: HostedWorld): Promise<CoverageRecord> => {
    const counts = name === mainName ? await observer.total() : await observer.of(name).coverage.counts();
    return coverageOf(contract(), [...site.roles.keys()], counts);
  };
  return {
    ...coverageRequestHandlers({ ...options, recordOf }),
    getCoverage:
      async ({ query, headers: { accept } }, world) =>
      async () => {
        const whole = await recordOf(world);
        const record = scopedCoverage(whole);
        const format = query.format ?? acceptedFormat(accept);
        // Commands that merge or narrow records need all of it.
        if (format === 'json') return jsonReply({ ...whole, figures: coverageFigures(record) });
        return {
          ...{ status: 200, mediaType: sentTypes[format], body: coverageReport(record, format) },
          headers: format === 'html' ? { 'Content-Security-Policy': coveragePagePolicy } : {},
        };
      },
    clearCoverage: async (_request, world) => async () => {
      if (world.name === mainName) await observer.clearTotal();
      else await observer.of(world.name).coverage.clear();
      return { status: 204 };
    },
  };
};

const typesOfFormats = {
  table: 'text/plain',
  html: 'text/html',
  junit: 'application/xml',
  json: 'application/json',
  markdown: 'text/markdown',
} as const satisfies Readonly<Record<CoverageFormat, string>>;

/** With the charset that the pages for people have elsewhere. */
const sentTypes = {
  ...typesOfFormats,
  table: 'text/plain; charset=UTF-8',
  html: 'text/html; charset=UTF-8',
} as const;

/** The format of the first accepted media type that is one of a coverage format, else JSON. */
const acceptedFormat = (accept = ''): CoverageFormat => {
  const accepted = accept.split(',').map((each) => readMediaType(each)?.essence);
  const type = accepted.find((each) => Object.values(typesOfFormats).some((known) => known === each));
  return coverageFormats.find((format) => typesOfFormats[format] === type) ?? 'json';
};
