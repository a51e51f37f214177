/** Compares the members that two schemas give an object. */
import { finding, type Finding, type Place } from '../finding.ts';
import type { Compare } from './compare-choices.ts';
import type { Comparison } from './comparison.ts';
import { memberOf, type Shape } from './schema-shape.ts';

/** What of the objects of `from` lies outside `to`; for what clients receive also which members of `to` are gone. */
export const memberLosses = (
  comparison: Comparison,
  compare: Compare,
  from: Shape,
  to: Shape,
  place: Place,
): Finding[] => {
  const at = (name: string): Place => ({ ...place, place: `${place.place}.${name}` });
  const own = comparison.direction === 'sent' ? sentMembers(from, to, at) : receivedMembers(from, to, at);
  const described = Object.keys(from.properties).filter(
    (name) => name in to.properties || (comparison.direction === 'sent' && isSchema(memberOf(to, name))),
  );
  return [
    ...own,
    ...described.flatMap((name) => compare(comparison, from.properties[name], memberOf(to, name), at(name))),
    ...otherMembers(comparison, compare, from, to, place),
  ];
};

const isSchema = (schema: unknown): boolean => typeof schema === 'object' && schema !== null;

type At = (name: string) => Place;

const missing = (from: Shape, to: Shape): readonly string[] =>
  to.required.filter((name) => !from.required.includes(name));

const sentMembers = (from: Shape, to: Shape, at: At): Finding[] => [
  ...missing(from, to).map((name) => finding('sent-member-demanded', at(name))),
  ...Object.keys(from.properties)
    .filter((name) => !(name in to.properties) && !isSchema(memberOf(to, name)))
    .map((name) => finding(memberOf(to, name) === false ? 'sent-member' : 'sent-member-described', at(name))),
];

const receivedMembers = (from: Shape, to: Shape, at: At): Finding[] => {
  const gone = Object.keys(to.properties).filter((name) => !(name in from.properties));
  return [
    ...gone.map((name) =>
      finding(to.required.includes(name) ? 'received-member-certain' : 'received-member', at(name)),
    ),
    ...missing(from, to)
      .filter((name) => !gone.includes(name))
      .map((name) => finding('received-member-promised', at(name))),
  ];
};

/** Members whose names are not given: by a pattern, or any. */
const otherMembers = (comparison: Comparison, compare: Compare, from: Shape, to: Shape, place: Place): Finding[] => {
  const hasMore = from.others !== false || Object.keys(from.patterns).some((pattern) => !(pattern in to.patterns));
  const isClosed = to.others === false && hasMore;
  return [
    ...Object.entries(to.patterns).flatMap(([pattern, schema]) => {
      const own = from.patterns[pattern] ?? from.others;
      return own === false ? [] : compare(comparison, own, schema, { ...place, place: `${place.place}./${pattern}/` });
    }),
    ...Object.entries(from.patterns).flatMap(([pattern, schema]) =>
      pattern in to.patterns || !isSchema(to.others)
        ? []
        : compare(comparison, schema, to.others, { ...place, place: `${place.place}./${pattern}/` }),
    ),
    ...(isClosed ? [finding(`${comparison.direction}-values`, place, 'members of other names')] : []),
    ...(isSchema(to.others) && from.others !== false
      ? compare(comparison, from.others, to.others, { ...place, place: `${place.place}.*` })
      : []),
  ];
};
