/** Checks of each operation with each way to authenticate, with the token against forged requests, and without credentials. */
import type { ProviderName } from '../../../../repository/repository.ts';
import type { HeaderLine } from '../../../../exchange/exchange.ts';
import type { TargetContract } from '../../../target/contract-source.ts';
import { type Answer, CheckSkip, expectStatus } from '../../answer.ts';
import type { AskedRequest, Check, CheckContext } from '../../check.ts';
import { accepts, expectForbidden, expectUnauthenticated, wrongProvider } from './refusals.ts';
import { rightReads, rightWrites, type RightRequest } from './right-requests.ts';
import { sharedSession } from './sessions.ts';
import { contractRule, checksThatWrite, type Rule } from '../../rule.ts';

const ways: Readonly<Record<ProviderName, { readonly by: NonNullable<AskedRequest['by']>; readonly words: string }>> = {
  basic_auth: { by: 'basic', words: 'HTTP Basic' },
  jwt_auth: { by: 'bearer', words: 'a token' },
  cookie: { by: 'session', words: 'a session cookie' },
};
const providers: readonly ProviderName[] = ['basic_auth', 'jwt_auth', 'cookie'];

/** Sends the right request of an operation; what is used up by it is made once more for the next one. */
const send = async (
  context: CheckContext,
  right: RightRequest,
  how: (request: AskedRequest) => AskedRequest,
): Promise<Answer> => {
  const answer = await context.ask(how(await right.request(context)));
  if (right.spends !== undefined && answer.status < 300) context.again(right.spends);
  return answer;
};

const providerRule = (right: RightRequest, provider: ProviderName): Rule =>
  contractRule(`provider.${right.operation}.${provider}`, 'contract: Authentication, rule 1')(
    `${right.operation} takes ${ways[provider].words} where the site accepts it for this method, and answers 403 where not.`,
    async (context) => {
      const by = { as: context.maker(), by: ways[provider].by };
      const answer = await send(context, right, (request) => ({ ...request, ...by }));
      if (accepts(context, right.operation, provider)) {
        expectStatus(answer, right.status);
        return;
      }
      expectForbidden(answer, wrongProvider);
    },
    { also: [right.operation] },
  );

const anonymousRule = (right: RightRequest): Rule =>
  contractRule(`unauthenticated.${right.operation}`, 'contract: Authentication, rule 4')(
    `${right.operation} without credentials answers 401 with a challenge, or 403 where HTTP Basic is not accepted.`,
    async (context) => {
      const answer = await send(context, right, (request) => ({ ...request, by: 'none' }));
      expectUnauthenticated(context, right.operation, answer);
    },
    { also: [right.operation] },
  );

const sendWithCookie = async (
  context: CheckContext,
  right: RightRequest,
  lines: readonly HeaderLine[] = [],
): Promise<Answer> => {
  const { cookie } = await sharedSession(context);
  return send(context, right, ({ headers = [], ...request }) => ({
    ...{ ...request, headers: [...headers, ['Cookie', cookie], ...lines], by: 'none' },
  }));
};

/** A cookie alone may be sent by a page of somebody else. */
const csrfRule = (right: RightRequest, name: string, token: string | undefined, says: string): Rule =>
  contractRule(`csrf.${right.operation}.${name}`, 'contract: Endpoints, rule 4; recording: CSRF')(
    `${right.operation} with a session cookie and ${name === 'missing' ? 'no' : 'a wrong'} X-CSRF-Token answers 403.`,
    async (context) => {
      const lines = token === undefined ? [] : [['X-CSRF-Token', token] as const];
      const answer = await sendWithCookie(context, right, lines);
      expectForbidden(answer, accepts(context, right.operation, 'cookie') ? says : wrongProvider);
    },
    { also: [right.operation, 'login'] },
  );

/** The operations of the document that ask for the token; uploads of the contract's endpoint do not. */
const needsToken = ({ operation }: RightRequest): boolean => !operation.startsWith('put');

const uploadWithoutToken = (right: RightRequest): Rule =>
  contractRule(`csrf.${right.operation}.not-needed`, 'contract: Endpoints, rule 4')(
    `${right.operation} takes a session cookie without X-CSRF-Token: the endpoint exists because the standard upload asks for it.`,
    async (context) => {
      if (!accepts(context, right.operation, 'cookie')) throw new CheckSkip('The site accepts no session cookie here.');
      const answer = await sendWithCookie(context, right);
      expectStatus(answer, right.status);
    },
    { also: [right.operation, 'login'] },
  );

export const providerChecks = (contract: TargetContract): readonly Check[] => {
  const [reads, writes] = [rightReads(contract), rightWrites(contract)];
  const guarded = writes.filter(needsToken);
  return checksThatWrite([
    ...[...reads, ...writes].flatMap((right, row) =>
      providers
        // HEAD is what GET is, so the providers share it.
        .filter((_, at) => right.method !== 'HEAD' || at === row % providers.length)
        .map((provider) => providerRule(right, provider)),
    ),
    ...[...writes, ...reads.filter(({ operation }) => operation === 'getToken')].map(anonymousRule),
    ...guarded.map((right) => csrfRule(right, 'missing', undefined, 'X-CSRF-Token request header is missing')),
    ...guarded.map((right) => csrfRule(right, 'wrong', 'x'.repeat(43), 'X-CSRF-Token request header is invalid')),
    ...writes.filter((right) => !needsToken(right)).map(uploadWithoutToken),
  ]);
};
