/** Checks of who may upload, replace and delete files, and read those that are guarded. */
import type { TargetAccount } from '../../../../exchange/exchange-target.ts';
import type { TargetContract } from '../../../target/contract-source.ts';
import { type Answer, CheckSkip, expectSame, expectStatus } from '../../answer.ts';
import type { Check, CheckContext } from '../../check.ts';
import { contentBundle, inJson } from '../writing/record-kinds.ts';
import {
  emptyNode,
  expectContent,
  makeUpload,
  nodeToUpload,
  put,
  replace,
  sharedUpload,
  type Upload,
  uploadBundle,
} from '../uploads/uploading.ts';
import { sampleBytes } from '../../sample-file.ts';
import { ownNode } from './own-records.ts';
import { accountNames, expectDenied } from './permission-checks.ts';
import { mayUpload, permissionsOf, permissionRules, type Whose } from '../../account-permissions.ts';
import { skipModerated } from '../../workflow-states.ts';
import { accountNamed } from './refusals.ts';
import { contractRule, checksThatWrite, type Rule } from '../../rule.ts';

type AccountCheck = readonly [
  name: string,
  words: string,
  operations: readonly string[],
  run: (context: CheckContext, account: TargetAccount) => Promise<void>,
];

/** The key of an upload that is another one when somebody has changed it. */
const changeable = 'permission upload';

type Change = {
  readonly send: (upload: Upload, context: CheckContext, as: TargetAccount) => Promise<Answer>;
  readonly isAllowed: (context: CheckContext, account: TargetAccount) => boolean;
};

/** Who may not change an upload is refused, and leaves its content as it is. */
const changing = (name: string, words: string, operation: string, { send, isAllowed }: Change): AccountCheck => [
  name,
  words,
  [...new Set([operation, 'putNodeMedia'])],
  async (context, account) => {
    const upload = await context.once(changeable, (own) => makeUpload(own, { isOfAnyNode: true }));
    const answer = await send(upload, context, account);
    if (answer.status < 300) context.again(changeable);
    if (isAllowed(context, account)) return void expectStatus(answer, 204);
    expectDenied(context, operation, account, answer);
    await expectContent(context, upload.content, upload.bytes);
  },
];

const nodeState = (context: CheckContext, whose: Whose) => {
  const bundle = contentBundle(context.contract);
  skipModerated(bundle);
  return { bundle: bundle.id, whose, isPublished: true };
};

const uploading =
  (whose: Whose): AccountCheck[3] =>
  async (context, account) => {
    const [who, state] = [permissionsOf(context, account), nodeState(context, whose)];
    if (whose === 'own' && !permissionRules.node.create(who, state))
      throw new CheckSkip(`${account.name} may make no node.`);
    const node = whose === 'own' ? await ownNode(context, account) : await emptyNode(context);
    const answer = await put(context, { node, as: account });
    if (answer.status < 300) context.again(nodeToUpload);
    if (mayUpload(who, state)) expectStatus(answer, 201);
    else expectDenied(context, 'putNodeMedia', account, answer);
  };

const readContent: AccountCheck[3] = async (context, account) => {
  const guarded = context.contract.site.storages.find(({ access }) => access === 'guarded');
  if (guarded === undefined) throw new CheckSkip('The site keeps no file that is guarded.');
  skipModerated(uploadBundle(context));
  const { content, bytes } = await sharedUpload(context, { scheme: guarded.scheme });
  const answer = await context.ask({ path: content, as: account, isJudged: false });
  const state = { bundle: uploadBundle(context).id, whose: 'foreign', isPublished: true } as const;
  const isAllowed = permissionRules.media.view(permissionsOf(context, account), state);
  expectStatus(answer, ...(isAllowed ? [200] : [401, 403]));
  expectSame(Buffer.compare(answer.bytes, bytes) === 0, isAllowed, 'That the content is shown');
};

const accountChecks: readonly AccountCheck[] = [
  ['upload.foreign-node', 'upload to a node of somebody else', ['putNodeMedia'], uploading('foreign')],
  ['upload.own-node', 'upload to a node of its own', ['putNodeMedia', 'createNode'], uploading('own')],
  changing('upload.replace', 'replace what somebody else has uploaded', 'putNodeMedia', {
    send: (upload, context, as) => replace(context, upload, { as, body: sampleBytes(upload.bundle, 30) }),
    isAllowed: (context, account) => mayUpload(permissionsOf(context, account), nodeState(context, 'foreign')),
  }),
  changing('source', 'replace the source of a media', 'putMediaSource', {
    send: ({ media, bundle, contentType }, { ask }, as) =>
      ask({
        ...{ method: 'PUT', path: inJson(`/media/${media.id}/source`), as },
        ...{ headers: [['Content-Type', contentType]], body: sampleBytes(bundle, 30) },
      }),
    isAllowed: ({ may }, account) => may(account, 'update media'),
  }),
  changing('file.delete', 'delete a file of somebody else', 'deleteFile', {
    send: ({ fileId }, { ask }, as) => ask({ method: 'DELETE', path: inJson(`/entity/file/${fileId}`), as }),
    isAllowed: (context, account) => {
      const whose = account.name === context.maker().name ? 'own' : 'foreign';
      const state = { bundle: 'file', whose, isPublished: true } as const;
      return permissionRules.file.delete(permissionsOf(context, account), state);
    },
  }),
  ['content.guarded', 'read the content of a guarded file, by the rights on its media', ['putNodeMedia'], readContent],
];

const ruleOf = ([name, words, operations, run]: AccountCheck, account: string): Rule =>
  contractRule(`permission.${name}.${account}`, 'contract: Authentication, rule 4; recording: permissions')(
    `${account} may ${words} exactly when its permissions say so; else it is refused, and nothing changes.`,
    (context) => run(context, accountNamed(context, account)),
    { also: operations },
  );

export const filePermissionChecks = (contract: TargetContract): readonly Check[] =>
  checksThatWrite(
    accountChecks.flatMap((one) =>
      accountNames(contract)
        .filter((name) => name !== 'anonymous' || one[0] !== 'upload.own-node')
        .map((name) => ruleOf(one, name)),
    ),
  );
