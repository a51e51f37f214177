/** The reports of `atoll exec`: what the command has covered, what broke the contract, and its requests as an HTTP Archive. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { InvalidArgumentError } from 'commander';
import type { Atoll, AtollServer, HttpArchive, TrafficPage } from './entries/atoll.ts';
import {
  type CoverageGoals,
  type CoverageRecord,
  type CoverageScope,
  isInScope,
} from '../contract/contract-coverage.ts';
import { type ReportedViolation, coverageFormats, coverageReport } from '../server/server.ts';

export const execFormats = [...coverageFormats, 'har'] as const;
export type ExecFormat = (typeof execFormats)[number];

const fileNames: { readonly [format in ExecFormat]: string } = {
  table: 'coverage.txt',
  html: 'coverage.html',
  junit: 'coverage.junit.xml',
  json: 'coverage.json',
  markdown: 'coverage.md',
  har: 'traffic.har',
};

/** Parses `--report`. Throws `InvalidArgumentError`. */
export const readFormats = (text: string): readonly ExecFormat[] =>
  text.split(',').map((name) => {
    const format = execFormats.find((each) => each === name.trim());
    if (format !== undefined) return format;
    throw new InvalidArgumentError(`"${name}" is none of ${execFormats.join(', ')}.`);
  });

/** What the reports are made from. It is read before the server closes. */
export type Evidence = {
  readonly coverage: CoverageRecord;
  readonly violations: readonly ReportedViolation[];
  readonly archive: HttpArchive | undefined;
};

type ReadOptions = {
  /** Narrows the coverage, and the violations with it. */
  readonly narrow: (record: CoverageRecord) => CoverageRecord;
  readonly scope: CoverageScope;
  readonly formats: readonly ExecFormat[];
  /** Reaches a world by its address. */
  readonly connect: (url: string) => AtollServer;
};

/** Reads coverage and violations of the whole server, and the remembered requests of the worlds that are still there. */
export const readEvidence = async (atoll: Atoll, options: ReadOptions): Promise<Evidence> => {
  const whole = await atoll.coverage();
  const coverage = options.narrow(whole);
  const worlds = (await atoll.worlds()).map(({ url }) => options.connect(url));
  const archives = options.formats.includes('har') ? await Promise.all(worlds.map((world) => world.httpArchive())) : [];
  return {
    coverage,
    // A request that does not count in the coverage has broken the contract all the same.
    violations: violationsOf((await atoll.violations()).filter((entry) => isInScope(whole, options.scope, entry))),
    archive: joined(archives),
  };
};

/** One for each rule that a request or a reply in scope has broken. */
const violationsOf = (entries: TrafficPage['entries']): ReportedViolation[] =>
  entries.flatMap(({ method, path, status, operation, world, requestFaults, replyFaults }) => {
    const request = `${method} ${path} ${status}`;
    const found = [
      ...requestFaults.map((each) => ({ side: 'request', ...each })),
      ...replyFaults.map((each) => ({ side: 'reply', ...each })),
    ];
    return found.map(({ side, rule, pointer, message }) => ({
      ...{ operation: operation ?? 'none', request, rule, world },
      message: `${side} ${pointer || '/'}: ${message.trim()}`,
    }));
  });

/** One archive with the entries of all, in the order of their times. */
const joined = ([first, ...others]: readonly HttpArchive[]): HttpArchive | undefined => {
  if (first === undefined) return undefined;
  const entries = [first, ...others].flatMap(({ log }) => log.entries);
  const inOrder = [...entries].sort((a, b) => (timeOf(a) < timeOf(b) ? -1 : 1));
  return { ...first, log: { ...first.log, entries: inOrder } };
};

const timeOf = (entry: unknown): string => String((entry as { readonly startedDateTime?: unknown }).startedDateTime); // HAR 1.2

/** Writes a file for each format into the folder, which it makes. */
export const writeReports = async (
  { coverage, violations, archive }: Evidence,
  formats: readonly ExecFormat[],
  { folder, goals }: { readonly folder: string; readonly goals: CoverageGoals },
): Promise<void> => {
  await mkdir(folder, { recursive: true });
  for (const format of formats) {
    const text =
      format === 'har'
        ? `${JSON.stringify(archive, null, 2)}\n`
        : coverageReport(coverage, format, { goals, violations });
    await writeFile(join(folder, fileNames[format]), text);
  }
};

/** The most lines that `exec` prints after what the command has printed itself. */
const mostLines = 10;

/** The violations, each once. */
export const violationsText = (violations: readonly ReportedViolation[]): string =>
  [
    'atoll: the contract was broken:',
    ...new Set(violations.map(({ request, message, rule, world }) => `  ${world}: ${request}: ${message} (${rule})`)),
  ].join('\n');

/** The first line of every text, and as many of the others as there is room for. */
export const shortened = (texts: readonly string[]): readonly string[] => {
  const blocks = texts.map((text) => text.split('\n'));
  const all = blocks.flat();
  if (all.length <= mostLines) return all;
  let room = mostLines - 1 - blocks.length;
  const shown = blocks.flatMap((lines) => {
    const taken = lines.slice(0, 1 + Math.max(0, room));
    room -= taken.length - 1;
    return taken;
  });
  const kept = shown.slice(0, mostLines - 1);
  return [...kept, `  and ${all.length - kept.length} more lines; see --report`];
};
