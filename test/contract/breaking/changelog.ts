/** What the changelog says of breaking changes: which ones nobody has written down. */
import type { DocumentChange } from '../../document-diff/document-changes.ts';

type NamedChange = Pick<DocumentChange, 'subject' | 'place' | 'change'>;

/** A change as one line. */
export const lineOf = ({ subject, place, change }: NamedChange): string =>
  `${subject}: ${[place, change].filter((text) => text !== '').join(' ')}`;

/**
 * The changes whose subject stands in backticks nowhere under `### Breaking` of the part `## Unreleased` of a changelog,
 * each as the line that a reader of the test needs.
 */
export const unwritten = (changelog: string, changes: readonly NamedChange[]): string[] => {
  const unreleased = /^## Unreleased.*$([\s\S]*?)(?=^## |$(?![\s\S]))/m.exec(changelog)?.[1] ?? '';
  const entries = /^### Breaking$([\s\S]*?)(?=^### |$(?![\s\S]))/m.exec(unreleased)?.[1] ?? '';
  return changes.filter(({ subject }) => !entries.includes(`\`${subject}\``)).map(lineOf);
};
