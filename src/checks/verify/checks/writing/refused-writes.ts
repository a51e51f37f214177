/** Checks of writes that nobody or few may do, and whose success could not be undone: files as records, aliases, redirects. */
import type { TargetContract } from '../../../target/contract-source.ts';
import { CheckSkip, expectRefusal, expectRefusalThatSays, expectSame, expectStatus, expectThat } from '../../answer.ts';
import type { Check } from '../../check.ts';
import { accountNames, expectDenied } from '../access/permission-checks.ts';
import { accountNamed, expectForbidden } from '../access/refusals.ts';
import { asMaker, inJson } from './record-kinds.ts';
import { referenceRule, checksThatWrite, sources, type Rule } from '../../rule.ts';

type Collection = {
  readonly operation: string;
  readonly path: string;
  /** A body that could be taken. */
  readonly json: (label: string) => object;
  /** Undefined: nobody may. */
  readonly permission: string | undefined;
};

const collections: readonly Collection[] = [
  {
    ...{ operation: 'createFile', path: '/entity/file', permission: undefined },
    json: (label) => ({ filename: [{ value: `${label}.txt` }], uri: [{ value: 'public://verify.txt' }] }),
  },
  {
    ...{ operation: 'createPathAlias', path: '/entity/path_alias', permission: 'administer url aliases' },
    json: (label) => ({ path: [{ value: '/node/1' }], alias: [{ value: `/${encodeURIComponent(label)}` }] }),
  },
  {
    ...{ operation: 'createRedirect', path: '/entity/redirect', permission: 'administer redirects' },
    json: (label) => ({
      type: [{ value: 'redirect' }],
      redirect_source: [{ path: encodeURIComponent(label), query: [] }],
      redirect_redirect: [{ uri: 'internal:/node/1' }],
    }),
  },
];

/** An allowed write is not tried: not every site has a way to remove an alias or a redirect. */
const refusedFor = ({ operation, path, json, permission }: Collection, name: string): Rule =>
  referenceRule(`${operation}.${name}`, permission === undefined ? sources.recorded : sources.authentication)(
    `${operation} answers ${name} with ${name === 'anonymous' ? 401 : 403}${permission === undefined ? ', as everybody' : ` without "${permission}"`}.`,
    async (context) => {
      const as = accountNamed(context, name);
      if (permission !== undefined && context.may(as, permission)) {
        throw new CheckSkip(`${name} may do it, and it could not be undone.`);
      }
      const asked = { method: 'POST', path: inJson(path), as, json: json(context.workspace.label) };
      expectDenied(context, operation, as, await context.ask(asked));
    },
    { also: [operation] },
  );

const typed = (type: string) => [['Content-Type', type] as const];

const faults = [
  ['no-content-type', 'without a Content-Type', 415, [], '{}'],
  ['xml', 'of XML', 415, typed('text/xml'), '<a/>'],
  ['syntax', 'that is no JSON', 400, typed('application/json'), 'no JSON'],
  ['empty', 'that is empty', 400, typed('application/json'), ''],
] as const;

const faultRule = (
  { operation, path }: Collection,
  [name, words, status, headers, body]: (typeof faults)[number],
): Rule =>
  referenceRule(`${operation}.${name}`, sources.order)(
    `${operation} with a body ${words} answers ${status}.`,
    async (context) => {
      const answer = await asMaker(context, 'POST', path, { headers, body });
      // Nobody may make the record of a file, so the refusal of that may come first, without a reason.
      if (status === 400 && answer.status === 403) expectForbidden(answer);
      else expectRefusal(answer, status);
    },
    { also: [operation] },
  );

const invalidAlias: readonly (readonly [name: string, words: string, alias: unknown])[] = [
  ['no-slash', 'that does not begin with a slash', [{ value: 'verify' }]],
  ['long', 'of more than 255 characters', [{ value: `/${'x'.repeat(255)}` }]],
  ['missing', 'that is missing', []],
];

const aliasRule = ([name, words, alias]: (typeof invalidAlias)[number]): Rule =>
  referenceRule(`createPathAlias.alias-${name}`, sources.validation)(
    `An alias ${words} is refused with 422.`,
    async (context) => {
      if (!context.may(context.maker(), 'administer url aliases'))
        throw new CheckSkip('The maker may make no aliases.');
      const json = { path: [{ value: '/node/1' }], alias };
      expectRefusalThatSays(await asMaker(context, 'POST', '/entity/path_alias', { json }), 422, 'alias');
    },
    { also: ['createPathAlias'] },
  );

/** The same token by POST, which needs no body. */
const byPost = (operation: string, path: string, mediaType: string): Rule =>
  referenceRule(`token.by-post.${operation}`, sources.recorded)(
    `A POST to ${path} answers as a GET does.`,
    async (context) => {
      const by = path.startsWith('/jwt') ? ({ as: context.maker() } as const) : ({ by: 'none' } as const);
      const answer = expectStatus(await context.ask({ method: 'POST', path, ...by }), 200);
      expectSame(answer.mediaType, mediaType, 'The media type');
      expectThat(answer.text.length > 20, 'The answer has no token.');
    },
    { also: [operation] },
  );

export const refusedWrites = (contract: TargetContract): readonly Check[] => {
  const ofCollections = collections.flatMap((collection) => [
    ...accountNames(contract).map((name) => refusedFor(collection, name)),
    ...faults.map((fault) => faultRule(collection, fault)),
  ]);
  return [
    ...checksThatWrite([...ofCollections, ...invalidAlias.map(aliasRule)], { topic: 'refused-write' }),
    ...checksThatWrite([
      byPost('postToken', '/jwt/token?_format=json', 'application/json'),
      byPost('postSessionToken', '/session/token', 'text/plain'),
      byPost('postRestSessionToken', '/rest/session/token', 'text/plain'),
    ]),
  ];
};
