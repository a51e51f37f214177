/** Checks ids in paths that nothing has: they are 404 with the message of the contract, in every format. */
import { areEqual } from '../../../../basics/equal-values.ts';
import { operationsOf, rawOperation, type Operation } from '../../../../core/document/operation.ts';
import type { TargetContract } from '../../../target/contract-source.ts';
import { anonymousAccount } from '../../../../exchange/accounts.ts';
import { expectRefusal, expectStatus, expectThat, shown, type Answer } from '../../answer.ts';
import { type Check, type CheckContext, contractRule, referenceRule, type Severity } from '../../check.ts';
import { valueIn } from '../../record-members.ts';
import { dealt } from '../../dealt.ts';
import { addressOf, accountFor, formatQuery, headIdOf } from './addresses.ts';
import { readingCheck, withQuery } from './reading-check.ts';

type OddId = {
  readonly name: string;
  readonly id: (context: CheckContext) => string;
  readonly severity: Severity;
  readonly source: string;
};

const lookup = { severity: 'contract', source: 'contract: Errors, 404' } as const;
const text = { severity: 'reference', source: 'a real site' } as const;
const spelling = { severity: 'advice', source: 'docs/use/differences.md: Ids such as `01`' } as const;
const nodeId = (context: CheckContext): string => String(context.subjects.node.id);

const oddIds: readonly OddId[] = [
  { name: 'absent', id: ({ subjects }) => String(subjects.absentId), ...lookup },
  { name: 'zero', id: () => '0', ...lookup },
  { name: 'negative', id: () => '-1', ...text },
  { name: 'text', id: () => 'abc', ...text },
  { name: 'uuid', id: ({ subjects }) => String(valueIn(subjects.node.record, 'uuid')), ...text },
  { name: 'huge', id: () => '99999999999999999999', ...text },
  { name: 'beyond-integers', id: () => '9007199254740993', ...text },
  { name: 'leading-zero', id: (context) => `0${nodeId(context)}`, ...spelling },
  { name: 'sign', id: (context) => `+${nodeId(context)}`, ...spelling },
  { name: 'fraction', id: (context) => `${nodeId(context)}.0`, ...spelling },
  { name: 'exponent', id: () => '1e0', ...text },
  { name: 'hexadecimal', id: () => '0x1', ...text },
  { name: 'blank', id: (context) => `%20${nodeId(context)}`, ...spelling },
  { name: 'list', id: (context) => `${nodeId(context)},${nodeId(context)}`, ...text },
  { name: 'other-digits', id: () => '%D9%A1', ...text },
  { name: 'quote', id: () => "1'--", ...text },
];

const isList = ({ responses }: Operation): boolean => responses.has(400);

/** The visitor has an account with the number 0. */
const isNothing =
  ({ represents }: Operation) =>
  ({ name }: OddId): boolean =>
    represents !== 'user' || name !== 'zero';

const [absent, ...others] = oddIds;

export const idChecks = (contract: TargetContract): readonly Check[] => {
  const reads = operationsOf(contract.document).filter(
    ({ method, isMultiSegment, pathParameters }) => method === 'GET' && !isMultiSegment && pathParameters.length > 0,
  );
  return [
    ...reads.filter(isByName).map((operation) => absentName(operation, parameterOf(operation))),
    ...reads
      .filter(isById)
      .sort((one, other) => rankOf(one) - rankOf(other))
      .flatMap((operation, at, all) => [
        ...[absent, ...dealt(others, at, all.length)]
          .filter((odd) => odd !== undefined)
          .filter(isNothing(operation))
          .map((odd) => oddId(operation, parameterOf(operation), odd)),
        ...inOtherFormats(contract, operation, parameterOf(operation)),
      ]),
  ];
};

const parameterOf = ({ pathParameters }: Operation): string => pathParameters[0]?.name ?? '';
const isByName = ({ pathParameters, isResource }: Operation): boolean =>
  pathParameters[0]?.isId === false && isResource;

/** A list of what refers to an id is empty when nothing has the id. */
const isById = (operation: Operation): boolean =>
  operation.pathParameters[0]?.isId === true && (!isList(operation) || /^\/(node|media)\//.test(operation.path));

/** Nodes get all ids; what else is read shares them. */
const rankOf = ({ represents }: Operation): number => (represents === 'node' ? 0 : 1);

const askFor = (context: CheckContext, operation: Operation, name: string, id: string): Promise<Answer> =>
  context.ask({
    path: withQuery(addressOf(context, operation, { [name]: id }), formatQuery(operation)),
    as: accountFor(context, operation),
  });

/** The name of the parameter in the message: that of the path pattern, `/node/{node}`. */
const converted = ({ pathPattern }: Operation): string => /\{([^}]+)\}/.exec(pathPattern)?.[1] ?? '';

const expectNotConverted = (answer: Answer, operation: Operation): void => {
  const message = expectRefusal(answer, 404);
  const expected = `"${converted(operation)}" parameter was not converted for the path "${operation.pathPattern}"`;
  expectThat(
    message.includes(expected),
    `The message does not say that the parameter was not converted: ${shown(message)}`,
  );
};

/** A view of a real site may refuse with an empty message. Then the document shows that. */
const expectAbsent = ({ contract }: CheckContext, operation: Operation, answer: Answer): void => {
  const { content } = rawOperation(contract.document, operation)?.responses['404'] ?? {};
  const examples = Object.values(content?.['application/json']?.examples ?? {});
  if (examples.some(({ value }) => areEqual(value, { message: '' }))) expectStatus(answer, 404);
  else expectRefusal(answer, 404);
};

const oddId = (operation: Operation, parameter: string, { name, id, severity, source }: OddId): Check =>
  readingCheck({
    ...{ severity, source },
    name: `id.${operation.id}.${name}`,
    rule: `GET ${operation.path} with the id of nothing (${name}) is 404 and says that the parameter was not converted.`,
    operations: [operation.id],
    run: async (context) => {
      const answer = await askFor(context, operation, parameter, id(context));
      if (operation.isResource) expectNotConverted(answer, operation);
      else expectAbsent(context, operation, answer);
      expectThat(answer.mediaType === 'application/json', `The type is ${shown(answer.header('content-type'))}.`);
    },
  });

const inOtherFormats = (contract: TargetContract, operation: Operation, parameter: string): readonly Check[] => [
  readingCheck({
    ...contractRule(`id.${operation.id}.head`, 'contract: Errors, 404; RFC 9110 §9.3.2'),
    rule: `HEAD ${operation.path} with an id that nothing has is 404 without a body.`,
    operations: [...new Set([operation.id, headIdOf(contract, operation)])],
    run: async (context) => {
      const absent = { [parameter]: String(context.subjects.absentId) };
      const path = withQuery(addressOf(context, operation, absent), formatQuery(operation));
      const answer = expectStatus(await context.ask({ method: 'HEAD', path, as: accountFor(context, operation) }), 404);
      expectThat(answer.exchange.reply.body.bytes === 0, 'The refusal has a body.');
    },
  }),
  // A list may be refused as such.
  ...(isList(operation) ? [] : [forVisitors(operation, parameter)]),
  ...(operation.format?.enabled.includes('jsonld') === true ? [inJsonLd(operation, parameter)] : []),
];

const inJsonLd = (operation: Operation, parameter: string): Check =>
  readingCheck({
    ...referenceRule(`id.${operation.id}.json-ld`, 'a real site, Errors'),
    rule: `A 404 of ${operation.path} for \`_format=jsonld\` is the same object, as application/ld+json.`,
    operations: [operation.id],
    run: async (context) => {
      const absent = { [parameter]: String(context.subjects.absentId) };
      const path = withQuery(addressOf(context, operation, absent), '_format=jsonld');
      const answer = await context.ask({ path, as: accountFor(context, operation) });
      expectRefusal(answer, 404);
      expectThat(answer.mediaType === 'application/ld+json', `The type is ${shown(answer.header('content-type'))}.`);
    },
  });

const absentName = (operation: Operation, parameter: string): Check =>
  readingCheck({
    ...contractRule(`id.${operation.id}.absent`, `document: ${operation.id}, 404`),
    rule: `GET ${operation.path} with a name that nothing has is 404 with a message.`,
    operations: [operation.id],
    run: async (context) => {
      expectRefusal(await askFor(context, operation, parameter, 'nobody_knows_this'), 404);
    },
  });

const forVisitors = (operation: Operation, parameter: string): Check =>
  readingCheck({
    ...referenceRule(`id.${operation.id}.anonymous`, 'a real site, order of checks'),
    rule: `An id of ${operation.path} that nothing has is 404 for an anonymous visitor too, not 401.`,
    operations: [operation.id],
    run: async (context) => {
      const absent = { [parameter]: String(context.subjects.absentId) };
      const path = withQuery(addressOf(context, operation, absent), formatQuery(operation));
      expectAbsent(context, operation, await context.ask({ path, as: anonymousAccount }));
    },
  });
