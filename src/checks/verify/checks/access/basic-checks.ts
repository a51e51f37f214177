/** Checks of HTTP Basic: right and wrong passwords, unknown names, and headers that are none. */
import { basicCredentials } from '../../../../core/access/basic-auth.ts';
import type { TargetAccount } from '../../../../exchange/accounts.ts';
import type { HeaderLine } from '../../../../exchange/wire-exchange.ts';
import { CheckSkip, expectStatus, expectThat, shown, type Answer } from '../../answer.ts';
import { type Check, type CheckContext, contractRule, referenceRule } from '../../check.ts';
import { inJson } from '../writing/record-kinds.ts';
import { memberOf } from '../../record-members.ts';
import { sources } from '../writing/writing-check.ts';
import { anonymousStatus, expectForbidden, expectUnauthenticated } from './refusals.ts';
import { hiddenNode } from './right-requests.ts';

/** Asks for a node that only few may see, with an Authorization header. */
export const askHidden = async (context: CheckContext, ...headers: readonly HeaderLine[]): Promise<Answer> =>
  context.ask({ path: inJson(`/node/${await hiddenNode(context)}`), headers, by: 'none' });

/** Asks for a node that everybody may see. */
export const askOpen = async (context: CheckContext, ...headers: readonly HeaderLine[]): Promise<Answer> => {
  const [visitor] = context.accounts;
  if (visitor === undefined || !context.may(visitor, 'access content'))
    throw new CheckSkip('Visitors may see nothing here.');
  return context.ask({ path: inJson(`/node/${context.subjects.node.id}`), headers, by: 'none' });
};

const passwordOf = ({ name, password }: TargetAccount): string => {
  if (password !== undefined) return password;
  throw new CheckSkip(`The password of ${name} is not known here.`);
};

/** Each wrong password counts against the address it comes from, so few are sent, and an account gets one at most. */
const wrongPassword = (context: CheckContext): HeaderLine => {
  const { name } = context.maker();
  return ['Authorization', basicCredentials(name, `not the password of ${name}`)];
};

type Rule = Pick<Check, 'name' | 'rule' | 'severity'> & {
  readonly source?: string;
  readonly isExclusive?: boolean;
  readonly run: (context: CheckContext) => Promise<void>;
};

const rules: readonly Rule[] = [
  {
    ...contractRule('right'),
    rule: 'A right name and password let in who may see a hidden node.',
    run: async (context) => {
      const account = context.maker();
      const authorization = basicCredentials(account.name, passwordOf(account));
      expectStatus(await askHidden(context, ['Authorization', authorization]), 200);
    },
  },
  {
    ...contractRule('scheme-in-lower-case', 'RFC 7617 §2'),
    rule: 'The scheme of HTTP Basic has no case.',
    run: async (context) => {
      const account = context.maker();
      const authorization = basicCredentials(account.name, passwordOf(account)).replace('Basic', 'basic');
      expectStatus(await askHidden(context, ['Authorization', authorization]), 200);
    },
  },
  {
    ...contractRule('wrong-password'),
    isExclusive: true,
    rule: 'A wrong password lets nobody in: credentials were supplied, so it is 403 and not 401. The right one works after it.',
    run: async (context) => {
      const account = context.maker();
      const right: HeaderLine = ['Authorization', basicCredentials(account.name, passwordOf(account))];
      expectForbidden(await askHidden(context, wrongPassword(context)));
      expectStatus(await askHidden(context, right), 200);
    },
  },
  {
    ...contractRule('wrong-password-writes-nothing'),
    isExclusive: true,
    rule: 'A POST with a wrong password answers 403 and makes nothing.',
    run: async (context) => {
      const account = context.maker();
      const json = context.workspace.nodeBody();
      const asked = { method: 'POST', path: inJson('/node'), json, by: 'none' } as const;
      expectForbidden(await context.ask({ ...asked, headers: [wrongPassword(context)] }));
      const right: HeaderLine = ['Authorization', basicCredentials(account.name, passwordOf(account))];
      expectStatus(await askHidden(context, right), 200);
    },
  },
  {
    ...contractRule('unknown-name'),
    isExclusive: true,
    rule: 'The name of no account lets nobody in: 403.',
    run: async (context) => {
      const authorization = basicCredentials('verify-nobody', 'nothing');
      expectForbidden(await askHidden(context, ['Authorization', authorization]));
    },
  },
];

/** Authorization headers that no provider takes for its own. */
const malformed: readonly (readonly [name: string, header: string])[] = [
  ['scheme-alone', 'Basic'],
  ['no-base64', 'Basic ***'],
  ['no-colon', `Basic ${Buffer.from('nobody').toString('base64')}`],
  ['unknown-scheme', 'Negotiate abc'],
  ['digest', 'Digest username="nobody", realm="x", nonce="y", uri="/", response="z"'],
  ['bearer-alone', 'Bearer'],
  ['bearer-in-lower-case', 'bearer abc.def.ghi'],
];

const malformedCheck = ([name, header]: (typeof malformed)[number]): Check => ({
  ...referenceRule(`basic.malformed.${name}`, sources.recorded),
  rule: `"Authorization: ${header}" is not a credential of any provider, so a hidden node answers as without credentials.`,
  ...{ operations: ['getNode'], isWriting: true },
  run: async (context) => {
    expectUnauthenticated(context, 'getNode', await askHidden(context, ['Authorization', header]));
  },
});

const malformedOnOpen = ([name, header]: (typeof malformed)[number]): Check => ({
  ...referenceRule(`basic.malformed-on-open.${name}`, sources.recorded),
  rule: `A node that everybody may see is answered with 200 also with "Authorization: ${header}".`,
  ...{ operations: ['getNode'], isWriting: true },
  run: async (context) => void expectStatus(await askOpen(context, ['Authorization', header]), 200),
});

const challenge: Check = {
  ...contractRule('basic.challenge', sources.authentication),
  rule: 'A hidden node answers 401 without credentials, with a challenge for HTTP Basic and a JSON message.',
  ...{ operations: ['getNode'], isWriting: true },
  run: async (context) => {
    const answer = await askHidden(context);
    expectUnauthenticated(context, 'getNode', answer);
    if (anonymousStatus(context, 'getNode') === 403) return;
    const message = memberOf(answer.json, 'message');
    expectThat(message === 'No authentication credentials provided.', `The message is ${shown(message)}.`);
  },
};

export const basicChecks = (): readonly Check[] => [
  challenge,
  ...rules.map(({ name, rule, severity, source = sources.authentication, isExclusive = false, run }) => ({
    ...{
      name: `basic.${name}`,
      rule,
      severity,
      source,
      operations: ['getNode', 'createNode'],
      isWriting: true,
      isExclusive,
      run,
    },
  })),
  ...malformed.map(malformedCheck),
  ...malformed.slice(0, 4).map(malformedOnOpen),
];
