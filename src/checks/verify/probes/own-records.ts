/** Makes records that belong to an account: a media by an upload to a node of its own, or any by a POST. */
import type { TargetAccount } from '../../../exchange/exchange-target.ts';
import { CheckSkip, expectStatus } from '../answer.ts';
import type { CheckContext } from '../check.ts';
import {
  contentBundle,
  create,
  inJson,
  readBack,
  type RecordKind,
  type Written,
} from '../checks/writing/record-kinds.ts';
import { mediaIdOf, put } from '../checks/uploads/uploading.ts';
import { numberIn, recordOf } from '../record-members.ts';
import { skipModerated } from '../workflow-states.ts';
import { mayUpload, permissionsOf, permissionRules } from '../account-permissions.ts';

/** Throws `CheckSkip` when the account may not. */
export const makeAs = async (context: CheckContext, kind: RecordKind, account: TargetAccount): Promise<Written> => {
  const who = permissionsOf(context, account);
  const own = { bundle: contentBundle(context.contract).id, whose: 'own', isPublished: true } as const;
  const uploads = kind.type === 'media' && permissionRules.node.create(who, own) && mayUpload(who, own);
  if (uploads) return uploadAs(context, kind, account);
  if (!permissionRules[kind.type].create(who, { ...own, bundle: kind.bundle.id })) {
    throw new CheckSkip(`${account.name} may not make a ${kind.word} of its own.`);
  }
  return create(context, kind, {}, account);
};

const uploadAs = async (context: CheckContext, kind: RecordKind, account: TargetAccount): Promise<Written> => {
  const node = await ownNode(context, account);
  const id = mediaIdOf(expectStatus(await put(context, { node, bundle: kind.bundle, as: account }), 201));
  const path = kind.path(id);
  return { id, path, record: await readBack(context, { path }) };
};

/** The id of a node that the account has made. */
export const ownNode = async (context: CheckContext, account: TargetAccount): Promise<number> => {
  skipModerated(contentBundle(context.contract));
  const json = context.workspace.nodeBody();
  const answer = expectStatus(await context.ask({ method: 'POST', path: inJson('/node'), as: account, json }), 201);
  return numberIn(recordOf(answer), 'nid');
};
