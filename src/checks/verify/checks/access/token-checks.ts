/** Checks of JSON Web Tokens: how they are got, and what they let in. */
import { isRecord } from '../../../../basics/json.ts';
import { expectSame, expectStatus, expectThat, shown, type Answer } from '../../answer.ts';
import { adviceRule, type Check, contractRule, referenceRule } from '../../check.ts';
import { inJson } from '../writing/record-kinds.ts';
import { memberOf, type JsonRecord } from '../../record-members.ts';
import { sources } from '../writing/writing-check.ts';
import { askHidden, askOpen } from './basic-checks.ts';
import { forgeryChecks, bearer, getToken, partsOf, tokenIn } from './forged-token-checks.ts';
import { accountNamed, expectForbidden, expectUnauthenticated } from './refusals.ts';
import { checksOf, expectOwn, postNode, type Rule } from './sessions.ts';

/** The public key set, where the site publishes it. */
const keysOf = (answer: Answer): readonly JsonRecord[] => {
  const keys = memberOf(answer.json, 'keys');
  return Array.isArray(keys) ? keys.filter(isRecord) : [];
};

const rules: readonly Rule[] = [
  {
    ...contractRule('answer'),
    rule: 'GET /jwt/token answers 200 with JSON whose member token is a JSON Web Token.',
    run: async (context) => {
      const answer = expectStatus(await context.ask({ path: inJson('/jwt/token'), as: context.maker() }), 200);
      expectSame(answer.mediaType, 'application/json', 'The media type');
      partsOf(await getToken(context));
    },
  },
  {
    ...contractRule('anonymous'),
    rule: 'Who is not authenticated gets no token.',
    run: async (context) => {
      const answer = await context.ask({ path: inJson('/jwt/token'), by: 'none' });
      expectUnauthenticated(context, 'getToken', answer);
      expectThat(!answer.text.includes('"token"'), 'The refusal has a token.');
    },
  },
  {
    ...contractRule('reads'),
    rule: 'The token of an account lets in where the account may see a hidden node.',
    run: async (context) => expectStatus(await askHidden(context, bearer(await getToken(context))), 200),
  },
  {
    ...contractRule('used-again'),
    rule: 'A token can be used in later requests, again and again.',
    run: async (context) => {
      const token = await getToken(context);
      for (let turn = 0; turn < 3; turn += 1) expectStatus(await askHidden(context, bearer(token)), 200);
    },
  },
  {
    ...contractRule('two-tokens'),
    rule: 'A second token does not end the first.',
    run: async (context) => {
      const [first, second] = [await getToken(context), await getToken(context)];
      for (const token of [first, second]) expectStatus(await askHidden(context, bearer(token)), 200);
    },
  },
  {
    ...contractRule('writes'),
    operations: ['getToken', 'createNode'],
    rule: 'What a token makes belongs to the account of the token.',
    run: async (context) => expectOwn(await postNode(context, bearer(await getToken(context))), context),
  },
  {
    ...referenceRule('claims', 'a real site: claims of a token'),
    rule: 'A token names its account in sub, its issuer in iss, its roles, and the times iat and exp.',
    run: async (context) => {
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
  },
  {
    ...referenceRule('lifetime', 'a real site: claims of a token'),
    rule: 'A token lives as long as the site says.',
    run: async (context) => {
      const { iat, exp } = partsOf(await getToken(context)).claims;
      expectSame(Number(exp) - Number(iat), context.contract.site.tokenSeconds, 'The number of seconds');
    },
  },
  {
    ...referenceRule('algorithm', 'a real site: head of a token'),
    rule: 'A token is signed with RS256.',
    run: async (context) => {
      const { head } = partsOf(await getToken(context));
      expectSame([head['alg'], head['typ']], ['RS256', 'JWT'], 'The head');
    },
  },
  {
    ...referenceRule('by-token', sources.recorded),
    rule: 'A token gets another token of the same account.',
    run: async (context) => {
      const headers = [bearer(await getToken(context))];
      const answer = expectStatus(await context.ask({ path: inJson('/jwt/token'), headers, by: 'none' }), 200);
      const { claims } = partsOf(tokenIn(answer));
      expectSame(claims['sub'], context.maker().name, '"sub"');
    },
  },
  {
    ...adviceRule('not-cached', 'RFC 6750 §5.3'),
    rule: 'No cache may keep an answer with a token.',
    run: async (context) => {
      const answer = expectStatus(await context.ask({ path: inJson('/jwt/token'), as: context.maker() }), 200);
      const control = answer.header('cache-control') ?? '';
      expectThat(/no-store|no-cache|private/.test(control), `Cache-Control is ${shown(control)}.`);
    },
  },
  {
    ...referenceRule('forged-on-open', sources.recorded),
    rule: 'What everybody may see is answered with 200 also to a token that is none.',
    run: async (context) => expectStatus(await askOpen(context, bearer('a.b.c')), 200),
  },
  {
    ...referenceRule('two-spaces', sources.recorded),
    rule: 'A token behind two spaces is none: 403.',
    run: async (context) =>
      expectForbidden(await askHidden(context, ['Authorization', `Bearer  ${await getToken(context)}`])),
  },
  {
    ...referenceRule('published-key', 'document: getTokenKeys; RFC 7517 §5'),
    operations: ['getToken', 'getTokenKeys'],
    rule: 'The published keys are public ones: none shows a private part.',
    run: async (context) => {
      const keys = keysOf(expectStatus(await context.ask({ path: '/oauth/discovery/keys' }), 200));
      expectThat(keys.length > 0, 'There is no key.');
      const isPrivate = keys.some((key) => ['d', 'p', 'q', 'dp', 'dq', 'qi', 'k'].some((member) => member in key));
      expectThat(!isPrivate, 'A key shows a private part.');
    },
  },
];

/** Each account gets a token of its own. */
const ownToken = (name: string): Check => ({
  ...contractRule(`token.account.${name}`, sources.authentication),
  rule: `The token that ${name} gets is that of ${name}.`,
  ...{ operations: ['getToken'], isWriting: false },
  run: async (context) => {
    const answer = await context.ask({ path: inJson('/jwt/token'), as: accountNamed(context, name) });
    expectSame(partsOf(tokenIn(expectStatus(answer, 200))).claims['sub'], name, '"sub"');
  },
});

export const tokenChecks = (names: readonly string[]): readonly Check[] => [
  ...checksOf('token', rules, ['getToken']),
  ...forgeryChecks,
  ...names.map(ownToken),
];
