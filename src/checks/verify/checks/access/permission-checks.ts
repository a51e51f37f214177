/** Checks of who may do what: each account with each operation, on its own and other people's records, published and not. */
import {
  principalFor,
  permissionsOf,
  permissionRules,
  type Deed,
  type RecordState,
  type Whose,
} from '../../account-permissions.ts';
import type { TargetAccount } from '../../../../exchange/exchange-target.ts';
import type { TargetContract } from '../../../target/contract-source.ts';
import { expectSame, expectStatus, type Answer } from '../../answer.ts';
import type { AskedRequest, Check, CheckContext } from '../../check.ts';
import {
  createBody,
  createdIn,
  inJson,
  mainKinds,
  makeWritten,
  patch,
  patchBody,
  readBack,
  type RecordKind,
  type Written,
} from '../writing/record-kinds.ts';
import { differingFields, valueIn } from '../../record-members.ts';
import { publishing, skipModerated } from '../../workflow-states.ts';
import { accountNamed, expectForbidden, expectUnauthenticated } from './refusals.ts';
import { makeAs } from './own-records.ts';
import { contractRule, checksThatWrite, type Rule } from '../../rule.ts';

type Case = {
  readonly kind: RecordKind;
  readonly deed: Deed;
  readonly method: 'GET' | 'HEAD' | 'POST' | 'PATCH' | 'DELETE';
  readonly whose: Whose;
  readonly isPublished: boolean;
};

const statuses = { GET: 200, HEAD: 200, POST: 201, PATCH: 200, DELETE: 204 } as const;

const operationOf = ({ kind, method }: Case): string => {
  const { create, read, update, remove } = kind.operations;
  return { GET: read, HEAD: read.replace('get', 'head'), POST: create, PATCH: update, DELETE: remove }[method];
};

/** Everybody's records, then one's own. A term has no owner; only those who administer terms may hide one. */
const casesOf = (kind: RecordKind): readonly Case[] => {
  const methods = [
    ['GET', 'view'],
    ['HEAD', 'view'],
    ['PATCH', 'edit'],
    ['DELETE', 'delete'],
  ] as const;
  const whose: readonly Whose[] = kind.type === 'taxonomy_term' ? ['foreign'] : ['foreign', 'own'];
  const states = whose.flatMap((each) => [true, false].map((isPublished) => ({ whose: each, isPublished })));
  return [
    { kind, deed: 'create', method: 'POST', whose: 'own', isPublished: true },
    ...states.flatMap((state) => methods.map(([method, deed]) => ({ kind, deed, method, ...state }))),
  ];
};

const stateOf = ({ kind, whose, isPublished }: Case): RecordState => ({ bundle: kind.bundle.id, whose, isPublished });

const subjectKey = ({ kind, whose, isPublished }: Case, { name }: TargetAccount): string =>
  `permission ${kind.word} ${whose === 'own' ? `of ${name}` : ''} ${isPublished ? 'published' : 'unpublished'}`;

/**
 * A record in the state of a case, the same until somebody has removed it. Throws `CheckSkip` when the account cannot have one of its
 * own.
 */
const subjectOf = (context: CheckContext, one: Case, account: TargetAccount): Promise<Written> =>
  context.once(subjectKey(one, account), async (own) => {
    const { kind, whose, isPublished } = one;
    const made = whose === 'foreign' ? await makeWritten(own, kind) : await makeAs(own, kind, account);
    if (!isPublished) expectStatus(await patch(own, kind, made, publishing(kind.bundle, false, 'present')), 200);
    return made;
  });

const requestOf = async (
  context: CheckContext,
  { kind, method }: Case,
  { subject, account }: { readonly subject: Written | undefined; readonly account: TargetAccount },
): Promise<AskedRequest> => {
  if (subject === undefined) return { method, path: inJson(kind.collection), json: await createBody(context, kind) };
  if (method !== 'PATCH') return { method, path: inJson(subject.path) };
  const label = [{ value: newLabel(context, account) }];
  return { method, path: inJson(subject.path), json: patchBody(kind, { [kind.labelField]: label }) };
};

/** Throws unless nobody has changed the record. */
export const expectUntouched = async (
  context: CheckContext,
  subject: Pick<Written, 'path'>,
  before: Written['record'],
): Promise<void> => {
  expectSame(differingFields(before, await readBack(context, subject)), [], 'What the refused request has changed');
};

/** Throws unless a write that was taken has had its effect. */
const expectDone = async (
  context: CheckContext,
  { method, kind }: Case,
  { path, account }: { readonly path: string; readonly account: TargetAccount },
): Promise<void> => {
  if (method === 'DELETE') expectStatus(await context.ask({ path: inJson(path), as: context.maker() }), 404);
  if (method !== 'PATCH') return;
  expectSame(valueIn(await readBack(context, { path }), kind.labelField), newLabel(context, account), 'The label');
};

const newLabel = ({ workspace }: CheckContext, { name }: TargetAccount): string => `${workspace.label} by ${name}`;

/** A right account gets the status of success, an anonymous one 401, all others 403. */
export const expectDenied = (
  context: CheckContext,
  operation: string,
  account: TargetAccount,
  answer: Answer,
): void => {
  if (account.name === 'anonymous') expectUnauthenticated(context, operation, answer);
  else expectForbidden(answer);
};

const words = ({ kind, whose, isPublished, method }: Case): string =>
  method === 'POST'
    ? `make a ${kind.word} of ${kind.bundle.id}`
    : `${method} ${whose === 'own' ? 'its own' : "somebody else's"} ${isPublished ? '' : 'unpublished '}${kind.word}`;

const ruleOf = (one: Case, name: string): Rule => {
  const operation = operationOf(one);
  const state = one.method === 'POST' ? '' : `.${one.whose}.${one.isPublished ? 'published' : 'unpublished'}`;
  return contractRule(
    `permission.${one.kind.word}.${one.method.toLowerCase()}${state}.${name}`,
    'contract: Authentication, rule 4; recording: permissions',
  )(
    `${name} may ${words(one)} exactly when its permissions say so; else it is 401 for visitors and 403 for accounts, and nothing changes.`,
    async (context) => {
      skipModerated(one.kind.bundle);
      const account = accountNamed(context, name);
      const isAllowed = permissionRules[one.kind.type][one.deed](permissionsOf(context, account), stateOf(one));
      const subject = one.method === 'POST' ? undefined : await subjectOf(context, one, account);
      const isWrite = subject !== undefined && one.deed !== 'view';
      const before = isWrite && !isAllowed ? await readBack(context, subject) : undefined;
      const answer = await context.ask({ ...(await requestOf(context, one, { subject, account })), as: account });
      if (one.method === 'DELETE' && answer.status < 300) context.again(subjectKey(one, account));
      if (isAllowed) {
        expectStatus(answer, statuses[one.method]);
        if (one.method === 'POST') createdIn(one.kind, answer);
        if (subject !== undefined) await expectDone(context, one, { path: subject.path, account });
        return;
      }
      expectDenied(context, operation, account, answer);
      if (subject !== undefined && before !== undefined) await expectUntouched(context, subject, before);
    },
    { also: [operation] },
  );
};

/** The visitor, and the active accounts of the site. */
export const accountNames = ({ site }: TargetContract): readonly string[] => [
  'anonymous',
  ...site.accounts.filter(({ active }) => active).map(({ name }) => name),
];

/** Whether an account could have a record of its own, by the site's roles; the visitor never has. */
const isPossible = ({ site }: TargetContract, { whose, method, kind }: Case, name: string): boolean => {
  if (method === 'POST' || whose === 'foreign') return true;
  const roles = site.accounts.find((account) => account.name === name)?.roles;
  if (roles === undefined) return false;
  const state = { bundle: kind.bundle.id, whose, isPublished: true };
  return permissionRules[kind.type].create(principalFor(site, { name, roles }), state);
};

export const permissionChecks = (contract: TargetContract): readonly Check[] =>
  checksThatWrite(
    mainKinds(contract).flatMap((kind) =>
      casesOf(kind).flatMap((one, row) =>
        accountNames(contract)
          .filter((name) => isPossible(contract, one, name))
          // HEAD is what GET is, so one account asks it of each record.
          .filter((_, at, names) => one.method !== 'HEAD' || at === row % names.length)
          .map((name) => ruleOf(one, name)),
      ),
    ),
  );
