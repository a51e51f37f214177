/** Checks refusals: their bodies and headers, paths that nothing has, and that nothing of the server's inside leaks. */
import { anonymousAccount, type TargetAccount } from '../../../../exchange/exchange-target.ts';
import { expectRefusal, expectSame, expectStatus, expectThat, shown, type Answer } from '../../answer.ts';
import type { Check, CheckContext } from '../../check.ts';
import { addressWith, isVisitor, orSkip, readerOf } from './reading-check.ts';
import { contractRule, referenceRule, adviceRule, checksOf, checksThatRead, type Rule } from '../../rule.ts';

export const errorChecks = (): readonly Check[] => [
  ...refusals.flatMap(refusalChecks),
  ...checksThatRead([...oddPaths.map(oddPath), ...escapes.map(escape), ...longOnes.map(longOne)], { topic: 'path' }),
];

type Refusal = readonly [
  name: string,
  status: number,
  what: string,
  path: string,
  as?: (context: CheckContext) => TargetAccount,
];

/** An account that may not view media. */
const viewsNoMedia = ({ accounts, may }: CheckContext): TargetAccount =>
  orSkip(
    accounts.find((one) => !isVisitor(one) && one.roles !== undefined && !may(one, 'view media')),
    'Every account has the permission "view media".',
  );

const visitor = ({ may }: CheckContext): TargetAccount =>
  orSkip(may(anonymousAccount, 'view media') ? undefined : anonymousAccount, 'Anonymous visitors have "view media".');

/** Who asks is the visitor unless somebody is named. */
const refusals: readonly Refusal[] = [
  ['absent-node', 404, 'a node that does not exist', '/node/{absent}', readerOf],
  ['absent-media', 404, 'a media that does not exist', '{absentMedia}', readerOf],
  ['absent-file', 404, 'a file that does not exist', '/entity/file/{absent}', readerOf],
  ['absent-path', 404, 'a path that the document does not have', '/nobody/knows/this'],
  ['anonymous-media', 401, 'a media that visitors may not view, without credentials', '{media}', visitor],
  ['forbidden-media', 403, 'a media, with the credentials of an account that may not view it', '{media}', viewsNoMedia],
  ['unpublished-node', 401, 'an unpublished node, without credentials', '/node/{unpublished}'],
  ['unknown-format', 406, 'a node in a format that there is not', '/node/{node}?_format=foo'],
];

const leaks: readonly RegExp[] = [
  /\n\s+at \S+.*:\d+:\d+/,
  /\/(?:home|root|var\/www|usr\/(?:lib|local)|srv|opt|tmp)\//,
  // A page of a site may name a script; a trace has a line with it.
  /node_modules|\.php(?:\(\d|:\d| on line)|\.tsx?\b|\.m?js:\d+/,
  /Stack trace|Traceback|Fatal error|SQLSTATE|Exception in/i,
];

const refusalChecks = ([name, status, what, path, as = () => anonymousAccount]: Refusal): readonly Check[] =>
  checksOf(
    {
      ...{ topic: `error.${name}`, of: name, operations: [] },
      see: (context) =>
        context.ask({
          path: addressWith(context, path.includes('?') ? path : `${path}?_format=json`),
          as: as(context),
        }),
    },
    refusalRules(status, what),
  );

const refusalRules = (status: number, what: string): readonly Rule<Answer>[] => {
  // Of formats the contract says nothing.
  const rule = status === 406 ? adviceRule : contractRule;
  return [
    rule('status', status === 406 ? 'a real site' : `contract: Errors, ${status}`)(
      `A read of ${what} is ${status}, with a message as JSON.`,
      (answer) => expectRefusalOrEmptyReason(answer, status),
    ),
    rule('body', 'contract: Errors; a real site')(
      `The refusal of ${what} is an object with the one member \`message\`, as application/json.`,
      (answer) => {
        expectRefusalOrEmptyReason(answer, status);
        expectSame(Object.keys(Object(answer.json) as object), ['message'], 'What it has');
        expectSame(answer.mediaType, 'application/json', 'The type');
      },
    ),
    referenceRule('headers', 'RFC 9110 §11.6.1; a real site')(
      `The refusal of ${what} has no links of a record and no validators; a 401 has a challenge, others have none.`,
      (answer) => {
        const links = answer.links.filter(({ rel }) => rel !== 'alternate' || status !== 406);
        expectThat(links.length === 0, `It has the link ${shown(links[0])}.`);
        expectSame(answer.header('etag'), undefined, 'The ETag');
        const challenge = answer.header('www-authenticate');
        if (status !== 401) expectSame(challenge, undefined, 'The challenge');
        else expectThat(/^Basic realm="[^"]*"/.test(challenge ?? ''), `The challenge is ${shown(challenge)}.`);
      },
    ),
    adviceRule('no-leak', 'OWASP: Improper Error Handling')(
      `The refusal of ${what} shows nothing of the server's files or code.`,
      expectNoLeak,
    ),
  ];
};

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

const oddPaths: readonly (readonly [name: string, path: string])[] = [
  ['below-a-node', '/node/{node}/nobody'],
  ['upper-case', '/NODE/{node}'],
  ['two-slashes-first', '//node/{node}'],
  ['two-slashes', '/node//{node}'],
  ['file-without-entity', '/file/{file}'],
  ['hidden-file', '/.env'],
  ['repository-files', '/.git/config'],
  ['settings', '/sites/default/settings.php'],
  ['null-byte', '/node/%00'],
  ['broken-escape', '/node/%zz'],
  ['half-character', '/node/%C3'],
  ['escaped-slash', '/node%2F{node}'],
  ['semicolon', '/node/{node};x=1'],
];

const oddPath = ([name, path]: (typeof oddPaths)[number]): Rule =>
  adviceRule(name, 'a real site; docs/use/differences.md: A path in another spelling')(
    `A path that nothing has (${name}) is 404 or 400, as JSON with a message and nothing of the server's inside.`,
    async (context) => {
      const address = `${addressWith(context, path)}?_format=json`;
      const answer = await context.ask({ path: address, as: readerOf(context), isJudged: false });
      expectRefusal(answer, 404, 400);
      expectNoLeak(answer);
    },
  );

const escapes: readonly string[] = [
  '../../../../../../etc/passwd',
  '%2e%2e/%2e%2e/%2e%2e/%2e%2e/etc/passwd',
  '..%2f..%2f..%2f..%2fetc%2fpasswd',
  '..%5c..%5c..%5cboot.ini',
  '%252e%252e/%252e%252e/etc/passwd',
  '....//....//etc/passwd',
  '%00/etc/passwd',
];

const escape = (text: string, at: number): Rule =>
  adviceRule(`escape-${at + 1}`, 'OWASP: Path Traversal')(
    `No path below the content of files leads out of it: ${text}.`,
    async (context) => {
      for (const { prefix } of context.contract.site.storages) {
        const answer = await context.ask({ path: `${prefix}/${text}`, as: readerOf(context), isJudged: false });
        // A real site may lead to the path without doubled slashes.
        expectThat(answer.status >= 300 && answer.status < 500, `It is ${answer.status}.`);
        expectThat(!/root:.*:0:0:/.test(answer.text), 'It shows a file of the system.');
        expectNoLeak(answer);
      }
    },
  );

const longOnes: readonly (readonly [name: string, what: string, path: string, statuses: readonly number[]])[] = [
  ['long', 'A path of 6,000 characters', `/node/${'1'.repeat(6000)}?_format=json`, [404, 414, 400]],
  ['deep', 'A path of 500 parts', `/node${'/1'.repeat(500)}?_format=json`, [404, 414, 400]],
  ['long-query', 'A query of 6,000 characters', `/node/{node}?_format=json&x=${'y'.repeat(6000)}`, [200, 414]],
  ['many-parameters', 'A query of 500 parameters', `/node/{node}?${'a=1&'.repeat(500)}_format=json`, [200, 414]],
];

const longOne = ([name, what, path, statuses]: (typeof longOnes)[number]): Rule =>
  adviceRule(name, 'RFC 9110 §15.5.15')(`${what} is answered, and not with 500.`, async (context) =>
    expectStatus(await context.ask({ path: addressWith(context, path), isJudged: false }), ...statuses),
  );
