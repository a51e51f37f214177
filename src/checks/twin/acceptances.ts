/** Reads and writes the file of differences that a team accepts: operation, place, reason, and until when. */
import * as v from 'valibot';
import { readYaml } from '../../basics/yaml/read-yaml.ts';
import type { Difference } from '../compare/difference.ts';
import { matchesPlace } from '../compare/json-paths.ts';

const scalar = v.union([v.string(), v.number(), v.boolean()]);

const entry = v.strictObject({
  /** The id of the operation; `*` for all. */
  operation: v.pipe(v.string(), v.minLength(1)),
  /** A pattern as in `place-pattern.ts`. */
  place: v.pipe(v.string(), v.regex(/^\//, 'must be a JSON Pointer such as /status or /body/title/0/value')),
  target: v.optional(scalar),
  atoll: v.optional(scalar),
  reason: v.pipe(v.string(), v.minLength(1)),
  /** The last day on which it is accepted. */
  until: v.optional(v.pipe(v.string(), v.isoDate())),
});

/** Raise it when the form changes. A file without it has format 1. */
const acceptanceFormat = 1;

const acceptanceFile = v.strictObject({ format: v.optional(v.number()), accepted: v.array(entry) });

/** Written out: it is in the public types, where valibot is not. */
export type Acceptance = {
  operation: string;
  place: string;
  target?: string | number | boolean | undefined;
  atoll?: string | number | boolean | undefined;
  reason: string;
  until?: string | undefined;
};

/** Throws `ConfigurationError` with file and line. */
export const readAcceptances = async (file: string): Promise<readonly Acceptance[]> => {
  const kind = { remedy: 'Name a file that is there with --accept.', format: acceptanceFormat };
  return (await readYaml(file, acceptanceFile, kind)).accepted;
};

/** `now`: milliseconds since 1970. An entry counts to the end of its last day, in UTC. */
export const isExpired = ({ until }: Acceptance, now: number): boolean =>
  until !== undefined && Date.parse(`${until}T23:59:59.999Z`) < now;

export const accepts = (acceptance: Acceptance, operation: string, { place, target, atoll }: Difference): boolean =>
  (acceptance.operation === '*' || acceptance.operation === operation) &&
  matchesPlace(acceptance.place, place) &&
  (acceptance.target === undefined || acceptance.target === target) &&
  (acceptance.atoll === undefined || acceptance.atoll === atoll);

export type Draft = Pick<Acceptance, 'operation' | 'place' | 'target' | 'atoll'>;

/** A file for `--accept` whose reasons are still to be written. */
export const draftOf = (drafts: readonly Draft[]): string =>
  [
    '# Differences that are accepted. Say why, and remove what must not stay. An entry may end: until: 2027-01-31',
    drafts.length === 0 ? 'accepted: []' : 'accepted:',
    ...drafts.flatMap(linesOf),
    '',
  ].join('\n');

/** JSON scalars are YAML. */
const linesOf = (draft: Draft): string[] => {
  const entries = Object.entries({ ...draft, reason: 'TODO: say why this may differ' });
  return entries
    .filter(([, value]) => value !== undefined)
    .map(([name, value], at) => `${at === 0 ? '  - ' : '    '}${name}: ${JSON.stringify(value)}`);
};
