/** Reads the probes of the package, requests whose answers matter: `data/probes/*.yml`. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import { readYaml } from '../../basics/yaml/read-yaml.ts';

const texts = v.record(v.string(), v.string());

const step = v.strictObject({
  ask: v.string(),
  as: v.optional(v.string(), 'visitor'),
  by: v.optional(v.picklist(['basic', 'bearer', 'session'])),
  send: v.optional(v.record(v.string(), v.nullable(v.string())), {}),
  json: v.optional(v.unknown()),
  with: v.optional(v.record(v.string(), v.unknown()), {}),
  without: v.optional(v.array(v.string()), []),
  text: v.optional(v.string()),
  base64: v.optional(v.string()),
  matters: v.optional(v.array(v.pipe(v.string(), v.regex(/^\//, 'must be a JSON Pointer such as /body/message'))), []),
  save: v.optional(texts, {}),
  isFresh: v.optional(v.boolean(), false),
  spends: v.optional(v.string()),
});

const probe = v.strictObject({
  name: v.string(),
  shows: v.string(),
  source: v.optional(v.string()),
  severity: v.optional(v.picklist(['contract', 'reference', 'advice']), 'contract'),
  operations: v.optional(v.array(v.string())),
  isExclusive: v.optional(v.boolean(), false),
  over: v.optional(v.record(v.string(), v.union([v.array(v.string()), v.picklist(['each', 'one'])])), {}),
  except: v.optional(v.array(texts), []),
  let: v.optional(texts, {}),
  accounts: v.optional(v.literal('each')),
  steps: v.optional(v.array(step), []),
  of: v.optional(v.partial(step)),
  each: v.optional(v.array(v.partial(step)), []),
});

const probeFile = v.strictObject({
  subject: v.string(),
  source: v.string(),
  operations: v.optional(v.array(v.string()), []),
  probes: v.array(probe),
});

/** Written out, as `WrittenProbe`: they are in the public types, where valibot is not. */
export type Step = {
  ask: string;
  as: string;
  by?: 'basic' | 'bearer' | 'session' | undefined;
  send: Record<string, string | null>;
  json?: unknown;
  with: Record<string, unknown>;
  without: string[];
  text?: string | undefined;
  base64?: string | undefined;
  matters: string[];
  save: Record<string, string>;
  isFresh: boolean;
  spends?: string | undefined;
};

/** A probe as the file has it: `over` makes several of it, one for each choice of its values. */
export type WrittenProbe = {
  name: string;
  shows: string;
  source: string;
  severity: 'contract' | 'reference' | 'advice';
  operations: readonly string[];
  isExclusive: boolean;
  over: Record<string, string[] | 'each' | 'one'>;
  except: Record<string, string>[];
  let: Record<string, string>;
  accounts?: 'each' | undefined;
  steps: Step[];
};

/** Reads all files, in the order of their names. Throws `ConfigurationError`. */
export const readProbes = async (root: string): Promise<readonly WrittenProbe[]> => {
  const folder = join(root, 'data/probes');
  const names = (await readdir(folder)).filter((name) => name.endsWith('.yml')).sort();
  const files = await Promise.all(names.map((name) => readYaml(join(folder, name), probeFile)));
  return files.flatMap(({ source, operations, probes }) =>
    probes.map(({ of, each, ...one }) => ({
      ...{ ...one, source: one.source ?? source, operations: one.operations ?? operations },
      steps: [...one.steps, ...each.map((row) => v.parse(step, { ...of, ...row }))],
    })),
  );
};
