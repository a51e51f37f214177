/** Checks of who may upload, replace and delete files, and see accounts. */
import type { TargetAccount } from '../../../../exchange/accounts.ts';
import type { TargetContract } from '../../../target/contract-source.ts';
import { CheckSkip, expectStatus, expectThat } from '../../answer.ts';
import { type Check, type CheckContext, contractRule } from '../../check.ts';
import { contentBundle, inJson } from '../writing/record-kinds.ts';
import { valueIn } from '../../record-members.ts';
import {
  emptyNode,
  extensionOf,
  freshLocation,
  makeUpload,
  mediaIdOf,
  mediaTypeOf,
  nodeToUpload,
  put,
  sampleBytes,
  sharedUpload,
  type Upload,
  uploadBundle,
  useTerm,
} from '../uploads/uploading.ts';
import { ownNode } from './own-media.ts';
import { accountNames, expectDenied } from './permission-checks.ts';
import { mayDeleteFile, mayUpload, permissionsOf, permissionRules, type Whose } from '../../account-permissions.ts';
import { skipModerated } from '../../workflow-states.ts';
import { accountNamed } from './refusals.ts';

const source = 'contract: Authentication, rule 4; recording: permissions';

type AccountCheck = {
  readonly name: string;
  readonly words: string;
  readonly operations: readonly string[];
  readonly run: (context: CheckContext, account: TargetAccount) => Promise<void>;
};

const expectSame = async (context: CheckContext, content: string, bytes: Uint8Array): Promise<void> => {
  const answer = await context.ask({ path: content, as: context.maker() });
  expectThat(Buffer.compare(answer.bytes, bytes) === 0, 'The refused request has changed the content.');
};

const upload = async (context: CheckContext, account: TargetAccount, whose: Whose): Promise<void> => {
  skipModerated(contentBundle(context.contract));
  const bundle = uploadBundle(context);
  const can = permissionsOf(context, account);
  const state = { bundle: contentBundle(context.contract).id, whose, isPublished: true };
  if (whose === 'own' && !permissionRules.node.create(can, state))
    throw new CheckSkip(`${account.name} may make no node.`);
  const node = whose === 'own' ? await ownNode(context, account) : await emptyNode(context);
  const extension = extensionOf(bundle);
  const headers = [
    ['Content-Type', mediaTypeOf(extension)],
    ['Content-Location', freshLocation(context, extension)],
  ] as const;
  const request = { node, bundle: bundle.id, use: useTerm(context), as: account, headers, body: sampleBytes(bundle) };
  const answer = await put(context, request);
  if (answer.status < 300) context.again(nodeToUpload);
  if (answer.status === 201) await context.workspace.made('media', mediaIdOf(answer));
  if (mayUpload(can, state)) expectStatus(answer, 201);
  else expectDenied(context, 'putNodeMedia', account, answer);
};

/** The key of an upload that is another one when somebody has changed it. */
const changeable = 'permission upload';

const uploadToChange = (context: CheckContext): Promise<Upload> =>
  context.once(changeable, (own) => makeUpload(own, { isOfAnyNode: true }));

const replace = async (context: CheckContext, account: TargetAccount): Promise<void> => {
  skipModerated(contentBundle(context.contract));
  const { node, bundle, use, content, bytes, location, contentType } = await uploadToChange(context);
  const headers = [
    ['Content-Type', contentType],
    ['Content-Location', location],
  ] as const;
  const request = { node: node.id, bundle: bundle.id, use, as: account, headers, body: sampleBytes(bundle, 30) };
  const answer = await put(context, request);
  if (answer.status < 300) context.again(changeable);
  const state = { bundle: contentBundle(context.contract).id, whose: 'foreign', isPublished: true } as const;
  if (mayUpload(permissionsOf(context, account), state)) {
    expectStatus(answer, 204);
    return;
  }
  expectDenied(context, 'putNodeMedia', account, answer);
  await expectSame(context, content, bytes);
};

const replaceSource = async (context: CheckContext, account: TargetAccount): Promise<void> => {
  const { media, content, bytes, bundle, contentType } = await uploadToChange(context);
  const headers = [['Content-Type', contentType]] as const;
  const path = inJson(`/media/${media.id}/source`);
  const answer = await context.ask({ method: 'PUT', path, as: account, headers, body: sampleBytes(bundle, 30) });
  if (answer.status < 300) context.again(changeable);
  if (context.may(account, 'update media')) {
    expectStatus(answer, 204);
    return;
  }
  expectDenied(context, 'putMediaSource', account, answer);
  await expectSame(context, content, bytes);
};

const editMediaLink = async (context: CheckContext, account: TargetAccount): Promise<void> => {
  const { media } = await sharedUpload(context);
  const answer = await context.ask({ path: inJson(media.path), as: account });
  if (answer.status !== 200) throw new CheckSkip(`${account.name} may not see the media.`);
  const found = answer.links.some(({ rel }) => rel === 'edit-media');
  const wanted = context.may(account, 'update media');
  expectThat(found === wanted, `The link edit-media is ${found ? 'there' : 'missing'}.`);
};

const deleteFile = async (context: CheckContext, account: TargetAccount): Promise<void> => {
  const { fileId, content, bytes } = await uploadToChange(context);
  const answer = await context.ask({ method: 'DELETE', path: inJson(`/entity/file/${fileId}`), as: account });
  if (answer.status < 300) context.again(changeable);
  const state = {
    bundle: 'file',
    whose: account.name === context.maker().name ? 'own' : 'foreign',
    isPublished: true,
  } as const;
  if (mayDeleteFile(permissionsOf(context, account), state)) {
    expectStatus(answer, 204);
    return;
  }
  expectDenied(context, 'deleteFile', account, answer);
  await expectSame(context, content, bytes);
};

const readAccount = async (context: CheckContext, account: TargetAccount): Promise<void> => {
  const uid = valueIn(context.subjects.node.record, 'uid', 'target_id');
  const answer = await context.ask({ path: inJson(`/user/${String(uid)}`), as: account });
  const isOwn = account.name === context.maker().name;
  const isAllowed = isOwn || context.may(account, 'access user profiles') || context.may(account, 'administer users');
  if (isAllowed) expectStatus(answer, 200);
  else expectDenied(context, 'getUser', account, answer);
};

const readContent = async (context: CheckContext, account: TargetAccount): Promise<void> => {
  const guarded = context.contract.site.storages.find(({ access }) => access === 'guarded');
  if (guarded === undefined) throw new CheckSkip('The site keeps no file that is guarded.');
  skipModerated(uploadBundle(context));
  const { content, bytes } = await sharedUpload(context, { scheme: guarded.scheme });
  const answer = await context.ask({ path: content, as: account, isJudged: false });
  const state = { bundle: uploadBundle(context).id, whose: 'foreign', isPublished: true } as const;
  if (permissionRules.media.view(permissionsOf(context, account), state)) {
    expectStatus(answer, 200);
    expectThat(Buffer.compare(answer.bytes, bytes) === 0, 'The content is not the bytes that were sent.');
    return;
  }
  expectStatus(answer, 401, 403);
  expectThat(Buffer.compare(answer.bytes, bytes) !== 0, 'The refusal shows the content.');
};

const accountChecks: readonly AccountCheck[] = [
  {
    name: 'upload.foreign-node',
    words: 'upload to a node of somebody else',
    operations: ['putNodeMedia'],
    run: (context, account) => upload(context, account, 'foreign'),
  },
  {
    name: 'upload.own-node',
    words: 'upload to a node of its own',
    operations: ['putNodeMedia', 'createNode'],
    run: (context, account) => upload(context, account, 'own'),
  },
  {
    name: 'upload.replace',
    words: 'replace what somebody else has uploaded',
    operations: ['putNodeMedia'],
    run: replace,
  },
  {
    name: 'source',
    words: 'replace the source of a media',
    operations: ['putMediaSource', 'putNodeMedia'],
    run: replaceSource,
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
    run: deleteFile,
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
  ...contractRule(`permission.${name}.${account}`, source),
  rule: `${account} may ${words} exactly when its permissions say so; else it is refused, and nothing changes.`,
  ...{ operations, isWriting: true },
  run: (context) => run(context, accountNamed(context, account)),
});

export const filePermissionChecks = (contract: TargetContract): readonly Check[] => [
  ...accountChecks.flatMap((one) =>
    accountNames(contract)
      .filter((name) => name !== 'anonymous' || one.name !== 'upload.own-node')
      .map((name) => checkOf(one, name)),
  ),
];
