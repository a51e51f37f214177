/** Checks of JSON Web Tokens: how they are got, and what they let in. */
import { isRecord } from '../../../../basics/json.ts';
import { expectSame, expectStatus, expectThat, shown, type Answer } from '../../answer.ts';
import type { Check } from '../../check.ts';
import { inJson } from '../writing/record-kinds.ts';
import { memberOf, type JsonRecord } from '../../record-members.ts';
import { askHidden, askOpen } from './basic-checks.ts';
import { forgeryChecks, bearer, getToken, partsOf, tokenIn } from './forged-token-checks.ts';
import { accountNamed, expectForbidden, expectUnauthenticated } from './refusals.ts';
import { expectOwn, postNode, authenticationChecks } from './sessions.ts';
import { contractRule, referenceRule, adviceRule, checksThatRead, sources, type Rule } from '../../rule.ts';

/** The public key set, where the site publishes it. */
const keysOf = (answer: Answer): readonly JsonRecord[] => {
  const keys = memberOf(answer.json, 'keys');
  return Array.isArray(keys) ? keys.filter(isRecord) : [];
};

const rules: readonly Rule[] = [
  contractRule('answer')(
    'GET /jwt/token answers 200 with JSON whose member token is a JSON Web Token.',
    async (context) => {
      const answer = expectStatus(await context.ask({ path: inJson('/jwt/token'), as: context.maker() }), 200);
      expectSame(answer.mediaType, 'application/json', 'The media type');
      partsOf(await getToken(context));
    },
  ),
  contractRule('anonymous')('Who is not authenticated gets no token.', async (context) => {
    const answer = await context.ask({ path: inJson('/jwt/token'), by: 'none' });
    expectUnauthenticated(context, 'getToken', answer);
    expectThat(!answer.text.includes('"token"'), 'The refusal has a token.');
  }),
  contractRule('reads')('The token of an account lets in where the account may see a hidden node.', async (context) =>
    expectStatus(await askHidden(context, bearer(await getToken(context))), 200),
  ),
  contractRule('used-again')('A token can be used in later requests, again and again.', async (context) => {
    const token = await getToken(context);
    for (let turn = 0; turn < 3; turn += 1) expectStatus(await askHidden(context, bearer(token)), 200);
  }),
  contractRule('two-tokens')('A second token does not end the first.', async (context) => {
    const [first, second] = [await getToken(context), await getToken(context)];
    for (const token of [first, second]) expectStatus(await askHidden(context, bearer(token)), 200);
  }),
  contractRule('writes')(
    'What a token makes belongs to the account of the token.',
    async (context) => expectOwn(await postNode(context, bearer(await getToken(context))), context),
    { also: ['createNode'] },
  ),
  referenceRule('claims', 'a real site: claims of a token')(
    'A token names its account in sub, its issuer in iss, its roles, and the times iat and exp.',
    async (context) => {
      const { claims } = partsOf(await getToken(context));
      expectSame(claims['sub'], context.maker().name, '"sub"');
      expectThat(typeof claims['iss'] === 'string', `"iss" is ${shown(claims['iss'])}.`);
      expectThat(Array.isArray(claims['roles']), `"roles" is ${shown(claims['roles'])}.`);
      const { iat, exp } = claims;
      expectThat(
        typeof iat === 'number' && typeof exp === 'number' && exp > iat,
        `iat ${shown(iat)}, exp ${shown(exp)}.`,
      );
    },
  ),
  referenceRule('lifetime', 'a real site: claims of a token')(
    'A token lives as long as the site says.',
    async (context) => {
      const { iat, exp } = partsOf(await getToken(context)).claims;
      expectSame(Number(exp) - Number(iat), context.contract.site.tokenSeconds, 'The number of seconds');
    },
  ),
  referenceRule('algorithm', 'a real site: head of a token')('A token is signed with RS256.', async (context) => {
    const { head } = partsOf(await getToken(context));
    expectSame([head['alg'], head['typ']], ['RS256', 'JWT'], 'The head');
  }),
  referenceRule('by-token', sources.recorded)('A token gets another token of the same account.', async (context) => {
    const headers = [bearer(await getToken(context))];
    const answer = expectStatus(await context.ask({ path: inJson('/jwt/token'), headers, by: 'none' }), 200);
    const { claims } = partsOf(tokenIn(answer));
    expectSame(claims['sub'], context.maker().name, '"sub"');
  }),
  adviceRule('not-cached', 'RFC 6750 §5.3')('No cache may keep an answer with a token.', async (context) => {
    const answer = expectStatus(await context.ask({ path: inJson('/jwt/token'), as: context.maker() }), 200);
    const control = answer.header('cache-control') ?? '';
    expectThat(/no-store|no-cache|private/.test(control), `Cache-Control is ${shown(control)}.`);
  }),
  referenceRule('forged-on-open', sources.recorded)(
    'What everybody may see is answered with 200 also to a token that is none.',
    async (context) => expectStatus(await askOpen(context, bearer('a.b.c')), 200),
  ),
  referenceRule('two-spaces', sources.recorded)('A token behind two spaces is none: 403.', async (context) =>
    expectForbidden(await askHidden(context, ['Authorization', `Bearer  ${await getToken(context)}`])),
  ),
  referenceRule('published-key', 'document: getTokenKeys; RFC 7517 §5')(
    'The published keys are public ones: none shows a private part.',
    async (context) => {
      const keys = keysOf(expectStatus(await context.ask({ path: '/oauth/discovery/keys' }), 200));
      expectThat(keys.length > 0, 'There is no key.');
      const isPrivate = keys.some((key) => ['d', 'p', 'q', 'dp', 'dq', 'qi', 'k'].some((member) => member in key));
      expectThat(!isPrivate, 'A key shows a private part.');
    },
    { also: ['getTokenKeys'] },
  ),
];

/** Each account gets a token of its own. */
const ownToken = (name: string): Rule =>
  contractRule(`token.account.${name}`, sources.authentication)(
    `The token that ${name} gets is that of ${name}.`,
    async (context) => {
      const answer = await context.ask({ path: inJson('/jwt/token'), as: accountNamed(context, name) });
      expectSame(partsOf(tokenIn(expectStatus(answer, 200))).claims['sub'], name, '"sub"');
    },
    { also: ['getToken'] },
  );

export const tokenChecks = (names: readonly string[]): readonly Check[] => [
  ...authenticationChecks('token', rules, ['getToken']),
  ...forgeryChecks,
  ...checksThatRead(names.map(ownToken)),
];
