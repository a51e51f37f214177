/** Checks of who may upload, replace and delete files, and see accounts. */
import type { TargetAccount } from '../../../../exchange/accounts.ts';
import type { TargetContract } from '../../../target/contract-source.ts';
import { type Answer, CheckSkip, expectSame, expectStatus, expectThat } from '../../answer.ts';
import { type Check, type CheckContext, contractRule } from '../../check.ts';
import { contentBundle, inJson } from '../writing/record-kinds.ts';
import { valueIn } from '../../record-members.ts';
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
import { ownNode } from './own-media.ts';
import { accountNames, expectDenied } from './permission-checks.ts';
import { mayUpload, permissionsOf, permissionRules, type Whose } from '../../account-permissions.ts';
import { skipModerated } from '../../workflow-states.ts';
import { accountNamed } from './refusals.ts';

type AccountCheck = {
  readonly name: string;
  readonly words: string;
  readonly operations: readonly string[];
  readonly run: (context: CheckContext, account: TargetAccount) => Promise<void>;
};

/** The key of an upload that is another one when somebody has changed it. */
const changeable = 'permission upload';

type Change = {
  readonly operation: string;
  readonly send: (upload: Upload, context: CheckContext, as: TargetAccount) => Promise<Answer>;
  readonly isAllowed: (context: CheckContext, account: TargetAccount) => boolean;
};

/** Who may not change an upload is refused, and leaves its content as it is. */
const changing =
  ({ operation, send, isAllowed }: Change): AccountCheck['run'] =>
  async (context, account) => {
    const upload = await context.once(changeable, (own) => makeUpload(own, { isOfAnyNode: true }));
    const answer = await send(upload, context, account);
    if (answer.status < 300) context.again(changeable);
    if (isAllowed(context, account)) return void expectStatus(answer, 204);
    expectDenied(context, operation, account, answer);
    await expectContent(context, upload.content, upload.bytes);
  };

const nodeState = (context: CheckContext, whose: Whose) => {
  const bundle = contentBundle(context.contract);
  skipModerated(bundle);
  return { bundle: bundle.id, whose, isPublished: true };
};

const uploading =
  (whose: Whose): AccountCheck['run'] =>
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

const editMediaLink: AccountCheck['run'] = async (context, account) => {
  const { media } = await sharedUpload(context);
  const answer = await context.ask({ path: inJson(media.path), as: account });
  if (answer.status !== 200) throw new CheckSkip(`${account.name} may not see the media.`);
  const found = answer.links.some(({ rel }) => rel === 'edit-media');
  expectThat(found === context.may(account, 'update media'), `The link is ${found ? 'there' : 'missing'}.`);
};

const readAccount: AccountCheck['run'] = async (context, account) => {
  const uid = valueIn(context.subjects.node.record, 'uid', 'target_id');
  const answer = await context.ask({ path: inJson(`/user/${String(uid)}`), as: account });
  const isOwn = account.name === context.maker().name;
  const isAllowed = isOwn || context.may(account, 'access user profiles') || context.may(account, 'administer users');
  if (isAllowed) expectStatus(answer, 200);
  else expectDenied(context, 'getUser', account, answer);
};

const readContent: AccountCheck['run'] = async (context, account) => {
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
  {
    name: 'upload.foreign-node',
    words: 'upload to a node of somebody else',
    operations: ['putNodeMedia'],
    run: uploading('foreign'),
  },
  {
    name: 'upload.own-node',
    words: 'upload to a node of its own',
    operations: ['putNodeMedia', 'createNode'],
    run: uploading('own'),
  },
  {
    name: 'upload.replace',
    words: 'replace what somebody else has uploaded',
    operations: ['putNodeMedia'],
    run: changing({
      operation: 'putNodeMedia',
      send: (upload, context, as) => replace(context, upload, { as, body: sampleBytes(upload.bundle, 30) }),
      isAllowed: (context, account) => mayUpload(permissionsOf(context, account), nodeState(context, 'foreign')),
    }),
  },
  {
    name: 'source',
    words: 'replace the source of a media',
    operations: ['putMediaSource', 'putNodeMedia'],
    run: changing({
      operation: 'putMediaSource',
      send: ({ media, bundle, contentType }, context, as) =>
        context.ask({
          ...{ method: 'PUT', path: inJson(`/media/${media.id}/source`), as },
          ...{ headers: [['Content-Type', contentType]], body: sampleBytes(bundle, 30) },
        }),
      isAllowed: ({ may }, account) => may(account, 'update media'),
    }),
  },
  {
    name: 'edit-media-link',
    words: 'see the link edit-media, which leads to what only some may do',
    operations: ['putNodeMedia', 'getMedia'],
    run: editMediaLink,
  },
  {
    name: 'file.delete',
    words: 'delete a file of somebody else',
    operations: ['deleteFile', 'putNodeMedia'],
    run: changing({
      operation: 'deleteFile',
      send: ({ fileId }, { ask }, as) => ask({ method: 'DELETE', path: inJson(`/entity/file/${fileId}`), as }),
      isAllowed: (context, account) => {
        const whose = account.name === context.maker().name ? 'own' : 'foreign';
        return permissionRules.file.delete(permissionsOf(context, account), {
          bundle: 'file',
          whose,
          isPublished: true,
        });
      },
    }),
  },
  { name: 'user.get', words: 'see the account of somebody else', operations: ['getUser'], run: readAccount },
  {
    name: 'content.guarded',
    words: 'read the content of a guarded file, by the rights on its media',
    operations: ['putNodeMedia'],
    run: readContent,
  },
];

const checkOf = ({ name, words, operations, run }: AccountCheck, account: string): Check => ({
  ...contractRule(`permission.${name}.${account}`, 'contract: Authentication, rule 4; recording: permissions'),
  rule: `${account} may ${words} exactly when its permissions say so; else it is refused, and nothing changes.`,
  ...{ operations, isWriting: true },
  run: (context) => run(context, accountNamed(context, account)),
});

export const filePermissionChecks = (contract: TargetContract): readonly Check[] =>
  accountChecks.flatMap((one) =>
    accountNames(contract)
      .filter((name) => name !== 'anonymous' || one.name !== 'upload.own-node')
      .map((name) => checkOf(one, name)),
  );
