/** Checks refusals: their bodies and headers, paths that nothing has, and that nothing of the server's inside leaks. */
import { anonymousAccount, type TargetAccount } from '../../../../exchange/accounts.ts';
import { addressPath } from '../../../../core/site/site.ts';
import { CheckSkip, expectRefusal, expectStatus, expectThat, shown, type Answer } from '../../answer.ts';
import { adviceRule, type AskedRequest, type Check, type CheckContext, referenceRule } from '../../check.ts';
import { fileOf, mediaOf, readerOf, readingCheck } from './reading-check.ts';

export const errorChecks = (): readonly Check[] => [
  ...refusals.flatMap(refusalChecks),
  ...oddPaths.map(oddPath),
  ...escapes.map(escape),
  ...longOnes,
];

type Refusal = {
  readonly name: string;
  readonly status: number;
  readonly what: string;
  readonly request: (context: CheckContext) => AskedRequest;
};

/** An account that lacks a permission. */
const accountWithout = (context: CheckContext, permission: string): TargetAccount => {
  const account = context.accounts.find(
    (one) => one.name !== anonymousAccount.name && one.roles !== undefined && !context.may(one, permission),
  );
  if (account === undefined) throw new CheckSkip(`Every account has the permission "${permission}".`);
  return account;
};

const mediaPath = (context: CheckContext): string =>
  `${addressPath(context.contract.site, 'media', mediaOf(context).id)}?_format=json`;

const visitorWithout = (context: CheckContext, permission: string): TargetAccount => {
  if (context.may(anonymousAccount, permission)) throw new CheckSkip(`Anonymous visitors have "${permission}".`);
  return anonymousAccount;
};

const refusals: readonly Refusal[] = [
  {
    name: 'absent-node',
    status: 404,
    what: 'a node that does not exist',
    request: (context) => ({ path: `/node/${context.subjects.absentId}?_format=json`, as: readerOf(context) }),
  },
  {
    name: 'absent-media',
    status: 404,
    what: 'a media that does not exist',
    request: (context) => ({
      path: `${addressPath(context.contract.site, 'media', context.subjects.absentId)}?_format=json`,
      as: readerOf(context),
    }),
  },
  {
    name: 'absent-file',
    status: 404,
    what: 'a file that does not exist',
    request: (context) => ({ path: `/entity/file/${context.subjects.absentId}?_format=json`, as: readerOf(context) }),
  },
  {
    name: 'absent-path',
    status: 404,
    what: 'a path that the document does not have',
    request: () => ({ path: '/nobody/knows/this?_format=json' }),
  },
  {
    name: 'anonymous-media',
    status: 401,
    what: 'a media that visitors may not view, without credentials',
    request: (context) => ({ path: mediaPath(context), as: visitorWithout(context, 'view media') }),
  },
  {
    name: 'forbidden-media',
    status: 403,
    what: 'a media, with the credentials of an account that may not view it',
    request: (context) => ({ path: mediaPath(context), as: accountWithout(context, 'view media') }),
  },
  {
    name: 'unpublished-node',
    status: 401,
    what: 'an unpublished node, without credentials',
    request: ({ subjects: { unpublished } }) => {
      if (unpublished === undefined) throw new CheckSkip('No unpublished node is known.');
      return { path: `/node/${unpublished.id}?_format=json` };
    },
  },
  {
    name: 'unknown-format',
    status: 406,
    what: 'a node in a format that there is not',
    request: ({ subjects }) => ({ path: `/node/${subjects.node.id}?_format=foo` }),
  },
];

const leaks: readonly RegExp[] = [
  /\n\s+at \S+.*:\d+:\d+/,
  /\/(?:home|root|var\/www|usr\/(?:lib|local)|srv|opt|tmp)\//,
  // A page of a site may name a script; a trace has a line with it.
  /node_modules|\.php(?:\(\d|:\d| on line)|\.tsx?\b|\.m?js:\d+/,
  /Stack trace|Traceback|Fatal error|SQLSTATE|Exception in/i,
];

const refusalChecks = ({ name, status, what, request }: Refusal): readonly Check[] => {
  const ask = (context: CheckContext): Promise<Answer> => context.ask(request(context));
  // Of formats the contract says nothing.
  const severity = status === 406 ? 'advice' : 'contract';
  const titled = (part: string) => `error.${name}.${part}`;
  return [
    readingCheck({
      name: titled('status'),
      rule: `A read of ${what} is ${status}, with a message as JSON.`,
      source: status === 406 ? 'a real site' : `contract: Errors, ${status}`,
      severity,
      run: async (context) => {
        expectRefusalOrEmptyReason(await ask(context), status);
      },
    }),
    readingCheck({
      name: titled('body'),
      rule: `The refusal of ${what} is an object with the one member \`message\`, as application/json.`,
      source: 'contract: Errors; a real site',
      severity,
      run: async (context) => {
        const answer = await ask(context);
        expectRefusalOrEmptyReason(answer, status);
        const members = Object.keys(Object(answer.json) as object);
        expectThat(members.join() === 'message', `Its members are ${shown(members)}.`);
        expectThat(answer.mediaType === 'application/json', `The type is ${shown(answer.header('content-type'))}.`);
      },
    }),
    readingCheck({
      ...referenceRule(titled('headers'), 'RFC 9110 §11.6.1; a real site'),
      rule: `The refusal of ${what} has no links of a record and no validators; a 401 has a challenge, others have none.`,
      run: async (context) => {
        const answer = await ask(context);
        const links = answer.links.filter(({ rel }) => rel !== 'alternate' || status !== 406);
        expectThat(links.length === 0, `It has the link ${shown(links[0])}.`);
        expectThat(answer.header('etag') === undefined, 'It has an ETag.');
        const challenge = answer.header('www-authenticate');
        if (status !== 401) expectThat(challenge === undefined, `It has the challenge ${shown(challenge)}.`);
        else expectThat(/^Basic realm="[^"]*"/.test(challenge ?? ''), `The challenge is ${shown(challenge)}.`);
      },
    }),
    noLeak(name, what, ask),
  ];
};

const noLeak = (name: string, what: string, ask: (context: CheckContext) => Promise<Answer>): Check =>
  readingCheck({
    ...adviceRule(`error.${name}.no-leak`, 'OWASP: Improper Error Handling'),
    rule: `The refusal of ${what} shows nothing of the server's files or code.`,
    run: async (context) => {
      expectNoLeak(await ask(context));
    },
  });

/** The message of a 403 may be empty: the reason is nobody's business. */
const expectRefusalOrEmptyReason = (answer: Answer, status: number): void => {
  const { message } = Object(answer.json) as { readonly message?: unknown };
  if (status === 403 && message === '') expectStatus(answer, status);
  else expectRefusal(answer, status);
};

/** The path that was asked for may be repeated. */
const expectNoLeak = ({ text, exchange }: Answer): void => {
  const asked = exchange.request.path.replace(/\?.*$/, '');
  const rest = text.replaceAll('\\/', '/').replaceAll(asked, '');
  const leak = leaks.map((pattern) => pattern.exec(rest)?.[0]).find((found) => found !== undefined);
  expectThat(leak === undefined, `The body has ${shown(leak)}.`);
};

type OddPath = { readonly name: string; readonly path: (context: CheckContext) => string };

const node = ({ subjects }: CheckContext): number => subjects.node.id;

const oddPaths: readonly OddPath[] = [
  { name: 'below-a-node', path: (context) => `/node/${node(context)}/nobody` },
  { name: 'upper-case', path: (context) => `/NODE/${node(context)}` },
  { name: 'two-slashes-first', path: (context) => `//node/${node(context)}` },
  { name: 'two-slashes', path: (context) => `/node//${node(context)}` },
  { name: 'file-without-entity', path: (context) => `/file/${fileOf(context).id}` },
  { name: 'hidden-file', path: () => '/.env' },
  { name: 'repository-files', path: () => '/.git/config' },
  { name: 'settings', path: () => '/sites/default/settings.php' },
  { name: 'null-byte', path: () => '/node/%00' },
  { name: 'broken-escape', path: () => '/node/%zz' },
  { name: 'half-character', path: () => '/node/%C3' },
  { name: 'escaped-slash', path: (context) => `/node%2F${node(context)}` },
  { name: 'semicolon', path: (context) => `/node/${node(context)};x=1` },
];

const oddPath = ({ name, path }: OddPath): Check =>
  readingCheck({
    ...adviceRule(`path.${name}`, 'a real site; docs/use/differences.md: A path in another spelling'),
    rule: `A path that nothing has (${name}) is 404 or 400, as JSON with a message and nothing of the server's inside.`,
    run: async (context) => {
      const address = `${path(context)}?_format=json`;
      const answer = await context.ask({ path: address, as: readerOf(context), isJudged: false });
      expectRefusal(answer, 404, 400);
      expectNoLeak(answer);
    },
  });

const escapes: readonly string[] = [
  '../../../../../../etc/passwd',
  '%2e%2e/%2e%2e/%2e%2e/%2e%2e/etc/passwd',
  '..%2f..%2f..%2f..%2fetc%2fpasswd',
  '..%5c..%5c..%5cboot.ini',
  '%252e%252e/%252e%252e/etc/passwd',
  '....//....//etc/passwd',
  '%00/etc/passwd',
];

const escape = (text: string, at: number): Check =>
  readingCheck({
    ...adviceRule(`path.escape-${at + 1}`, 'OWASP: Path Traversal'),
    rule: `No path below the content of files leads out of it: ${text}.`,
    run: async (context) => {
      for (const { prefix } of context.contract.site.storages) {
        const answer = await context.ask({ path: `${prefix}/${text}`, as: readerOf(context), isJudged: false });
        // A real site may lead to the path without doubled slashes.
        expectThat(answer.status >= 300 && answer.status < 500, `It is ${answer.status}.`);
        expectThat(!/root:.*:0:0:/.test(answer.text), 'It shows a file of the system.');
        expectNoLeak(answer);
      }
    },
  });

const long = (name: string, what: string, path: (context: CheckContext) => string, ...statuses: readonly number[]) =>
  readingCheck({
    ...adviceRule(`path.${name}`, 'RFC 9110 §15.5.15'),
    rule: `${what} is answered, and not with 500.`,
    run: async (context) => {
      expectStatus(await context.ask({ path: path(context), isJudged: false }), ...statuses);
    },
  });

const longOnes: readonly Check[] = [
  long('long', 'A path of 6,000 characters', () => `/node/${'1'.repeat(6000)}?_format=json`, 404, 414, 400),
  long('deep', 'A path of 500 parts', () => `/node${'/1'.repeat(500)}?_format=json`, 404, 414, 400),
  long(
    'long-query',
    'A query of 6,000 characters',
    (context) => `/node/${node(context)}?_format=json&x=${'y'.repeat(6000)}`,
    200,
    414,
  ),
  long(
    'many-parameters',
    'A query of 500 parameters',
    (context) => `/node/${node(context)}?${'a=1&'.repeat(500)}_format=json`,
    200,
    414,
  ),
];
