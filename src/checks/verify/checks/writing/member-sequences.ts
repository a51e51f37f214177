/** Checks of sequences around nodes: collections and members, titles, models, publishing. */
import { CheckSkip, expectStatus, expectThat, shown } from '../../answer.ts';
import { type Check, type CheckContext, contractRule, referenceRule } from '../../check.ts';
import { idsIn, linksOf, onlyLink, pathOf } from './followed-links.ts';
import { contentBundle, inJson, readBack } from './record-kinds.ts';
import { publishing } from '../../workflow-states.ts';
import { itemsOf, recordOf, valueIn } from '../../record-members.ts';
import { sources, writing } from './writing-check.ts';

const collectionOf = async (context: CheckContext) => {
  if (
    context.contract.site.model.bundle('node', context.subjects.node.bundle)?.fields.has('field_member_of') !== true
  ) {
    throw new CheckSkip('Nodes of this site have no field_member_of.');
  }
  const collection = await context.workspace.node();
  const member = await context.workspace.node({ field_member_of: [{ target_id: collection.id, target_type: 'node' }] });
  return { collection, member, target: `${context.baseUrl}/node/${collection.id}` };
};

const patchNode = async (context: CheckContext, id: number, bundle: string, fields: object) => {
  const json = { type: [{ target_id: bundle }], ...fields };
  return recordOf(
    expectStatus(await context.ask({ method: 'PATCH', path: inJson(`/node/${id}`), as: context.maker(), json }), 200),
  );
};

export const memberSequences: readonly Check[] = [
  writing({
    ...contractRule('sequence.member-link', sources.links),
    operations: ['createNode', 'getNode'],
    rule: 'A member has a link related to its collection, with the label of the field as its title.',
    run: async (context) => {
      const { member, target } = await collectionOf(context);
      const link = onlyLink(
        await linksOf(context, `/node/${member.id}`),
        'to the collection',
        (each) => each.rel === 'related' && each.target === target,
      );
      const label = context.contract.site.model.bundle('node', member.bundle)?.fields.get('field_member_of')?.label;
      expectThat(link.title === label, `The title is ${shown(link.title)}, not ${shown(label)}.`);
      expectStatus(await context.ask({ path: inJson(pathOf(context, link)), as: context.maker() }), 200);
    },
  }),
  writing({
    ...contractRule('sequence.member-of-node-type', 'contract: Endpoints, rule 5'),
    operations: ['createNode', 'updateNode', 'getNode'],
    rule: 'A PATCH of field_member_of with the target_type node_type is taken, and the record shows node.',
    run: async (context) => {
      const { collection } = await collectionOf(context);
      const { id, bundle } = await context.workspace.node({ field_member_of: [] });
      const sent = { field_member_of: [{ target_id: collection.id, target_type: 'node_type' }] };
      for (const record of [
        await patchNode(context, id, bundle, sent),
        await readBack(context, { path: `/node/${id}` }),
      ]) {
        const [item = {}] = itemsOf(record, 'field_member_of');
        expectThat(item['target_id'] === collection.id, `It is a member of ${shown(item['target_id'])}.`);
        expectThat(item['target_type'] === 'node', `"target_type" is ${shown(item['target_type'])}.`);
      }
    },
  }),
  writing({
    ...contractRule('sequence.leaves-collection', sources.links),
    operations: ['createNode', 'updateNode', 'getNode'],
    rule: 'A member that leaves its collection has no link to it any more.',
    run: async (context) => {
      const { member, target } = await collectionOf(context);
      const before = await linksOf(context, `/node/${member.id}`);
      expectThat(
        before.some((link) => link.target === target),
        'A member has no link to its collection.',
      );
      await patchNode(context, member.id, member.bundle, { field_member_of: [] });
      const links = await linksOf(context, `/node/${member.id}`);
      expectThat(!links.some((link) => link.target === target), 'The link is still there.');
    },
  }),
  writing({
    ...contractRule('sequence.two-collections', sources.links),
    operations: ['createNode', 'updateNode', 'getNode'],
    rule: 'A member of two collections has a link to each.',
    run: async (context) => {
      const { member, collection } = await collectionOf(context);
      const other = await context.workspace.node();
      const both = [collection.id, other.id];
      await patchNode(context, member.id, member.bundle, {
        field_member_of: both.map((id) => ({ target_id: id, target_type: 'node' })),
      });
      const links = await linksOf(context, `/node/${member.id}`);
      const missing = both.filter(
        (id) => !links.some(({ rel, target }) => rel === 'related' && target === `${context.baseUrl}/node/${id}`),
      );
      expectThat(missing.length === 0, `There is no link to node ${missing.join(' and ')}.`);
    },
  }),
  writing({
    ...referenceRule('sequence.members-list', 'document: listNodeMembers'),
    operations: ['createNode', 'updateNode', 'listNodeMembers'],
    rule: 'The list of members has a new member, and after it left the collection not any more.',
    run: async (context) => {
      const { member, collection } = await collectionOf(context);
      const ids = () => idsIn(context, `/node/${collection.id}/members`, 'nid');
      expectThat((await ids()).includes(member.id), `The list has no node ${member.id}.`);
      await patchNode(context, member.id, member.bundle, { field_member_of: [] });
      expectThat(!(await ids()).includes(member.id), `The list still has node ${member.id}.`);
    },
  }),
  writing({
    ...contractRule('sequence.new-title-in-jsonld', 'contract: Endpoints, rule 11'),
    operations: ['createNode', 'updateNode', 'getNode'],
    rule: 'A changed title is that of every format.',
    run: async (context) => {
      const { id, bundle } = await context.workspace.node();
      const title = `${context.workspace.label} in every format`;
      await patchNode(context, id, bundle, { title: [{ value: title }] });
      const formats = context.judge.operationOf('GET', `/node/${id}`)?.format?.enabled ?? [];
      if (!formats.includes('jsonld')) throw new CheckSkip('Nodes of this site have no JSON-LD.');
      const { text } = expectStatus(
        await context.ask({ path: `/node/${id}?_format=jsonld`, as: context.maker() }),
        200,
      );
      expectThat(text.includes(title), 'JSON-LD does not have the new title.');
    },
  }),
  writing({
    ...referenceRule('sequence.unpublish', sources.recorded),
    operations: ['createNode', 'updateNode', 'getNode'],
    rule: 'A node that is no longer published is 401 for visitors, and 200 again when it is published.',
    run: async (context) => {
      const [visitor] = context.accounts;
      if (visitor === undefined || !context.may(visitor, 'access content'))
        throw new CheckSkip('Visitors may see nothing here.');
      if (!context.may(context.maker(), 'administer nodes')) throw new CheckSkip('The maker may not unpublish nodes.');
      const { id, bundle } = await context.workspace.node();
      const path = inJson(`/node/${id}`);
      const refused =
        context.judge.operationOf('GET', `/node/${id}`)?.providers.includes('basic_auth') === true ? 401 : 403;
      expectStatus(await context.ask({ path }), 200);
      const content = contentBundle(context.contract);
      await patchNode(context, id, bundle, publishing(content, false, 'present'));
      expectStatus(await context.ask({ path }), refused);
      await patchNode(context, id, bundle, publishing(content, true, 'present'));
      expectStatus(await context.ask({ path }), 200);
    },
  }),
  writing({
    ...contractRule('sequence.tag-follows-model', sources.links),
    operations: ['createNode', 'getNode', 'getTerm'],
    rule: 'A node has a tag for the term of its model: the external URI of the term, or else its address, titled with its label.',
    run: async (context) => {
      const { model } = context.subjects.terms;
      if (model === undefined) throw new CheckSkip('Nodes of this site have no model.');
      const { id } = await context.workspace.node({
        field_model: [{ target_id: model, target_type: 'taxonomy_term' }],
      });
      const term = await readBack(context, { path: `/taxonomy/term/${model}` });
      const external = valueIn(term, 'field_external_uri', 'uri');
      const wanted = typeof external === 'string' ? external : `${context.baseUrl}/taxonomy/term/${model}`;
      const tag = (await linksOf(context, `/node/${id}`)).find(({ rel, target }) => rel === 'tag' && target === wanted);
      expectThat(tag !== undefined, `There is no tag ${wanted}.`);
      const label = valueIn(term, 'name');
      expectThat(tag.title === label, `The title is ${shown(tag.title)}, not ${shown(label)}.`);
    },
  }),
];
