/** The question for the snapshots of this world. */
import { queryOptions } from '@tanstack/react-query';
import { control } from '../api/control.ts';

export const snapshotsQuery = queryOptions({
  queryKey: ['snapshots'],
  queryFn: () => control.ask('listSnapshots'),
});
