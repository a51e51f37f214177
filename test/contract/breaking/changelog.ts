/** What the changelog says of breaks: which ones nobody has written down. */
import type { Break } from './schema-breaks.ts';

/**
 * The breaks whose subject stands in backticks nowhere under `### Breaking` of the part `## Unreleased` of a changelog,
 * each as the line that a reader of the test needs.
 */
export const unwritten = (changelog: string, breaks: readonly Break[]): string[] => {
  const unreleased = /^## Unreleased.*$([\s\S]*?)(?=^## |$(?![\s\S]))/m.exec(changelog)?.[1] ?? '';
  const entries = /^### Breaking$([\s\S]*?)(?=^### |$(?![\s\S]))/m.exec(unreleased)?.[1] ?? '';
  return breaks
    .filter(({ subject }) => !entries.includes(`\`${subject}\``))
    .map(({ subject, what }) => `${subject}: ${what}`);
};
