/** Reads what a site does by itself after a write: its patterns of aliases and the hashes of its files. */
import { digestNames } from '../../../basics/secrets/digest.ts';
import { referredTypes } from '../../../repository/repository.ts';
import type { LivingInput } from '../../../repository/repository-sites.ts';
import { type Configuration, hasModule, type Named } from '../configuration.ts';
import {
  booleanOf,
  dataOf,
  filledTextOf,
  listOf,
  namesOf,
  numberOf,
  textOf,
  wholeOf,
} from '../../../basics/exported/lenient-values.ts';
import { readRows, type Rows } from '../../../basics/exported/rows.ts';
import type { Reporter } from '../report.ts';
import type { JsonObject } from '../../../basics/json.ts';

/** Undefined for a site without patterns. */
export const aliasPatternsOf = (configuration: Configuration, reporter: Reporter): JsonObject | undefined => {
  const settings = configuration.object('pathauto.settings');
  const patterns = configuration.family('pathauto.pattern');
  if (!hasModule(configuration, 'pathauto') || (settings === undefined && patterns.length === 0)) return undefined;
  return {
    settings: settings === undefined ? {} : (readRows(cleaningRows, settings) as JsonObject),
    patterns: patterns.flatMap((pattern) => patternOf(pattern, reporter)),
  };
};

const updates = ['leave', 'add', 'replace'] as const;
const marks = ['remove', 'separator', 'keep'] as const;

const lengthOf = (value: unknown): number => Math.min(255, Math.max(1, wholeOf(value) ?? 100));
const isOn = (value: unknown): boolean => booleanOf(value) ?? true;

/** The settings of the module, which has numbers for the choices. */
const cleaningRows = {
  separator: ['separator', (value) => (textOf(value) ?? '-').slice(0, 1)],
  max_length: ['max_length', lengthOf],
  max_component_length: ['max_component_length', lengthOf],
  lowercase: ['case', isOn],
  transliterate: ['transliterate', isOn],
  reduce_ascii: ['reduce_ascii', (value) => booleanOf(value) ?? false],
  update: ['update_action', (value) => updates[wholeOf(value) ?? 2] ?? 'replace'],
  punctuation: [
    'punctuation',
    (value) => {
      const named = Object.entries(dataOf(value)).map(([name, choice]) => [name, marks[wholeOf(choice) ?? 0]] as const);
      return Object.fromEntries(named.filter(([, mark]) => mark !== undefined && mark !== 'remove'));
    },
  ],
  ignore_words: [
    'ignore_words',
    (value) => (textOf(value) ?? '').split(/\s*,\s*/).flatMap((word) => word.trim() || []),
  ],
} satisfies Rows;

const patternOf = ({ id, name, data }: Named, reporter: Reporter): readonly JsonObject[] => {
  const type = /^canonical_entities:(\w+)$/.exec(textOf(data['type']) ?? '')?.[1];
  const known = referredTypes.find((each) => each === type);
  const pattern = filledTextOf(data['pattern']);
  if (known === undefined || pattern === undefined) {
    reporter.remark(name, 'aliases are made for nodes, media and terms');
    return [];
  }
  const criteria = listOf(data['selection_criteria']).map(dataOf);
  const chosen = (kind: RegExp, member: string): readonly string[] =>
    criteria.filter((each) => kind.test(textOf(each['id']) ?? '')).flatMap((each) => namesOf(each[member]));
  if (criteria.some((each) => !criterion.test(textOf(each['id']) ?? '') || booleanOf(each['negate']) === true)) {
    reporter.partly(name, 'of the criteria of a pattern only bundles and languages are judged');
  }
  reporter.taken('patterns of aliases');
  return [
    {
      ...{ id, entity_type: known, pattern, weight: numberOf(data['weight']) ?? 0 },
      ...{ bundles: [...chosen(bundles, 'bundles')], languages: [...chosen(/^language$/, 'langcodes')] },
    },
  ];
};

const bundles = /^(entity_bundle:\w+|node_type)$/;
const criterion = /^(entity_bundle:\w+|node_type|language)$/;

export const fileHashesOf = (configuration: Configuration, reporter: Reporter): LivingInput['fileHashes'] => {
  const settings = configuration.object('filehash.settings');
  if (settings === undefined || !hasModule(configuration, 'filehash')) return undefined;
  // Older versions of the module call them `algos`, and write texts.
  const algorithms = [...namesOf({ ...dataOf(settings['algos']), ...dataOf(settings['algorithms']) })];
  for (const name of algorithms.filter((each) => !digestNames.some((known) => known === each)))
    reporter.partly('filehash.settings', `files have no hash by ${name.slice(0, 40)} here`);
  if (Object.keys(dataOf(settings['mime_types'])).length > 0)
    reporter.partly('filehash.settings', 'files of every MIME type have hashes here');
  if (algorithms.length === 0) return undefined;
  const [original = false, rehash = false, withOriginals] = ['original', 'rehash', 'dedupe_original'].map((name) =>
    booleanOf(settings[name]),
  );
  // Older versions only know whether.
  const dedupe = wholeOf(settings['dedupe']) ?? Number(booleanOf(settings['dedupe']) ?? false);
  if (dedupe !== 1 && dedupe !== 2) return { algorithms, original, rehash };
  return { algorithms, original, rehash, dedupe, ...(withOriginals === true && { dedupe_original: true }) };
};
