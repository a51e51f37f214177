/** Checks what every read of the document has in common: it answers, HEAD is as GET, and the headers of all answers. */
import { bareMediaType } from '../../../../core/engine/negotiation.ts';
import type { Operation } from '../../../../core/document/operation.ts';
import { anonymousAccount, type TargetAccount } from '../../../../exchange/accounts.ts';
import type { TargetContract } from '../../../target/contract-source.ts';
import { expectHeader, expectStatus, expectThat, shown, type Answer } from '../../answer.ts';
import { type Check, type CheckContext, contractRule, referenceRule } from '../../check.ts';
import { isBeyondContract } from '../../beyond-contract.ts';
import { accountFor, headIdOf, readAddress, readOperation, readsOf } from './addresses.ts';
import { expectNone, readingCheck, withQuery } from './reading-check.ts';

/** Headers that may differ from answer to answer. */
const unstable: ReadonlySet<string> = new Set(['date', 'connection', 'keep-alive', 'transfer-encoding', 'age', 'via']);

/** Headers that tell how an answer came about, or that HEAD may leave out (RFC 9110 §9.3.2). */
const ofThisAnswer = /^x-drupal-(dynamic-)?cache$/;
const mayBeLeftOut: ReadonlySet<string> = new Set(['content-length', 'vary']);

/** Reads whose answers differ each time: a new token. */
const changing: ReadonlySet<string> = new Set(['getToken']);

const isList = ({ responses }: Operation): boolean => responses.has(400);

export const everyReadChecks = (contract: TargetContract): readonly Check[] =>
  readsOf(contract).flatMap((operation, at) => [
    found(operation),
    ...headChecks(contract, operation),
    ...(isBeyondContract(contract.document, operation) ? [] : [anonymousHead(contract, operation)]),
    // What is beyond the contract takes one of them in turn.
    ...spellings(operation).filter((_, row) => !isBeyondContract(contract.document, operation) || (row + at) % 2 === 0),
    ...headersOf(operation),
  ]);

const found = (operation: Operation): Check =>
  readingCheck({
    ...contractRule(`read.${operation.id}.answers`, `document: ${operation.id}, 200`),
    rule: `GET ${operation.path} answers 200 with a body of the media type that the document names.`,
    operations: [operation.id],
    run: async (context) => {
      const answer = await readOperation(context, operation);
      const types = operation.responses.get(200) ?? [];
      const isKnown = types.some((type) => type === '*/*' || bareMediaType(type) === answer.mediaType);
      expectThat(
        isKnown,
        `The Content-Type is ${shown(answer.header('content-type'))}, not one of ${types.join(', ')}.`,
      );
      expectThat(answer.exchange.reply.body.bytes > 0, 'The body is empty.');
    },
  });

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

const askBoth = async (context: CheckContext, path: string, as: TargetAccount): Promise<[Answer, Answer]> => [
  await context.ask({ path, as }),
  await context.ask({ method: 'HEAD', path, as }),
];

const headChecks = (contract: TargetContract, operation: Operation): readonly Check[] => {
  const operations = [operation.id, headIdOf(contract, operation)];
  const shared = { operations: [...new Set(operations)] };
  return [
    readingCheck({
      ...shared,
      ...contractRule(`head.${operation.id}.status`, 'contract: Endpoints, HEAD; RFC 9110 §9.3.2'),
      rule: `HEAD ${operation.path} has the status of GET and no body.`,
      run: async (context) => {
        const [get, head] = await askBoth(context, readAddress(context, operation), accountFor(context, operation));
        expectStatus(head, get.status);
        expectThat(
          head.exchange.reply.body.bytes === 0,
          `The answer to HEAD has ${head.exchange.reply.body.bytes} bytes.`,
        );
      },
    }),
    readingCheck({
      ...shared,
      ...contractRule(`head.${operation.id}.headers`, 'contract: Endpoints, HEAD; RFC 9110 §9.3.2'),
      rule: `HEAD ${operation.path} has the headers of GET.`,
      run: async (context) => {
        const [get, head] = await askBoth(context, readAddress(context, operation), accountFor(context, operation));
        // A refusal may have a page of another length each time; the check of its own status judges it.
        if (!changing.has(operation.id)) expectNone(differences(expectStatus(get, 200), head));
        expectThat(head.mediaType === get.mediaType, 'HEAD has another Content-Type than GET.');
      },
    }),
  ];
};

/** As the visitor, GET and HEAD agree too: 200, or a refusal. */
const anonymousHead = (contract: TargetContract, operation: Operation): Check =>
  readingCheck({
    ...contractRule(`head.${operation.id}.anonymous`, 'RFC 9110 §9.3.2'),
    rule: `HEAD ${operation.path} answers an anonymous visitor as GET does, refusals included.`,
    operations: [...new Set([operation.id, headIdOf(contract, operation)])],
    run: async (context) => {
      const [get, head] = await askBoth(context, readAddress(context, operation), anonymousAccount);
      expectStatus(head, get.status);
      expectThat(head.exchange.reply.body.bytes === 0, 'The answer to HEAD has a body.');
      expectNone(differences(get, head));
    },
  });

const spellings = (operation: Operation): readonly Check[] => {
  if (operation.isMultiSegment) return [];
  const path = operation.path;
  return [
    readingCheck({
      ...referenceRule(`read.${operation.id}.trailing-slash`, 'a real site'),
      rule: `${path}/ answers as ${path} does.`,
      operations: [operation.id],
      run: async (context) => {
        const plain = await readOperation(context, operation);
        const slashed = readAddress(context, operation).replace(/(\?|$)/, '/$1');
        const answer = await readOperation(context, operation, slashed);
        if (changing.has(operation.id) || answer.text === plain.text) return;
        // A real site gives each request without a cookie a session token of its own.
        const again = await readOperation(context, operation);
        expectThat(again.text !== plain.text, 'The bodies differ.');
      },
    }),
    readingCheck({
      ...referenceRule(`read.${operation.id}.other-parameters`, 'a real site'),
      rule: `GET ${path} passes over parameters that it does not know.`,
      operations: [operation.id],
      run: async (context) => {
        await readOperation(context, operation, withQuery(readAddress(context, operation), 'nobody_knows=1'));
      },
    }),
    ...(isList(operation) || operation.format === undefined ? [] : [acceptCheck(operation)]),
  ];
};

/** All of them where a record is read; elsewhere the first tells the same. */
const accepts = ['application/ld+json, application/json;q=0.1', 'application/xml', 'text/html'];

const acceptCheck = (operation: Operation): Check =>
  readingCheck({
    ...contractRule(`read.${operation.id}.accept`, 'contract: What the service does; a real site'),
    rule: 'The format is chosen by `_format` alone; `Accept` does not count.',
    operations: [operation.id],
    run: async (context) => {
      const address = readAddress(context, operation);
      const plain = await readOperation(context, operation, address);
      for (const accept of operation.represents === undefined ? accepts.slice(0, 1) : accepts) {
        const answer = await context.ask({
          path: address,
          as: accountFor(context, operation),
          headers: [['Accept', accept]],
        });
        expectStatus(answer, 200);
        expectThat(answer.mediaType === plain.mediaType, `Accept: ${accept} changes the type to ${answer.mediaType}.`);
      }
    },
  });

type HeaderRule = { readonly name: string; readonly value: RegExp; readonly rule: string };

const headerRules: readonly HeaderRule[] = [
  { name: 'X-Content-Type-Options', value: /^nosniff$/i, rule: 'says nosniff' },
  { name: 'X-Frame-Options', value: /^(SAMEORIGIN|DENY)$/i, rule: 'forbids foreign frames' },
  { name: 'Cache-Control', value: /no-cache|no-store|private|max-age=\d/i, rule: 'tells caches what they may keep' },
];

const headersOf = (operation: Operation): readonly Check[] => [
  ...headerRules.map(({ name, value, rule }) =>
    readingCheck({
      ...referenceRule(`headers.${operation.id}.${name.toLowerCase()}`, 'a real site'),
      rule: `GET ${operation.path} ${rule} in ${name}.`,
      operations: [operation.id],
      run: async (context) => expectHeader(await readOperation(context, operation), name, (sent) => value.test(sent)),
    }),
  ),
  readingCheck({
    ...contractRule(`headers.${operation.id}.length`, 'RFC 9110 §8.6'),
    rule: `The Content-Length of ${operation.path} is the number of its bytes.`,
    operations: [operation.id],
    run: async (context) => {
      const answer = await readOperation(context, operation);
      const length = answer.header('content-length');
      const { bytes } = answer.exchange.reply.body;
      expectThat(length === undefined || Number(length) === bytes, `It is ${shown(length)}, and ${bytes} bytes came.`);
    },
  }),
];
