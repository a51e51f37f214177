/** The records, bodies and addresses that probes name. */
import { derivedUuid } from '../../../basics/secrets/derived-uuid.ts';
import { anonymousAccount, type TargetAccount } from '../../../exchange/exchange-target.ts';
import { permissionRules, permissionsOf } from '../account-permissions.ts';
import { CheckSkip, expectStatus } from '../answer.ts';
import type { CheckContext } from '../check.ts';
import { orSkip } from '../checks/reading/reading-check.ts';
import {
  asMaker,
  contentBundle,
  createBody,
  createdIn,
  kindOf,
  mainKinds,
  makeWritten,
  patch,
  patchBody,
  type RecordKind,
  type Written,
} from '../checks/writing/record-kinds.ts';
import { makeUpload } from '../checks/uploads/uploading.ts';
import type { JsonRecord } from '../record-members.ts';
import { slugOf } from '../sample-file.ts';
import { publishing, skipModerated } from '../workflow-states.ts';
import { plain, type NamedThings, type Thing, type ThingKind } from './thing.ts';
import { makeAs, ownNode } from './own-records.ts';
import { hiddenNode, rightRequest } from './right-requests.ts';

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
        return made;
      });
    return { key, make };
  };

const openNode = (context: CheckContext): string => {
  const [visitor] = context.accounts;
  if (visitor !== undefined && context.may(visitor, 'access content')) return `/node/${context.subjects.node.id}`;
  throw new CheckSkip('Visitors may see nothing here.');
};

const publishingNode = (context: CheckContext, isPublished: boolean): JsonRecord => {
  if (!context.may(context.maker(), 'administer nodes')) throw new CheckSkip('The maker may not unpublish nodes.');
  return patchBody(nodeKind(context), publishing(contentBundle(context.contract), isPublished, 'present'));
};

const newRecord = async (context: CheckContext, word: string, unique: string): Promise<JsonRecord> => {
  const kind = kindNamed(context, word);
  return createBody(context, kind, { [kind.labelField]: [{ value: `${context.workspace.label} ${unique}` }] });
};

export const freshRecord = async (
  context: CheckContext,
  word: string,
  unique: string,
): Promise<Pick<Written, 'id' | 'path'>> => {
  const kind = kindNamed(context, word);
  if (word === 'media') return (await makeUpload(context, { bundle: kind.bundle, title: unique })).media;
  return createdIn(
    kind,
    await asMaker(context, 'POST', kind.collection, { json: await newRecord(context, word, unique) }),
  );
};

const newUnpublished = async (context: CheckContext, word: string, unique: string): Promise<JsonRecord> => {
  const kind = kindNamed(context, word);
  if (word === 'node' && !context.may(context.maker(), 'administer nodes'))
    throw new CheckSkip('The maker may not administer nodes.');
  return { ...(await newRecord(context, word, unique)), ...publishing(kind.bundle, false, 'new') };
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

export const recordThings: NamedThings = [
  ['hidden node', plain(async (context) => `/node/${await hiddenNode(context)}`)],
  ['open node', plain(openNode)],
  ['foreign', recordIn('foreign')],
  ['own', recordIn('own')],
  ['new', (rest) => ({ make: (context, _who, unique) => newRecord(context, rest, unique) })],
  ['new unpublished', (rest) => ({ make: (context, _who, unique) => newUnpublished(context, rest, unique) })],
  ['fresh', (rest) => ({ make: (context, _who, unique) => freshRecord(context, rest, unique) })],
  ['absent', (rest) => ({ make: (context) => kindNamed(context, rest).path(context.subjects.absentId) })],
  ['absent id', plain(({ subjects }) => subjects.absentId)],
  ['uuid of', (rest) => ({ make: ({ workspace }) => derivedUuid(`${workspace.label} ${rest}`) })],
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
  ['text of 256 characters', plain(() => 'x'.repeat(256))],
  ['text of 255 characters', plain(({ workspace }) => `${workspace.label} ${'é'.repeat(255)}`.slice(0, 255))],
  ['unpublishing', plain((context) => publishingNode(context, false))],
  ['publishing', plain((context) => publishingNode(context, true))],
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
