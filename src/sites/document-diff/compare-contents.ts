/** Compares bodies by their media types. */
import { partOf, type Part } from '../../openapi/openapi-terms.ts';
import type { Direction } from './schemas/comparison.ts';
import { schemaLosses } from './schemas/compare-schemas.ts';
import type { DocumentReader } from './document-reader.ts';
import { finding, within, type Finding, type Pass, type Place, type RuleName } from './finding.ts';
import { sameMeaning } from './same-meaning.ts';

export const bodyLosses = (pass: Pass, before: unknown, after: unknown, place: Place): Finding[] => {
  const [had, has] = [pass.before.part(before), pass.after.part(after)];
  const here = within(place, 'request');
  const isDemanded = has['required'] === true && had['required'] !== true;
  return [
    ...(isDemanded ? [finding('body-demanded', here)] : []),
    ...contentLosses(pass, 'sent', had['content'], has['content'], here),
  ];
};

/** Media types that are gone, and what is lost in those that are kept. `goneRule` when the answer is chosen otherwise. */
export const contentLosses = (
  pass: Pass,
  direction: Direction,
  before: unknown,
  after: unknown,
  place: Place,
  goneRule: RuleName = 'request-type',
): Finding[] => {
  const [had, has] = [mediaTypesOf(pass.before, before), mediaTypesOf(pass.after, after)];
  return [...had].flatMap(([type, media]) => {
    const kept = has.get(type) ?? coveringRange(has, type);
    const here = within(place, type);
    if (kept === undefined) return [finding(goneRule, here)];
    const isEncoded = sameMeaning(pass.before, pass.after, partOf(media['encoding']), partOf(kept['encoding']));
    return [
      ...schemaLosses(pass, direction, media['schema'], kept['schema'], here),
      ...(isEncoded ? [] : [finding('encoding', here)]),
    ];
  });
};

/** Names of media types have no case (RFC 9110 §8.3.1). */
const mediaTypesOf = (reader: DocumentReader, content: unknown): ReadonlyMap<string, Part> =>
  new Map(Object.entries(partOf(content)).map(([type, media]) => [type.toLowerCase(), reader.part(media)]));

/** `image/*` stands for `image/png`, `*` with a slash and another one for all. */
const coveringRange = (types: ReadonlyMap<string, Part>, type: string): Part | undefined =>
  types.get(`${type.split('/')[0] ?? ''}/*`) ?? types.get('*/*');
