/** Checks of aliases that are made, changed and deleted. Each leads to a node of the run, with which it goes. */
import { CheckSkip, expectSame, expectStatus, expectThat } from '../../answer.ts';
import type { CheckContext } from '../../check.ts';
import { numberIn, recordOf, valueIn } from '../../record-members.ts';
import { checksOf, referenceRule, sources, type Rule } from '../../rule.ts';
import { expectDenied } from '../access/permission-checks.ts';
import { freshRecord } from './followed-links.ts';
import { asMaker, inJson } from './record-kinds.ts';

const permission = 'administer url aliases';
const collection = '/entity/path_alias';

/** `path` is that of its own record. */
type MadeAlias = { readonly node: string; readonly alias: string; readonly path: string };

const madeAlias = async (context: CheckContext, name: string): Promise<MadeAlias> => {
  if (!context.may(context.maker(), permission)) throw new CheckSkip('The maker may make no aliases.');
  const node = `/node/${(await context.workspace.node()).id}`;
  const alias = `/${encodeURIComponent(context.workspace.label)}/${name}`;
  const json = { path: [{ value: node }], alias: [{ value: alias }] };
  const record = recordOf(expectStatus(await asMaker(context, 'POST', collection, { json }), 201));
  return { node, alias, path: `${collection}/${numberIn(record, 'id')}` };
};

const shownAlias = async (context: CheckContext, { node }: MadeAlias): Promise<unknown> =>
  valueIn(await freshRecord(context, node), 'path', 'alias');

const aliasRules: readonly Rule<MadeAlias>[] = [
  referenceRule('shown')('A node shows the alias that is made for it, and is there.', async (made, context) => {
    expectSame(await shownAlias(context, made), made.alias, 'The alias of the node');
    expectStatus(await asMaker(context, 'GET', made.alias), 200);
  }),
  referenceRule('changed')(
    'After a PATCH of its alias a node shows the new one, and is not at the old one any more.',
    async (made, context) => {
      const alias = `${made.alias}-changed`;
      expectStatus(await asMaker(context, 'PATCH', made.path, { json: { alias: [{ value: alias }] } }), 200);
      expectSame(await shownAlias(context, made), alias, 'The alias of the node');
      expectStatus(await asMaker(context, 'GET', made.alias), 404);
    },
    { also: ['updatePathAlias'] },
  ),
  referenceRule('deleted')(
    'A deleted alias is gone, and its node does not show it any more.',
    async (made, context) => {
      expectStatus(await asMaker(context, 'DELETE', made.path), 204);
      expectStatus(await asMaker(context, 'GET', made.path), 404);
      expectThat((await shownAlias(context, made)) !== made.alias, 'The node still shows the alias.');
    },
    { also: ['getPathAlias', 'deletePathAlias'] },
  ),
  referenceRule('guarded', sources.authentication)(
    `Nobody without "${permission}" changes or deletes an alias.`,
    async (made, context) => {
      for (const as of context.accounts.filter((account) => !context.may(account, permission))) {
        const path = inJson(made.path);
        const json = { alias: [{ value: `${made.alias}-taken` }] };
        expectDenied(context, 'updatePathAlias', as, await context.ask({ method: 'PATCH', path, as, json }));
        expectDenied(context, 'deletePathAlias', as, await context.ask({ method: 'DELETE', path, as }));
      }
      expectSame(await shownAlias(context, made), made.alias, 'The alias of the node');
    },
    { also: ['updatePathAlias', 'deletePathAlias'] },
  ),
];

export const aliasSequences = checksOf(
  { topic: 'alias', operations: ['createPathAlias', 'getNode'], isWriting: true, see: madeAlias },
  aliasRules,
);
