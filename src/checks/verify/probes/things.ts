/** Says what the words of a probe stand for at one server: records in a state, requests, sessions, tokens. Makes what is not there. */
import { basicCredentials } from '../../../basics/formats/basic-credentials.ts';
import { anonymousAccount, type TargetAccount } from '../../../exchange/exchange-target.ts';
import { permissionRules, permissionsOf } from '../account-permissions.ts';
import { CheckSkip, expectStatus } from '../answer.ts';
import type { AskedRequest, CheckContext } from '../check.ts';
import { orSkip } from '../checks/reading/reading-check.ts';
import {
  contentBundle,
  createBody,
  inJson,
  kindOf,
  mainKinds,
  makeWritten,
  patch,
  patchBody,
  type RecordKind,
} from '../checks/writing/record-kinds.ts';
import {
  emptyNode,
  makeUpload,
  nodeToUpload,
  sharedUpload,
  uploadBundle,
  uploadRequest,
  type Upload,
} from '../checks/uploads/uploading.ts';
import type { JsonRecord } from '../record-members.ts';
import { sampleBytes, slugOf } from '../sample-file.ts';
import { publishing, skipModerated } from '../workflow-states.ts';
import type { Thing } from './thing.ts';
import { makeAs, ownNode } from './own-records.ts';
import { hiddenNode, rightRequest } from './right-requests.ts';
import { openSession, sharedSession } from './sessions.ts';
import { forgedToken, getToken } from './tokens.ts';

/** The rest of the words, where a thing is a kind of things. */
type ThingKind = (rest: string) => Thing;

const plain =
  (make: Thing['make']): ThingKind =>
  () => ({ make });

/** Throws for words that stand for nothing. */
export const thingFor = (words: string): Thing => {
  // The longest beginning says what it is.
  const found = kinds
    .filter(([beginning]) => words === beginning || words.startsWith(`${beginning} `))
    .sort(([one], [other]) => other.length - one.length)[0];
  if (found === undefined) throw new Error(`Nothing says what "${words}" is.`);
  return found[1](words.slice(found[0].length + 1));
};

const passwordOf = (context: CheckContext): string =>
  orSkip(context.maker().password, `The password of ${context.maker().name} is not known here.`);

const kindNamed = (context: CheckContext, word: string): RecordKind =>
  orSkip(
    mainKinds(context.contract).find((kind) => kind.word === word),
    `The site has no ${word}.`,
  );

const nodeKind = ({ contract }: CheckContext): RecordKind => kindOf(contract.site, contentBundle(contract), 'node');

/** A record of the maker or of who asks: `foreign published node`. */
const recordIn =
  (whose: 'foreign' | 'own'): ThingKind =>
  (rest) => {
    const [state = '', word = ''] = rest.split(' ');
    const key = (_context: CheckContext, { name }: TargetAccount): string =>
      `probe ${whose === 'own' ? `of ${name} ` : ''}${rest}`;
    const make: Thing['make'] = (context, who) =>
      context.once(key(context, who), async (own) => {
        const kind = kindNamed(own, word);
        skipModerated(kind.bundle);
        if (whose === 'own' && who.name === anonymousAccount.name) throw new CheckSkip('A visitor owns nothing.');
        const made = whose === 'foreign' ? await makeWritten(own, kind) : await makeAs(own, kind, who);
        if (state === 'unpublished')
          expectStatus(await patch(own, kind, made, publishing(kind.bundle, false, 'present')), 200);
        return made.path;
      });
    return { key, make };
  };

const uploadKey = 'probe upload';

const makeOwnUpload = (context: CheckContext): Promise<Upload> =>
  context.once(uploadKey, (own) => makeUpload(own, { isOfAnyNode: true }));

const guardedContent = async (context: CheckContext): Promise<string> => {
  const guarded = context.contract.site.storages.find(({ access }) => access === 'guarded');
  if (guarded === undefined) throw new CheckSkip('The site keeps no file that is guarded.');
  skipModerated(uploadBundle(context));
  return (await sharedUpload(context, { scheme: guarded.scheme })).content;
};

const openNode = (context: CheckContext): string => {
  const [visitor] = context.accounts;
  if (visitor !== undefined && context.may(visitor, 'access content')) return `/node/${context.subjects.node.id}`;
  throw new CheckSkip('Visitors may see nothing here.');
};

const fieldsIn = (text: string): JsonRecord => (text === '' ? {} : (JSON.parse(text) as JsonRecord)); // of a probe

const administeredNode = async (context: CheckContext): Promise<string> => {
  skipModerated(contentBundle(context.contract));
  if (!context.may(context.maker(), 'administer nodes')) throw new CheckSkip('The maker may not administer nodes.');
  return context.once('administered node', async (own) => (await makeWritten(own, nodeKind(own))).path);
};

/** A node that somebody makes who may make and change nodes, but not administer them. */
const nodeOfWriter = async (context: CheckContext, who: TargetAccount): Promise<string> => {
  requireWriter(context, who);
  return context.once(`probe node of ${who.name}`, async (own) => nodeKind(own).path(await ownNode(own, who)));
};

const requireWriter = (context: CheckContext, who: TargetAccount): void => {
  const bundle = contentBundle(context.contract);
  skipModerated(bundle);
  const state = { bundle: bundle.id, whose: 'own', isPublished: true } as const;
  const principal = permissionsOf(context, who);
  const { create, edit } = permissionRules.node;
  if (context.may(who, 'administer nodes') || !create(principal, state) || !edit(principal, state))
    throw new CheckSkip(`${who.name} is nobody who writes nodes and does not administer them.`);
};

const addressOf = ({ operations }: CheckContext['judge'], id: string): string =>
  orSkip(operations.find((operation) => operation.id === id)?.path, `The document of this site has no ${id}.`);

const replacement = ({ media, bundle, contentType }: Upload): AskedRequest => ({
  ...{ method: 'PUT', path: inJson(`/media/${media.id}/source`), body: sampleBytes(bundle, 30) },
  headers: [['Content-Type', contentType]],
});

const uploadAgain = (context: CheckContext, upload: Upload): AskedRequest =>
  uploadRequest(context, { ...upload, node: upload.node.id, body: sampleBytes(upload.bundle, 30) });

const kinds: readonly (readonly [beginning: string, kind: ThingKind])[] = [
  ['hidden node', plain(async (context) => `/node/${await hiddenNode(context)}`)],
  ['open node', plain(openNode)],
  ['maker', plain((context) => ({ name: context.maker().name, password: passwordOf(context) }))],
  ['credentials', plain((context) => basicCredentials(context.maker().name, passwordOf(context)))],
  ['wrong credentials', plain(({ maker }) => basicCredentials(maker().name, `not the password of ${maker().name}`))],
  ['shared session', plain(sharedSession)],
  ['session', plain(openSession)],
  ['token', plain(getToken)],
  ['forged token', (rest) => ({ make: (context) => forgedToken(context, rest) })],
  ['foreign', recordIn('foreign')],
  ['own', recordIn('own')],
  ['new', (rest) => ({ make: (context) => createBody(context, kindNamed(context, rest)) })],
  [
    'renamed',
    (rest) => ({
      make: (context, who) => {
        const kind = kindNamed(context, rest);
        return patchBody(kind, { [kind.labelField]: [{ value: `${context.workspace.label} by ${who.name}` }] });
      },
    }),
  ],
  ['node with', (rest) => ({ make: (context) => context.workspace.nodeBody(fieldsIn(rest)) })],
  ['node', plain((context) => context.workspace.nodeBody())],
  ['fields', (rest) => ({ make: (context) => patchBody(nodeKind(context), fieldsIn(rest)) })],
  ['request of', (rest) => rightRequest(rest)],
  ['administered node', plain(administeredNode)],
  ['node of the writer', plain(nodeOfWriter)],
  [
    'upload to a foreign node',
    () => ({
      make: async (context) => uploadRequest(context, { node: await emptyNode(context) }),
      key: () => nodeToUpload,
    }),
  ],
  [
    'upload to an own node',
    plain(async (context, who) => {
      skipModerated(contentBundle(context.contract));
      const state = { bundle: contentBundle(context.contract).id, whose: 'own', isPublished: true } as const;
      if (who.name === anonymousAccount.name || !permissionRules.node.create(permissionsOf(context, who), state))
        throw new CheckSkip(`${who.name} may make no node.`);
      return uploadRequest(context, { node: await ownNode(context, who) });
    }),
  ],
  [
    'upload again',
    () => ({ make: async (context) => uploadAgain(context, await makeOwnUpload(context)), key: () => uploadKey }),
  ],
  [
    'source again',
    () => ({ make: async (context) => replacement(await makeOwnUpload(context)), key: () => uploadKey }),
  ],
  ['upload', () => ({ make: makeOwnUpload, key: () => uploadKey })],
  ['guarded content', plain(guardedContent)],
  ['text of 256 characters', plain(() => 'x'.repeat(256))],
  ['address of', (operation) => ({ make: ({ judge }) => addressOf(judge, operation) })],
  ['label', plain(({ workspace }) => slugOf(workspace.label))],
  // What a write that is taken would leave cannot be removed everywhere.
  [
    'label for who lacks',
    (permission) => ({
      make: (context, who) => {
        if (context.may(who, permission)) throw new CheckSkip(`${who.name} may do it, and it could not be undone.`);
        return slugOf(context.workspace.label);
      },
    }),
  ],
];
