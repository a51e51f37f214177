/** Compares how requests are authenticated: the choices of an operation, and the schemes of the document. */
import { listOf } from '../../basics/json.ts';
import { areEqual } from '../../basics/equal-values.ts';
import { partOf, type Part } from '../../openapi/openapi-terms.ts';
import { finding, type Finding, type Pass, type Place } from './finding.ts';

/** What one choice demands: schemes with their scopes. None: no credentials at all. */
type Way = readonly string[];

/** Ways that an operation took and does not take any more. A way that demands less than before takes the same requests. */
export const securityLosses = (before: readonly unknown[], after: readonly unknown[], place: Place): Finding[] => {
  const ways = waysOf(after);
  return waysOf(before)
    .filter((way) => !ways.some((each) => covers(each, way)))
    .map((way) => (way.length === 0 ? finding('security-none', place) : finding('security', place, written(way))));
};

const waysOf = (security: readonly unknown[]): readonly Way[] =>
  security.length === 0 ? [[]] : security.map((choice) => Object.entries(partOf(choice)).flatMap(schemeWords).sort());

/** Scopes name their scheme. */
const written = (way: Way): string =>
  way.filter((word) => !way.some((other) => other.startsWith(`${word} (`))).join(' and ');

const schemeWords = ([name, scopes]: readonly [string, unknown]): string[] => [
  name,
  ...listOf(scopes).map((scope) => `${name} (${String(scope)})`),
];

const covers = (way: Way, other: Way): boolean =>
  (way.length === 0) === (other.length === 0) && way.every((word) => other.includes(word));

const schemesOf = (document: Part): Part => partOf(partOf(document['components'])['securitySchemes']);

/** Schemes that have another form. Those that are gone are names that are gone. */
export const schemeLosses = ({ before, after }: Pass): Finding[] =>
  Object.entries(schemesOf(before.document)).flatMap(([name, value]) => {
    const written = schemesOf(after.document)[name];
    if (written === undefined) return [];
    const [had, has] = [before.part(value), after.part(written)];
    const place: Place = { subject: name, place: '' };
    const isSame = (word: string): boolean => areEqual(had[word], has[word]);
    if (!['type', 'scheme', 'in', 'name'].every(isSame)) return [finding('security-scheme', place)];
    return ['flows', 'openIdConnectUrl']
      .filter((word) => !isSame(word))
      .map((word) => finding('security-scheme-detail', place, word));
  });
