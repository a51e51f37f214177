/** Says what a principal may do with records in a state, for those that have no records: checks of other servers. */
import type { RepositoryType } from '../model/entity.ts';
import type { Principal } from '../model/principal.ts';
import type { Entity } from '../../openapi/openapi-records.ts';
import { createVerdict, editVerdict, removeVerdict, uploadVerdict, viewVerdict } from './verdicts.ts';

/** `upload` gives a node a media. */
export type RecordAction = 'view' | 'create' | 'edit' | 'delete' | 'upload';

/** `isOwn`: the record belongs to the principal. */
export type RecordState = { readonly bundle: string; readonly isOwn: boolean; readonly isPublished: boolean };

/** Whether a principal may. A file is in an open storage and no media uses it. Workflows are left out: they decide by what a record was before. */
export const mayDo = (principal: Principal, action: RecordAction, type: RepositoryType, state: RecordState): boolean =>
  verdicts[action](principal, type, state) === undefined;

type Verdict = string | undefined;

const verdicts: Readonly<
  Record<RecordAction, (principal: Principal, type: RepositoryType, state: RecordState) => Verdict>
> = {
  view: (who, type, state) => viewVerdict(who, recordIn(type, state, who), { open: true, media: [] }),
  create: (who, type, { bundle }) => createVerdict(who, type, bundle),
  edit: (who, type, state) => editVerdict(who, recordIn(type, state, who), withoutWorkflows),
  delete: (who, type, state) => removeVerdict(who, recordIn(type, state, who)),
  upload: (who, type, state) => uploadVerdict(who, recordIn(type, state, who), withoutWorkflows),
};

const withoutWorkflows = { bundle: () => undefined };

const recordIn = (type: RepositoryType, { bundle, isOwn, isPublished }: RecordState, { uid }: Principal): Entity => ({
  ...{ type, bundle, id: 1, uuid: '' },
  fields: { status: [{ value: isPublished }], uid: [{ target_id: isOwn ? uid : uid + 1 }] },
});
