/** Brings a deleted record back from a snapshot of the world before its deletion. */
import { control } from '../api/control.ts';
import { contentHasChanged } from '../api/queries.ts';

/** What the world was before the last deletion. Each one takes the place of the snapshot before. */
const snapshot = 'before-last-deletion';

/** Puts the record back. Undefined where the user may not save snapshots: then nobody can. */
export type Undo = (() => Promise<string>) | undefined;

type PutBack = NonNullable<Parameters<typeof control.ask<'putBack'>>[1]>['body'];
type Deleted = Omit<PutBack, 'from' | 'field'>;

/** Call it before the deletion. `deletedIn` names the record in the snapshot, once it is to come back; `onBack` runs after that. */
export const prepareUndo = (
  deletedIn: (snapshot: string) => Deleted | Promise<Deleted>,
  onBack: () => Promise<void> = () => Promise.resolve(),
): Promise<Undo> => {
  const putBack = async (): Promise<string> => {
    await control.ask('putBack', { body: { ...(await deletedIn(snapshot)), from: snapshot } });
    await contentHasChanged();
    await onBack();
    return 'It is back, as it was.';
  };
  return control.ask('saveSnapshot', { path: { snapshot_name: snapshot } }).then(
    () => putBack,
    () => undefined,
  );
};
