/** Checks of HTTP Basic: right and wrong passwords, unknown names, and headers that are none. */
import { basicCredentials } from '../../../../basics/formats/basic-credentials.ts';
import type { TargetAccount } from '../../../../exchange/exchange-target.ts';
import type { HeaderLine } from '../../../../exchange/exchange.ts';
import { CheckSkip, expectSame, expectStatus, type Answer } from '../../answer.ts';
import type { Check, CheckContext } from '../../check.ts';
import { inJson } from '../writing/record-kinds.ts';
import { memberOf } from '../../record-members.ts';
import { anonymousStatus, expectForbidden, expectUnauthenticated } from './refusals.ts';
import { hiddenNode } from './right-requests.ts';
import { postNode, authenticationChecks } from './sessions.ts';
import { contractRule, referenceRule, sources, type Rule } from '../../rule.ts';
import { orSkip } from '../reading/reading-check.ts';

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

const passwordOf = ({ name, password }: TargetAccount): string =>
  orSkip(password, `The password of ${name} is not known here.`);

const basic = ({ name }: TargetAccount, password: string): HeaderLine => [
  'Authorization',
  basicCredentials(name, password),
];

/** The right line of the account that makes everything. */
const right = (context: CheckContext): HeaderLine => basic(context.maker(), passwordOf(context.maker()));

/** Each wrong password counts against the address it comes from, so few are sent, and an account gets one at most. */
const wrong = (context: CheckContext): HeaderLine =>
  basic(context.maker(), `not the password of ${context.maker().name}`);

const rules: readonly Rule[] = [
  contractRule('challenge')(
    'A hidden node answers 401 without credentials, with a challenge for HTTP Basic and a JSON message.',
    async (context) => {
      const answer = await askHidden(context);
      expectUnauthenticated(context, 'getNode', answer);
      if (anonymousStatus(context, 'getNode') === 403) return;
      expectSame(memberOf(answer.json, 'message'), 'No authentication credentials provided.', 'The message');
    },
  ),
  contractRule('right')('A right name and password let in who may see a hidden node.', async (context) =>
    expectStatus(await askHidden(context, right(context)), 200),
  ),
  contractRule('scheme-in-lower-case', 'RFC 7617 §2')('The scheme of HTTP Basic has no case.', async (context) => {
    const [name, value] = right(context);
    expectStatus(await askHidden(context, [name, value.replace('Basic', 'basic')]), 200);
  }),
  contractRule('wrong-password')(
    'A wrong password lets nobody in: credentials were supplied, so it is 403 and not 401. The right one works after it.',
    async (context) => {
      expectForbidden(await askHidden(context, wrong(context)));
      expectStatus(await askHidden(context, right(context)), 200);
    },
    { isExclusive: true },
  ),
  contractRule('wrong-password-writes-nothing')(
    'A POST with a wrong password answers 403 and makes nothing.',
    async (context) => {
      expectForbidden(await postNode(context, wrong(context)));
      expectStatus(await askHidden(context, right(context)), 200);
    },
    { also: ['createNode'], isExclusive: true },
  ),
  contractRule('unknown-name')(
    'The name of no account lets nobody in: 403.',
    async (context) => expectForbidden(await askHidden(context, basic({ name: 'verify-nobody' }, 'nothing'))),
    { isExclusive: true },
  ),
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

const onHidden = malformed.map(([name, header]): Rule =>
  referenceRule(`malformed.${name}`, sources.recorded)(
    `"Authorization: ${header}" is not a credential of any provider, so a hidden node answers as without credentials.`,
    async (context) => expectUnauthenticated(context, 'getNode', await askHidden(context, ['Authorization', header])),
  ),
);

const onOpen = malformed
  .slice(0, 4)
  .map(([name, header]): Rule =>
    referenceRule(`malformed-on-open.${name}`, sources.recorded)(
      `A node that everybody may see is answered with 200 also with "Authorization: ${header}".`,
      async (context) => expectStatus(await askOpen(context, ['Authorization', header]), 200),
    ),
  );

export const basicChecks = (): readonly Check[] =>
  authenticationChecks('basic', [...rules, ...onHidden, ...onOpen], ['getNode']);
