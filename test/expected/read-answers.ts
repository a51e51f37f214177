/** Reads the expected answers of a site: YAML files of cases and tables. An unknown member or a missing source is an error. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { parse } from 'yaml';

const headers = v.record(v.string(), v.string());

/** A request and the answer that is right. Everything that is written is compared; nothing else is. */
const step = v.strictObject({
  shows: v.optional(v.string()),
  source: v.optional(v.string()),
  // The request: `METHOD /path`, the account and its provider.
  ask: v.optional(v.string()),
  as: v.optional(v.string()),
  by: v.optional(v.picklist(['basic', 'bearer', 'cookie', 'cookie alone'])),
  send: v.optional(headers),
  json: v.optional(v.unknown()),
  text: v.optional(v.string()),
  png: v.optional(v.tuple([v.number(), v.number()])),
  clock: v.optional(v.string()),
  // The answer.
  status: v.optional(v.number()),
  message: v.optional(v.string()),
  body: v.optional(v.unknown()),
  at: v.optional(v.record(v.string(), v.unknown())),
  lacks: v.optional(v.array(v.string())),
  members: v.optional(v.array(v.string())),
  content: v.optional(v.string()),
  links: v.optional(v.array(v.string())),
  'has links': v.optional(v.array(v.string())),
  'lacks links': v.optional(v.array(v.string())),
  headers: v.optional(v.record(v.string(), v.nullable(v.string()))),
  save: v.optional(v.record(v.string(), v.string())),
});

const common = { shows: v.string(), source: v.string(), as: v.optional(v.string()), by: v.optional(step.entries.by) };

/** Steps one after another in a fresh world. */
const sequence = v.strictObject({ ...common, steps: v.pipe(v.array(step), v.minLength(1)) });

/** Variants of one request, each in a fresh world. */
const variants = v.strictObject({ ...common, of: step, each: v.pipe(v.array(step), v.minLength(1)) });

/** Who gets which status. A row is `METHOD state, state`, and has a status for each account. */
const access = v.strictObject({
  shows: v.string(),
  source: v.string(),
  accounts: v.array(v.string()),
  given: v.optional(v.array(step), []),
  401: v.string(),
  resources: v.record(
    v.string(),
    v.strictObject({
      route: v.string(),
      states: v.record(v.string(), v.string()),
      sends: v.optional(v.record(v.string(), step), {}),
      allow: v.string(),
      rows: v.record(v.string(), v.array(v.number())),
      404: v.optional(v.string()),
      403: v.optional(v.record(v.string(), v.string()), {}),
    }),
  ),
});

const answersFile = v.strictObject({
  subject: v.string(),
  given: v.optional(v.array(step), []),
  cases: v.optional(v.array(v.union([sequence, variants])), []),
  access: v.optional(access),
});

export type Step = v.InferOutput<typeof step>;
export type Sequence = v.InferOutput<typeof sequence>;
export type Variants = v.InferOutput<typeof variants>;
export type AccessTable = v.InferOutput<typeof access>;
export type AnswersFile = v.InferOutput<typeof answersFile> & { readonly name: string };

/** The files of a folder next to this one, by name. */
export const readAnswers = (site: string): readonly AnswersFile[] => {
  const folder = join(import.meta.dirname, site);
  const names = readdirSync(folder).filter((name) => name.endsWith('.yml'));
  return names.sort().map((name) => {
    const read = v.safeParse(answersFile, parse(readFileSync(join(folder, name), 'utf8')));
    if (read.success) return { ...read.output, name };
    throw new Error(`${site}/${name}: ${JSON.stringify(v.flatten(read.issues).nested, undefined, 2)}`);
  });
};
