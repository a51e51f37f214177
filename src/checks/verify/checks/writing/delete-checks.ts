/** Checks of DELETE: what it answers, what is gone afterwards, and what stays behind. */
import { addressPath } from '../../../../repository/repository.ts';
import { anonymousAccount } from '../../../../exchange/exchange-target.ts';
import type { TargetContract } from '../../../target/contract-source.ts';
import {
  type Answer,
  CheckSkip,
  expectRefusal,
  expectRefusalThatSays,
  expectSame,
  expectStatus,
} from '../../answer.ts';
import type { AskedRequest, Check, CheckContext } from '../../check.ts';
import { makeUpload } from '../uploads/uploading.ts';
import {
  asMaker,
  inJson,
  mainKinds,
  makeWritten,
  patchBody,
  readBack,
  remove,
  type Written,
  writesOf,
} from './record-kinds.ts';
import { valueIn } from '../../record-members.ts';
import { contractRule, referenceRule, checksOf, checksThatWrite, sources, type Rule } from '../../rule.ts';

export const editPathChecks: readonly Check[] = checksThatWrite([
  referenceRule('edit-path.patch', sources.recorded)(
    'A PATCH at /media/{id}/edit changes the media of /media/{id}.',
    async (context) => {
      const { media, bundle } = await makeUpload(context, { isOfAnyNode: true });
      if (addressPath(context.contract.site, 'media', media.id).endsWith('/edit'))
        throw new CheckSkip('It is the only address.');
      const name = `${context.workspace.label} by its edit path`;
      const json = { bundle: [{ target_id: bundle.id }], name: [{ value: name }] };
      expectStatus(await asMaker(context, 'PATCH', `${media.path}/edit`, { json }), 200);
      expectSame(valueIn(await readBack(context, media), 'name'), name);
    },
    { also: ['updateMediaByEditPath', 'putNodeMedia'] },
  ),
  referenceRule('edit-path.delete', sources.recorded)(
    'A DELETE at /media/{id}/edit removes the media of /media/{id}.',
    async (context) => {
      const { media } = await makeUpload(context, { isOfAnyNode: true });
      expectStatus(await remove(context, { path: `${media.path}/edit` }), 204);
      expectStatus(await asMaker(context, 'GET', media.path), 404);
    },
    { also: ['deleteMediaByEditPath', 'putNodeMedia'] },
  ),
]);

/** A file cannot be patched, but deleted. */
const deletable = (contract: TargetContract) => [
  ...mainKinds(contract).map((kind) => ({
    ...{ word: kind.word, type: kind.type, operations: kind.operations, written: kind },
    make: (context: CheckContext): Promise<Made> => makeWritten(context, kind),
  })),
  {
    ...{
      word: 'file',
      type: 'file' as const,
      operations: { remove: 'deleteFile', read: 'getFile' },
      written: undefined,
    },
    make: async (context: CheckContext): Promise<Made> => {
      const { fileId } = await makeUpload(context, { isOfAnyNode: true });
      return { id: fileId, path: `/entity/file/${fileId}` };
    },
  },
];

type DeletableKind = ReturnType<typeof deletable>[number];
type Made = Pick<Written, 'id' | 'path'>;
type Gone = Made & { readonly answer: Answer; readonly kind: DeletableKind };

const survivorOf = ({ word }: DeletableKind): string => `next to the gone ${word}`;

/** A record that was made before the other one was deleted. */
const survivor = (context: CheckContext, kind: DeletableKind): Promise<Made> =>
  context.once(survivorOf(kind), (own) => kind.make(own));

/** A record that was deleted, for all the checks that ask for it afterwards. */
const gone = (context: CheckContext, kind: DeletableKind): Promise<Gone> =>
  context.once(`gone ${kind.word}`, async (own) => {
    await survivor(own, kind);
    const { id, path } = await kind.make(own);
    return { id, path, kind, answer: expectStatus(await remove(own, { path }), 204) };
  });

/** A rule about a request for what was deleted, by GET unless it is named. */
const then = (name: string, source: string, rule: string, request: Partial<AskedRequest>): Rule<Gone> =>
  contractRule(name, source)(rule, async ({ path }, context) => {
    const answer = await context.ask({ path: inJson(path), as: context.maker(), ...request });
    if (request.method === 'HEAD') expectStatus(answer, 404);
    else expectRefusal(answer, 404);
  });

const rules: readonly Rule<Gone>[] = [
  contractRule('answer', sources.endpoints)('DELETE answers 204 without a body.', ({ answer }) =>
    expectSame(answer.text, ''),
  ),
  contractRule('then-get', sources.lifecycle)(
    'After a DELETE a GET answers 404, and its message names the parameter that could not be converted.',
    async ({ path, kind }, context) =>
      expectRefusalThatSays(await asMaker(context, 'GET', path), 404, `"${kind.type}" parameter`),
  ),
  then('then-head', sources.lifecycle, 'After a DELETE a HEAD answers 404, as a GET does.', { method: 'HEAD' }),
  then('then-anonymous', sources.errors, 'What was deleted is 404 for everybody, also without credentials.', {
    as: anonymousAccount,
  }),
  then('twice', sources.errors, 'A second DELETE answers 404.', { method: 'DELETE' }),
  contractRule('then-patch', sources.errors)(
    'A PATCH of what was deleted answers 404 and does not bring it back.',
    async ({ path, kind: { written } }, context) => {
      const json = written && patchBody(written, {});
      expectRefusal(await asMaker(context, 'PATCH', path, { json }), 404);
      expectStatus(await asMaker(context, 'GET', path), 404);
    },
    { types: ['node', 'media', 'taxonomy_term'] },
  ),
  contractRule('of-nothing', sources.errors)(
    'A DELETE of a record that never was answers 404.',
    async ({ id, path }, context) => {
      const absent = path.replace(String(id), String(context.subjects.absentId));
      expectRefusal(await remove(context, { path: absent }), 404);
    },
  ),
  contractRule('only-one', sources.lifecycle)('A DELETE removes one record and no other.', async ({ kind }, context) =>
    readBack(context, await survivor(context, kind)),
  ),
  referenceRule('without-format', sources.recorded)(
    'A DELETE without _format works as with json, the only format. That of a term goes to its page, which refuses it.',
    async ({ kind }, context) => {
      const { path } = await survivor(context, kind);
      context.again(survivorOf(kind));
      const answer = await context.ask({ method: 'DELETE', path, as: context.maker() });
      expectStatus(answer, kind.type === 'taxonomy_term' ? 403 : 204);
    },
  ),
];

export const deleteChecks = (contract: TargetContract): readonly Check[] =>
  deletable(contract).flatMap((kind) => {
    const { remove: own, read } = kind.operations;
    return checksOf(
      writesOf('delete', kind, [own, read], (context) => gone(context, kind)),
      rules,
    );
  });
