/** Checks of aliases that are made, changed and deleted. Each leads to a node of the run, with which it goes. */
import { CheckSkip, expectSame, expectStatus } from '../../answer.ts';
import type { CheckContext } from '../../check.ts';
import { numberIn, recordOf } from '../../record-members.ts';
import { checksOf, referenceRule, sources, type Rule } from '../../rule.ts';
import { expectDenied } from '../access/permission-checks.ts';
import { asMaker, inJson } from './record-kinds.ts';

const permission = 'administer url aliases';
const collection = '/entity/path_alias';

/** `path` is that of its own record. */
type MadeAlias = { readonly node: number; readonly alias: string; readonly path: string };

const madeAlias = async (context: CheckContext, name: string): Promise<MadeAlias> => {
  if (!context.may(context.maker(), permission)) throw new CheckSkip('The maker may make no aliases.');
  const { id: node } = await context.workspace.node();
  const alias = `/${context.workspace.label.replaceAll(/\W+/g, '-')}/${name}`;
  const json = { path: [{ value: `/node/${node}` }], alias: [{ value: alias }] };
  const record = recordOf(expectStatus(await asMaker(context, 'POST', collection, { json }), 201));
  return { node, alias, path: `${collection}/${numberIn(record, 'id')}` };
};

const expectNodeAt = async (context: CheckContext, alias: string, node: number): Promise<void> => {
  const record = recordOf(expectStatus(await asMaker(context, 'GET', alias), 200));
  expectSame(numberIn(record, 'nid'), node, `The node at ${alias}`);
};

const expectNothingAt = async (context: CheckContext, path: string): Promise<unknown> =>
  expectStatus(await asMaker(context, 'GET', path), 404);

const aliasRules: readonly Rule<MadeAlias>[] = [
  referenceRule('made')('A node is at the alias that is made for it.', ({ node, alias }, context) =>
    expectNodeAt(context, alias, node),
  ),
  referenceRule('changed')(
    'After a PATCH of its alias a node is at the new one, and not at the old one any more.',
    async ({ node, alias, path }, context) => {
      const changed = `${alias}-changed`;
      expectStatus(await asMaker(context, 'PATCH', path, { json: { alias: [{ value: changed }] } }), 200);
      await expectNodeAt(context, changed, node);
      await expectNothingAt(context, alias);
    },
    { also: ['updatePathAlias'] },
  ),
  referenceRule('deleted')(
    'A deleted alias is gone, and nothing is at it any more.',
    async ({ alias, path }, context) => {
      expectStatus(await asMaker(context, 'DELETE', path), 204);
      await expectNothingAt(context, path);
      await expectNothingAt(context, alias);
    },
    { also: ['getPathAlias', 'deletePathAlias'] },
  ),
  referenceRule('guarded', sources.authentication)(
    `Nobody without "${permission}" changes or deletes an alias.`,
    async ({ node, alias, path: record }, context) => {
      const path = inJson(record);
      const json = { alias: [{ value: `${alias}-taken` }] };
      for (const as of context.accounts.filter((account) => !context.may(account, permission))) {
        expectDenied(context, 'updatePathAlias', as, await context.ask({ method: 'PATCH', path, as, json }));
        expectDenied(context, 'deletePathAlias', as, await context.ask({ method: 'DELETE', path, as }));
      }
      await expectNodeAt(context, alias, node);
    },
    { also: ['updatePathAlias', 'deletePathAlias'] },
  ),
];

export const aliasSequences = checksOf(
  { topic: 'alias', operations: ['createPathAlias'], isWriting: true, see: madeAlias },
  aliasRules,
);
