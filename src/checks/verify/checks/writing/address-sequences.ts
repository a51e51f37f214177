/** Checks of aliases and redirects that are made, changed and deleted. Each leads to a node of the run. */
import { canonicalPath, identityOf } from '../../../../repository/repository.ts';
import type { TargetContract } from '../../../target/contract-source.ts';
import { CheckSkip, expectSame, expectStatus, expectThat } from '../../answer.ts';
import type { Check, CheckContext } from '../../check.ts';
import { numberIn, recordOf, type JsonRecord } from '../../record-members.ts';
import { checksOf, referenceRule, sources, type Rule } from '../../rule.ts';
import { slugOf } from '../../sample-file.ts';
import { expectDenied } from './refusals.ts';
import { asMaker, inJson } from './record-kinds.ts';

type AddressKind = {
  readonly type: 'path_alias' | 'redirect';
  readonly topic: string;
  readonly permission: string;
  readonly collection: string;
  /** Whether it goes with its node, so that the run may make one that cannot be deleted. */
  readonly goesWithNode: boolean;
  /** A body that begins at a path. */
  readonly begin: (path: string) => JsonRecord;
  readonly lead: (node: number) => JsonRecord;
  readonly expectNodeAt: (context: CheckContext, path: string, node: number) => Promise<void>;
};

const expectNode = async (context: CheckContext, path: string, node: number): Promise<void> => {
  const record = recordOf(expectStatus(await asMaker(context, 'GET', path), 200));
  expectSame(numberIn(record, 'nid'), node, `The node at ${path}`);
};

const alias: AddressKind = {
  ...{ type: 'path_alias', topic: 'alias', permission: 'administer url aliases', collection: '/entity/path_alias' },
  goesWithNode: true,
  begin: (path) => ({ alias: [{ value: path }] }),
  lead: (node) => ({ path: [{ value: `/node/${node}` }] }),
  expectNodeAt: expectNode,
};

const redirect: AddressKind = {
  ...{ type: 'redirect', topic: 'redirect', permission: 'administer redirects', collection: '/entity/redirect' },
  goesWithNode: false,
  begin: (path) => ({ type: [{ value: 'redirect' }], redirect_source: [{ path: path.slice(1), query: [] }] }),
  lead: (node) => ({ redirect_redirect: [{ uri: `internal:/node/${node}` }], status_code: [{ value: 301 }] }),
  expectNodeAt: async (context, path, node) => {
    const location = expectStatus(await asMaker(context, 'GET', path), 301).header('location') ?? '';
    expectThat(location.startsWith(`${context.baseUrl}/`), `Location is ${location}.`);
    await expectNode(context, location.slice(context.baseUrl.length).replace(/\?.*$/, ''), node);
  },
};

/** `record` is the path of its own record. */
type MadeAddress = { readonly node: number; readonly path: string; readonly record: string };

const made = async (kind: AddressKind, context: CheckContext, name: string): Promise<MadeAddress> => {
  const { type, topic, permission, collection } = kind;
  if (!context.may(context.maker(), permission)) throw new CheckSkip(`The maker lacks "${permission}".`);
  const { id: node } = await context.workspace.node();
  const path = `/${slugOf(context.workspace.label)}/${topic}-${name}`;
  const json = { ...kind.begin(path), ...kind.lead(node) };
  const record = recordOf(expectStatus(await asMaker(context, 'POST', collection, { json }), 201));
  return { node, path, record: canonicalPath(type, numberIn(record, identityOf(type).id)) };
};

const expectNothingAt = async (context: CheckContext, path: string): Promise<unknown> =>
  expectStatus(await asMaker(context, 'GET', path), 404);

/** The operations of a resource by their methods. */
type Operations = Readonly<Record<string, string>>;

const operationsOf = ({ document }: TargetContract, resource: string): Operations =>
  Object.fromEntries(
    Object.values(document.paths).flatMap((item) =>
      Object.entries(item as Readonly<Record<string, Readonly<Record<string, unknown>>>>) // a document without references
        .filter(([, operation]) => operation['x-resource'] === resource)
        .map(([method, operation]) => [method, String(operation['operationId'])]),
    ),
  );

const changedRule = (kind: AddressKind, operation: string): Rule<MadeAddress> =>
  referenceRule('changed')(
    `After a PATCH ${kind.topic === 'alias' ? 'of its alias a node is' : 'a redirect begins'} at the new path, and not at the old one any more.`,
    async ({ node, path, record }, context) => {
      const json = kind.begin(`${path}-changed`);
      expectStatus(await asMaker(context, 'PATCH', record, { json }), 200);
      await kind.expectNodeAt(context, `${path}-changed`, node);
      await expectNothingAt(context, path);
    },
    { also: [operation] },
  );

const deletedRule = ({ topic }: AddressKind, operations: readonly string[]): Rule<MadeAddress> =>
  referenceRule('deleted')(
    `A deleted ${topic} is gone, and nothing is at its path any more.`,
    async ({ path, record }, context) => {
      expectStatus(await asMaker(context, 'DELETE', record), 204);
      await expectNothingAt(context, record);
      await expectNothingAt(context, path);
    },
    { also: operations },
  );

const guardedRule = (kind: AddressKind, update: string, remove: string): Rule<MadeAddress> =>
  referenceRule('guarded', sources.authentication)(
    `Nobody without "${kind.permission}" changes or deletes ${kind.topic === 'alias' ? 'an alias' : 'a redirect'}.`,
    async ({ node, path: from, record }, context) => {
      const path = inJson(record);
      const json = kind.begin(`${from}-taken`);
      for (const as of context.accounts.filter((account) => !context.may(account, kind.permission))) {
        expectDenied(context, update, as, await context.ask({ method: 'PATCH', path, as, json }));
        expectDenied(context, remove, as, await context.ask({ method: 'DELETE', path, as }));
      }
      await kind.expectNodeAt(context, from, node);
    },
    { also: [update, remove] },
  );

const rulesOf = (kind: AddressKind, { get, patch, delete: remove }: Operations): readonly Rule<MadeAddress>[] => [
  referenceRule('made')(
    `${kind.topic === 'alias' ? 'A node is at the alias' : 'The redirect leads to a node'} that is made for it.`,
    ({ node, path }: MadeAddress, context) => kind.expectNodeAt(context, path, node),
  ),
  ...(patch === undefined ? [] : [changedRule(kind, patch)]),
  ...(remove === undefined || get === undefined ? [] : [deletedRule(kind, [get, remove])]),
  ...(patch === undefined || remove === undefined ? [] : [guardedRule(kind, patch, remove)]),
];

/** What the site's document offers of them. */
export const addressSequences = (contract: TargetContract): readonly Check[] =>
  [alias, redirect].flatMap((kind) => {
    const operations = operationsOf(contract, kind.type);
    const { post, delete: remove } = operations;
    if (post === undefined || (remove === undefined && !kind.goesWithNode)) return [];
    const see = (context: CheckContext, name: string) => made(kind, context, name);
    return checksOf({ topic: kind.topic, operations: [post], isWriting: true, see }, rulesOf(kind, operations));
  });
