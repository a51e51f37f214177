/** Writes the differences of two sites as a page for people and as JSON. */
import { isBreaking } from './compare-sites.ts';
import type { Difference, Side } from './difference.ts';

const marks: { readonly [S in Side]: string } = { requests: 'refused requests', answers: 'other answers' };

/** What breaks clients first, then the rest, and at the end a sum. */
export const differencePage = (differences: readonly Difference[]): string => {
  if (differences.length === 0) return 'Nothing changed for clients.';
  const breaking = differences.filter(isBreaking);
  const rest = differences.filter((difference) => !isBreaking(difference));
  const line = ({ subject, change, breaks }: Difference): string =>
    `  ${subject} ${change}${breaks.length === 0 ? '' : ` [${breaks.map((side) => marks[side]).join(', ')}]`}`;
  return [
    ...(breaking.length === 0 ? [] : ['Breaks clients:', ...breaking.map(line), '']),
    ...(rest.length === 0 ? [] : ['Harms nobody:', ...rest.map(line), '']),
    `${differences.length} ${differences.length === 1 ? 'change' : 'changes'}, ${breaking.length} of them breaking`,
  ].join('\n');
};

export const differenceJson = (differences: readonly Difference[]): string =>
  JSON.stringify({ breaking: differences.filter(isBreaking).length, differences }, null, 2);
