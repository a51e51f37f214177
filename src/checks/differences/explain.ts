/** Finds the row of the deliberate differences that explains a difference: one whose cause is there. */
import { keptText, headerValue, headerValues } from '../../exchange/exchange.ts';
import type { AnsweredTwice, Difference } from '../compare/difference.ts';
import { matchesPlace } from '../compare/json-paths.ts';
import type { DeliberateDifference, Explanation } from './read-differences.ts';

export type Explain = (answered: AnsweredTwice) => (difference: Difference) => DeliberateDifference | undefined;

/** The first row that fits counts. */
export const createExplain =
  (rows: readonly DeliberateDifference[]): Explain =>
  (answered) => {
    const causes = rows.flatMap((row) =>
      row.shows.filter((one) => holds(one, answered)).map((explanation) => ({ row, explanation })),
    );
    return (difference) => causes.find(({ explanation }) => covers(explanation, difference))?.row;
  };

const holds = (explanation: Explanation, { request, target, atoll }: AnsweredTwice): boolean => {
  const { method, path, sent, fails, claims, theirs, theirType, ours } = explanation;
  const sentText = (): string =>
    `${request.headers.map((line) => line.join(': ')).join('\n')}\n\n${keptText(request.body)}`;
  return (
    (method?.test(request.method) ?? true) &&
    (path?.test(request.path) ?? true) &&
    (theirType?.test(headerValue(target.headers, 'content-type') ?? '') ?? true) &&
    (theirs?.test(keptText(target.body)) ?? true) &&
    (ours?.test(keptText(atoll.body)) ?? true) &&
    (sent?.test(sentText()) ?? true) &&
    (claims?.test(claimsIn(headerValues(request.headers, 'authorization').join())) ?? true) &&
    (fails === undefined ||
      (isWrite.test(request.method) && isFailure(keptText(target.body)) && fails.test(sentText())))
  );
};

const isWrite = /^(?:POST|PATCH)$/;

/** The page of a real site that could not go on. */
const isFailure = (body: string): boolean => /website encountered|unexpected error/.test(body);

/** The second part of a JSON Web Token (RFC 7519 §3). */
const claimsIn = (authorization: string): string => {
  const part = /^Bearer\s+[\w-]+\.([\w-]+)\./i.exec(authorization)?.[1];
  return part === undefined ? '' : Buffer.from(part, 'base64url').toString();
};

const covers = ({ status, places = {} }: Explanation, difference: Difference): boolean =>
  (difference.place === '/status' && status !== undefined && areAlike(status, difference)) ||
  Object.entries(places).some(
    ([place, values]) => matchesPlace(place, difference.place) && areAlike(values, difference),
  );

const areAlike = ([theirs, ours]: readonly [RegExp | null, RegExp | null], { target, atoll }: Difference): boolean =>
  (theirs?.test(shown(target)) ?? true) && (ours?.test(shown(atoll)) ?? true);

/** Absent values are empty texts. */
const shown = (value: unknown): string =>
  value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value);
