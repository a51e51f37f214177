/** Asks what clients have met of the repository's document. */
import { queryOptions } from '@tanstack/react-query';
import { answerOf, control, type ControlSchemas } from './control.ts';

export type Coverage = ControlSchemas['Coverage'];

/** The document's operations, and what of them clients have met. */
export const coverageQuery = queryOptions({
  queryKey: ['coverage'],
  queryFn: async () => {
    const asked = control.GET('/_atoll/coverage', { params: { query: { format: 'json' } } });
    return (await answerOf(asked)) as Coverage; // the other formats are texts
  },
});
