/** Checks of sequences around nodes: collections and members, titles, models, publishing. */
import { anonymousStatus } from './refusals.ts';
import { CheckSkip, expectSame, expectStatus, expectThat } from '../../answer.ts';
import type { CheckContext } from '../../check.ts';
import { expectListedUntil, linksOf } from './followed-links.ts';
import { asMaker, contentBundle, inJson, readBack } from './record-kinds.ts';
import { publishing } from '../../workflow-states.ts';
import { itemsOf, recordOf } from '../../record-members.ts';
import { contractRule, referenceRule, checksThatWrite, sources, type Rule } from '../../rule.ts';

const collectionOf = async (context: CheckContext) => {
  if (
    context.contract.site.model.bundle('node', context.subjects.node.bundle)?.fields.has('field_member_of') !== true
  ) {
    throw new CheckSkip('Nodes of this site have no field_member_of.');
  }
  const collection = await context.workspace.node();
  return { collection, member: await context.workspace.node(membership(collection.id)) };
};

type Node = Awaited<ReturnType<CheckContext['workspace']['node']>>;

const patchNode = async (context: CheckContext, { id, bundle }: Node, fields: object) => {
  const json = { type: [{ target_id: bundle }], ...fields };
  return recordOf(expectStatus(await asMaker(context, 'PATCH', `/node/${id}`, { json }), 200));
};

const membership = (...ids: readonly number[]) => ({
  field_member_of: ids.map((id) => ({ target_id: id, target_type: 'node' })),
});

/** Whether a node links to another one. */
const isRelated = async (context: CheckContext, { id }: Node, other: Node): Promise<boolean> =>
  (await linksOf(context, `/node/${id}`)).some(
    ({ rel, target }) => rel === 'related' && target === `${context.baseUrl}/node/${other.id}`,
  );

const sequences: readonly Rule[] = [
  contractRule('member-of-node-type', 'contract: Endpoints, rule 5')(
    'A PATCH of field_member_of with the target_type node_type is taken, and the record shows node.',
    async (context) => {
      const { collection } = await collectionOf(context);
      const node = await context.workspace.node({ field_member_of: [] });
      const sent = { field_member_of: [{ target_id: collection.id, target_type: 'node_type' }] };
      const answered = await patchNode(context, node, sent);
      for (const record of [answered, await readBack(context, { path: `/node/${node.id}` })]) {
        const [item = {}] = itemsOf(record, 'field_member_of');
        expectSame([item['target_id'], item['target_type']], [collection.id, 'node'], '"field_member_of"');
      }
    },
    { also: ['updateNode', 'getNode'] },
  ),
  contractRule('leaves-collection', sources.links)(
    'A member that leaves its collection has no link to it any more.',
    async (context) => {
      const { member, collection } = await collectionOf(context);
      expectThat(await isRelated(context, member, collection), 'A member has no link to its collection.');
      await patchNode(context, member, membership());
      expectThat(!(await isRelated(context, member, collection)), 'The link is still there.');
    },
    { also: ['updateNode', 'getNode'] },
  ),
  contractRule('two-collections', sources.links)(
    'A member of two collections has a link to each.',
    async (context) => {
      const { member, collection } = await collectionOf(context);
      const both = [collection, await context.workspace.node()];
      await patchNode(context, member, membership(...both.map(({ id }) => id)));
      for (const one of both) expectThat(await isRelated(context, member, one), `There is no link to node ${one.id}.`);
    },
    { also: ['updateNode', 'getNode'] },
  ),
  referenceRule('members-list', 'document: listNodeMembers')(
    'The list of members has a new member, and after it left the collection not any more.',
    async (context) => {
      const { member, collection } = await collectionOf(context);
      const row = { field: 'nid', id: member.id, word: 'node' };
      await expectListedUntil(context, `/node/${collection.id}/members`, row, () =>
        patchNode(context, member, membership()),
      );
    },
    { also: ['updateNode', 'listNodeMembers'] },
  ),
  contractRule('new-title-in-jsonld', 'contract: Endpoints, rule 11')(
    'A changed title is that of every format.',
    async (context) => {
      const node = await context.workspace.node();
      const title = `${context.workspace.label} in every format`;
      await patchNode(context, node, { title: [{ value: title }] });
      const formats = context.judge.operationOf('GET', `/node/${node.id}`)?.format?.enabled ?? [];
      if (!formats.includes('jsonld')) throw new CheckSkip('Nodes of this site have no JSON-LD.');
      const answer = await context.ask({ path: `/node/${node.id}?_format=jsonld`, as: context.maker() });
      expectThat(expectStatus(answer, 200).text.includes(title), 'JSON-LD does not have the new title.');
    },
    { also: ['updateNode', 'getNode'] },
  ),
  referenceRule('unpublish', sources.recorded)(
    'A node that is no longer published is 401 for visitors, and 200 again when it is published.',
    async (context) => {
      const [visitor] = context.accounts;
      if (visitor === undefined || !context.may(visitor, 'access content'))
        throw new CheckSkip('Visitors may see nothing here.');
      if (!context.may(context.maker(), 'administer nodes')) throw new CheckSkip('The maker may not unpublish nodes.');
      const node = await context.workspace.node();
      const path = inJson(`/node/${node.id}`);
      const content = contentBundle(context.contract);
      const expectFor = async (status: number): Promise<unknown> => expectStatus(await context.ask({ path }), status);
      await expectFor(200);
      await patchNode(context, node, publishing(content, false, 'present'));
      await expectFor(anonymousStatus(context, 'getNode'));
      await patchNode(context, node, publishing(content, true, 'present'));
      await expectFor(200);
    },
    { also: ['updateNode', 'getNode'] },
  ),
];

export const memberSequences = checksThatWrite(sequences, { topic: 'sequence', operations: ['createNode'] });
