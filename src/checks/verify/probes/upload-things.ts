/** The uploads, files and places that probes name. */
import { anonymousAccount, type TargetAccount } from '../../../exchange/exchange-target.ts';
import { addressPath, type Bundle } from '../../../repository/repository.ts';
import { permissionRules, permissionsOf } from '../account-permissions.ts';
import { CheckSkip } from '../answer.ts';
import type { AskedRequest, CheckContext } from '../check.ts';
import { orSkip } from '../checks/reading/reading-check.ts';
import { contentBundle, fileBundles } from '../checks/writing/record-kinds.ts';
import {
  emptyNode,
  schemeOf,
  makeUpload,
  nodeToUpload,
  sharedUpload,
  sourceRequest,
  standardUpload,
  useTerm,
  uploadBundle,
  uploadRequest,
  type Upload,
} from '../checks/uploads/uploading.ts';
import { fieldRoles } from '../field-roles.ts';
import { extensionOf, sampleBytes, slugOf } from '../sample-file.ts';
import { nameAt, termNamed } from '../workspace/known-terms.ts';
import { skipModerated } from '../workflow-states.ts';
import { plain, type NamedThings } from './thing.ts';
import { freshRecord } from './record-things.ts';
import { ownNode } from './own-records.ts';

const mediaAtItsPath = async (context: CheckContext): Promise<Upload['media']> => {
  const { media } = await makeUpload(context, { isOfAnyNode: true });
  if (addressPath(context.contract.site, 'media', media.id).endsWith('/edit'))
    throw new CheckSkip('It is the only address.');
  return media;
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

const fileBundle = (context: CheckContext, id: string): Bundle =>
  orSkip(
    fileBundles(context.contract).find((one) => one.id === id),
    `The site has no ${id}.`,
  );

/** The media type, and a scheme where the file is kept if it is not the usual one. Bytes and place are the same at every server. */
const uploadOf = async (context: CheckContext, words: string, unique: string): Promise<AskedRequest> => {
  const [id = '', scheme = schemeOf(context)] = words.split(' in ');
  const bundle = fileBundle(context, id);
  const { id: node } = await freshRecord(context, 'node', unique);
  const location = `${scheme}://${slugOf(context.workspace.label)}/${slugOf(unique)}.${extensionOf(bundle)}`;
  return uploadRequest(context, { node, bundle, location, body: bytesOf(bundle, 40) });
};

const bytesOf = (bundle: Bundle, length: number): Uint8Array => sampleBytes(bundle, length, 'verify ');

const otherBytes = (context: CheckContext, id: string): Uint8Array => bytesOf(fileBundle(context, id), 77);

const fileUpload = (context: CheckContext, _who: TargetAccount, unique: string): AskedRequest =>
  standardUpload(context, slugOf(`${context.workspace.label} ${unique}`), bytesOf(uploadBundle(context), 40));

/** The first ones are those that sites make no derivatives of. */
const otherUses = ['Transcript', 'Preservation Master File', 'Intermediate File', 'Service File', 'Original File'];

/** Another use than that of uploads, by its name. */
const otherUse = async (context: CheckContext): Promise<number> => {
  const { site } = context.contract;
  const search = { site, judge: context.judge, account: context.maker(), ask: context.ask };
  const own = await nameAt(search, context.subjects.terms.use);
  for (const name of otherUses) {
    const id = name === own ? undefined : await termNamed(search, fieldRoles(site).useVocabularies, name);
    if (id !== undefined) return id;
  }
  throw new CheckSkip('The site has no other use of media that is known by its name.');
};

const uploadAgain = (context: CheckContext, upload: Upload): AskedRequest =>
  uploadRequest(context, { ...upload, node: upload.node.id, body: sampleBytes(upload.bundle, 30) });

export const uploadThings: NamedThings = [
  ['fresh upload', plain((context, _who, title) => makeUpload(context, { title }))],
  ['fresh upload to any node', plain((context) => makeUpload(context, { isOfAnyNode: true }))],
  ['upload of', (rest) => ({ make: (context, _who, unique) => uploadOf(context, rest, unique) })],
  ['bytes of', (rest) => ({ make: (context) => otherBytes(context, rest) })],
  ['file upload', plain(fileUpload)],
  ['use of uploads', plain((context) => useTerm(context))],
  ['other use', plain(otherUse)],
  ['usual scheme', plain((context) => schemeOf(context))],
  [
    'place of',
    (rest) => ({
      make: (context, _who, unique) =>
        `${schemeOf(context)}://${slugOf(context.workspace.label)}/${slugOf(unique)}.${extensionOf(fileBundle(context, rest))}`,
    }),
  ],
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
    () => ({ make: async (context) => sourceRequest(await makeOwnUpload(context)), key: () => uploadKey }),
  ],
  ['upload', () => ({ make: makeOwnUpload, key: () => uploadKey })],
  ['guarded content', plain(guardedContent)],
  ['media without edit path', plain(mediaAtItsPath)],
];
