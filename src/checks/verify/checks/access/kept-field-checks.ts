/** Checks of the fields of a node that only who administers nodes may set. */
import type { TargetContract } from '../../../target/contract-source.ts';
import { may } from '../../../../repository/repository.ts';
import { principalFor, permissionRules } from '../../account-permissions.ts';
import { CheckSkip, expectSame, expectStatus, expectThat, shown, type Answer } from '../../answer.ts';
import type { TargetAccount } from '../../../../exchange/exchange-target.ts';
import type { Check, CheckContext } from '../../check.ts';
import { contentBundle, inJson, kindOf, makeWritten, patch, readBack } from '../writing/record-kinds.ts';
import { valueIn } from '../../record-members.ts';
import { skipModerated } from '../../workflow-states.ts';
import { ownNode } from './own-records.ts';
import { expectUntouched } from './permission-checks.ts';
import { accountNamed, expectForbidden } from './refusals.ts';
import { referenceRule, checksThatWrite, type Rule } from '../../rule.ts';

/** What only who administers nodes may set, by POST and by PATCH. */
const kept: readonly (readonly [field: string, value: unknown])[] = [
  ['status', false],
  ['promote', false],
  ['sticky', true],
  ['created', '2001-02-03T04:05:06+00:00'],
];

const keptField = (
  contract: TargetContract,
  [field, value]: (typeof kept)[number],
  account: string,
): readonly Rule[] => {
  const kind = kindOf(contract.site, contentBundle(contract), 'node');
  const fields = { [field]: [{ value }] };
  const refused = (
    method: 'post' | 'patch',
    verb: 'creating' | 'updating',
    send: (context: CheckContext, as: TargetAccount) => Promise<Answer>,
  ): Rule =>
    referenceRule(`permission.field.${method}.${field}.${account}`, 'a real site: protected fields')(
      `${account}: Only who may administer nodes sets "${field}": others get 403 with a message that names the field.`,
      async (context) => {
        const message = expectForbidden(await send(context, accountNamed(context, account)));
        const wanted = `Access denied on ${verb} field '${field}'.`;
        expectThat(message.startsWith(wanted), `The message is ${shown(message)}, not ${shown(wanted)}.`);
      },
      { also: method === 'post' ? ['createNode'] : ['createNode', 'updateNode'] },
    );
  return [
    refused('post', 'creating', ({ ask, workspace }, as) =>
      ask({ method: 'POST', path: inJson('/node'), as, json: workspace.nodeBody(fields) }),
    ),
    refused('patch', 'updating', async (context, as) => {
      const path = kind.path(await context.once(`kept fields of ${account}`, (own) => ownNode(own, as)));
      const before = await readBack(context, { path });
      const answer = await patch(context, kind, { path }, fields, as);
      await expectUntouched(context, { path }, before);
      return answer;
    }),
  ];
};

/** The administrator may what others may not. */
const adminField = (contract: TargetContract, [field, value]: (typeof kept)[number]): Rule => {
  const kind = kindOf(contract.site, contentBundle(contract), 'node');
  return referenceRule(`permission.field.taken.${field}`, 'a real site: protected fields')(
    `Who may administer nodes sets "${field}" by a PATCH.`,
    async (context) => {
      if (field === 'status') skipModerated(kind.bundle);
      if (!context.may(context.maker(), 'administer nodes')) throw new CheckSkip('The maker may not administer nodes.');
      const made = await context.once('administered node', (own) => makeWritten(own, kind));
      expectStatus(await patch(context, kind, made, { [field]: [{ value }] }), 200);
      expectSame(valueIn(await readBack(context, made), field), value, `"${field}"`);
    },
    { also: ['createNode', 'updateNode'] },
  );
};

/** The accounts that may make nodes and change their own, but not administer them. */
const writers = (contract: TargetContract): readonly string[] => {
  const bundle = contentBundle(contract).id;
  return contract.site.accounts
    .filter(({ active }) => active)
    .filter((account) => {
      const who = principalFor(contract.site, account);
      const state = { bundle, whose: 'own', isPublished: true } as const;
      return (
        !may(who, 'administer nodes') &&
        permissionRules.node.create(who, state) &&
        permissionRules.node.edit(who, state)
      );
    })
    .map(({ name }) => name);
};

export const keptFieldChecks = (contract: TargetContract): readonly Check[] =>
  checksThatWrite([
    ...writers(contract).flatMap((name) => kept.flatMap((field) => keptField(contract, field, name))),
    ...kept.map((field) => adminField(contract, field)),
  ]);
