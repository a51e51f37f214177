/** Checks what every read of the document has in common: it answers, HEAD is as GET, and the headers of all answers. */
import { bareMediaType } from '../../../../openapi/openapi-terms.ts';
import type { Operation } from '../../../../repository/repository-engine.ts';
import { anonymousAccount, type TargetAccount } from '../../../../exchange/exchange-target.ts';
import type { TargetContract } from '../../../target/contract-source.ts';
import { expectHeader, expectSame, expectStatus, expectThat, shown, type Answer } from '../../answer.ts';
import type { Check, CheckContext } from '../../check.ts';
import { isBeyondContract } from '../../beyond-contract.ts';
import { accountFor, headIdOf, readAddress, readChecks, readOperation, readsOf } from './addresses.ts';
import { expectNone, withQuery } from './reading-check.ts';
import { contractRule, referenceRule, type Rule } from '../../rule.ts';

/** Headers that may differ from answer to answer. */
const unstable: ReadonlySet<string> = new Set(['date', 'connection', 'keep-alive', 'transfer-encoding', 'age', 'via']);

/** Headers that tell how an answer came about, or that HEAD may leave out (RFC 9110 §9.3.2). */
const ofThisAnswer = /^x-drupal-(dynamic-)?cache$/;
const mayBeLeftOut: ReadonlySet<string> = new Set(['content-length', 'vary']);

/** Reads whose answers differ each time: a new token, the time of an answer. */
const changing: ReadonlySet<string> = new Set(['getToken', 'getHarvest']);

const isList = ({ responses }: Operation): boolean => responses.has(400);

export const everyReadChecks = (contract: TargetContract): readonly Check[] =>
  readsOf(contract).flatMap((operation, at) => {
    const isBeyond = isBeyondContract(contract.document, operation);
    const also = [headIdOf(contract, operation)];
    // What is beyond the contract takes one of the spellings in turn.
    const some = spellings(operation).filter((_, row) => !isBeyond || (row + at) % 2 === 0);
    return [
      ...readChecks('read', operation, [found(operation)]),
      ...readChecks(
        'head',
        operation,
        headRules(operation)
          .filter(({ name }) => !isBeyond || name !== 'anonymous')
          .map((rule) => ({ ...rule, also })),
      ),
      ...readChecks('read', operation, some),
      ...readChecks('headers', operation, headersOf(operation)),
    ];
  });

const found = (operation: Operation): Rule =>
  contractRule('answers', `document: ${operation.id}, 200`)(
    `GET ${operation.path} answers 200 with a body of the media type that the document names.`,
    async (context) => {
      const answer = await readOperation(context, operation);
      const types = operation.responses.get(200) ?? [];
      const isKnown = types.some((type) => type === '*/*' || bareMediaType(type) === answer.mediaType);
      expectThat(
        isKnown,
        `The Content-Type is ${shown(answer.header('content-type'))}, not one of ${types.join(', ')}.`,
      );
      expectThat(answer.exchange.reply.body.bytes > 0, 'The body is empty.');
    },
  );

/** The values of each header in order, but for those that may differ. */
const stable = (answer: Answer): ReadonlyMap<string, string> => {
  const values = new Map<string, string>();
  for (const [name, value] of answer.exchange.reply.headers) {
    const key = name.toLowerCase();
    if (!unstable.has(key) && !ofThisAnswer.test(key)) values.set(key, [values.get(key) ?? '', value].join('\n'));
  }
  return values;
};

const differences = (get: Answer, head: Answer): readonly string[] => {
  const [of, other] = [stable(get), stable(head)];
  return [...new Set([...of.keys(), ...other.keys()])].flatMap((name) =>
    of.get(name) === other.get(name) || (mayBeLeftOut.has(name) && !other.has(name))
      ? []
      : [`${name} is ${shown(other.get(name)?.trim())} for HEAD, and ${shown(of.get(name)?.trim())} for GET.`],
  );
};

const askBoth = async (
  context: CheckContext,
  operation: Operation,
  as: TargetAccount = accountFor(context, operation),
): Promise<[Answer, Answer]> => {
  const path = readAddress(context, operation);
  return [await context.ask({ path, as }), await context.ask({ method: 'HEAD', path, as })];
};

const expectBare = (head: Answer, get: Answer): void => {
  expectStatus(head, get.status);
  expectSame(head.exchange.reply.body.bytes, 0, 'The number of bytes in the answer to HEAD');
};

const headRules = (operation: Operation): readonly Rule[] => [
  contractRule('status', 'contract: Endpoints, HEAD; RFC 9110 §9.3.2')(
    `HEAD ${operation.path} has the status of GET and no body.`,
    async (context) => {
      const [get, head] = await askBoth(context, operation);
      expectBare(head, get);
    },
  ),
  contractRule('headers', 'contract: Endpoints, HEAD; RFC 9110 §9.3.2')(
    `HEAD ${operation.path} has the headers of GET.`,
    async (context) => {
      const [get, head] = await askBoth(context, operation);
      // A refusal may have a page of another length each time; the check of its own status judges it.
      if (!changing.has(operation.id)) expectNone(differences(expectStatus(get, 200), head));
      expectSame(head.mediaType, get.mediaType, 'The Content-Type of HEAD');
    },
  ),
  // As the visitor, GET and HEAD agree too: 200, or a refusal.
  contractRule('anonymous', 'RFC 9110 §9.3.2')(
    `HEAD ${operation.path} answers an anonymous visitor as GET does, refusals included.`,
    async (context) => {
      const [get, head] = await askBoth(context, operation, anonymousAccount);
      expectBare(head, get);
      expectNone(differences(get, head));
    },
  ),
];

const spellings = (operation: Operation): readonly Rule[] => {
  if (operation.isMultiSegment) return [];
  const path = operation.path;
  return [
    referenceRule('trailing-slash', 'a real site')(`${path}/ answers as ${path} does.`, async (context) => {
      const plain = await readOperation(context, operation);
      const slashed = readAddress(context, operation).replace(/(\?|$)/, '/$1');
      const answer = await readOperation(context, operation, slashed);
      // A manifest repeats the address that was sent, and its parts are below what comes before the last slash.
      const [slashedPath = ''] = slashed.split('?');
      const text = answer.text
        .replaceAll('\\/', '/')
        .replaceAll(slashed, readAddress(context, operation))
        .replaceAll(slashedPath, slashedPath.replace(/[^/]+\/$/, ''));
      if (changing.has(operation.id) || text === plain.text.replaceAll('\\/', '/')) return;
      // A real site gives each request without a cookie a session token of its own.
      const again = await readOperation(context, operation);
      expectThat(again.text !== plain.text, 'The bodies differ.');
    }),
    referenceRule('other-parameters', 'a real site')(
      `GET ${path} passes over parameters that it does not know.`,
      (context) => readOperation(context, operation, withQuery(readAddress(context, operation), 'nobody_knows=1')),
    ),
    ...(isList(operation) || operation.format === undefined ? [] : [acceptRule(operation)]),
  ];
};

/** All of them where a record is read; elsewhere the first tells the same. */
const accepts = ['application/ld+json, application/json;q=0.1', 'application/xml', 'text/html'];

const acceptRule = (operation: Operation): Rule =>
  contractRule('accept', 'contract: What the service does; a real site')(
    'The format is chosen by `_format` alone; `Accept` does not count.',
    async (context) => {
      const path = readAddress(context, operation);
      const plain = await readOperation(context, operation, path);
      for (const accept of operation.represents === undefined ? accepts.slice(0, 1) : accepts) {
        const headers = [['Accept', accept]] as const;
        const answer = expectStatus(await context.ask({ path, as: accountFor(context, operation), headers }), 200);
        expectSame(answer.mediaType, plain.mediaType, `The type with Accept: ${accept}`);
      }
    },
  );

const headerRules: readonly (readonly [name: string, value: RegExp, rule: string])[] = [
  ['X-Content-Type-Options', /^nosniff$/i, 'says nosniff'],
  ['X-Frame-Options', /^(SAMEORIGIN|DENY)$/i, 'forbids foreign frames'],
  ['Cache-Control', /no-cache|no-store|private|max-age=\d/i, 'tells caches what they may keep'],
];

const headersOf = (operation: Operation): readonly Rule[] => [
  ...headerRules.map(([name, value, rule]): Rule =>
    referenceRule(name.toLowerCase(), 'a real site')(`GET ${operation.path} ${rule} in ${name}.`, async (context) =>
      expectHeader(await readOperation(context, operation), name, (sent) => value.test(sent)),
    ),
  ),
  contractRule('length', 'RFC 9110 §8.6')(
    `The Content-Length of ${operation.path} is the number of its bytes.`,
    async (context) => {
      const answer = await readOperation(context, operation);
      const { bytes } = answer.exchange.reply.body;
      expectSame(Number(answer.header('content-length') ?? bytes), bytes);
    },
  ),
];
