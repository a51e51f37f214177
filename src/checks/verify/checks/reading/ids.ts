/** Checks ids in paths that nothing has: they are 404 with the message of the contract, in every format. */
import { areEqual } from '../../../../basics/equal-values.ts';
import { rawOperation } from '../../../../openapi/openapi-terms.ts';
import { operationsOf, type Operation } from '../../../../repository/repository-engine.ts';
import type { TargetContract } from '../../../target/contract-source.ts';
import { anonymousAccount } from '../../../../exchange/exchange-target.ts';
import { expectRefusal, expectRefusalThatSays, expectSame, expectStatus, type Answer } from '../../answer.ts';
import type { AskedRequest, Check, CheckContext } from '../../check.ts';
import { valueIn } from '../../record-members.ts';
import { dealt } from '../../dealt.ts';
import { accountFor, addressOf, formatQuery, headIdOf, readChecks } from './addresses.ts';
import { addressWith, withQuery } from './reading-check.ts';
import { contractRule, referenceRule, adviceRule, type Rule } from '../../rule.ts';

const lookup = (name: string) => contractRule(name, 'contract: Errors, 404');
const text = (name: string) => referenceRule(name, 'a real site');
const spelling = (name: string) => adviceRule(name, 'docs/use/differences.md: Ids such as `01`');

/** `{node}` stands for the id of the node. */
const oddIds: readonly (readonly [name: string, head: typeof lookup, id: string])[] = [
  ['absent', lookup, '{absent}'],
  ['zero', lookup, '0'],
  ['negative', text, '-1'],
  ['text', text, 'abc'],
  ['uuid', text, '{uuid}'],
  ['huge', text, '99999999999999999999'],
  ['beyond-integers', text, '9007199254740993'],
  ['leading-zero', spelling, '0{node}'],
  ['sign', spelling, '+{node}'],
  ['fraction', spelling, '{node}.0'],
  ['exponent', text, '1e0'],
  ['hexadecimal', text, '0x1'],
  ['blank', spelling, '%20{node}'],
  ['list', text, '{node},{node}'],
  ['other-digits', text, '%D9%A1'],
  ['quote', text, "1'--"],
];

const isList = ({ responses }: Operation): boolean => responses.has(400);

/** The visitor has an account with the number 0. */
const isNothing =
  ({ represents }: Operation) =>
  ([name]: (typeof oddIds)[number]): boolean =>
    represents !== 'user' || name !== 'zero';

export const idChecks = (contract: TargetContract): readonly Check[] => {
  const reads = operationsOf(contract.document).filter(
    ({ method, isMultiSegment, pathParameters }) => method === 'GET' && !isMultiSegment && pathParameters.length > 0,
  );
  return [
    ...reads.filter(isByName).flatMap((operation) => readChecks('id', operation, [absentName(operation)])),
    ...reads
      .filter(isById)
      .sort((one, other) => rankOf(one) - rankOf(other))
      .flatMap((operation, at, all) =>
        readChecks('id', operation, [
          ...[...oddIds.slice(0, 1), ...dealt(oddIds.slice(1), at, all.length)]
            .filter(isNothing(operation))
            .map((odd) => oddId(operation, odd)),
          ...inOtherFormats(contract, operation),
        ]),
      ),
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

const askFor = (
  context: CheckContext,
  operation: Operation,
  id: string,
  { format = formatQuery(operation), ...more }: Partial<AskedRequest> & { readonly format?: string } = {},
): Promise<Answer> => {
  const path = withQuery(addressOf(context, operation, { [parameterOf(operation)]: id }), format);
  return context.ask({ path, as: accountFor(context, operation), ...more });
};

/** The name of the parameter in the message: that of the path pattern, `/node/{node}`. */
const converted = ({ pathPattern }: Operation): string => /\{([^}]+)\}/.exec(pathPattern)?.[1] ?? '';

const expectNotConverted = (answer: Answer, operation: Operation): void =>
  expectRefusalThatSays(
    answer,
    404,
    `"${converted(operation)}" parameter was not converted for the path "${operation.pathPattern}"`,
  );

/** A view of a real site may refuse with an empty message. Then the document shows that. */
const expectAbsent = ({ contract }: CheckContext, operation: Operation, answer: Answer): void => {
  const { content } = rawOperation(contract.document, operation)?.responses['404'] ?? {};
  const examples = Object.values(content?.['application/json']?.examples ?? {});
  if (examples.some(({ value }) => areEqual(value, { message: '' }))) expectStatus(answer, 404);
  else expectRefusal(answer, 404);
};

const oddId = (operation: Operation, [name, head, id]: (typeof oddIds)[number]): Rule =>
  head(name)(
    `GET ${operation.path} with the id of nothing (${name}) is 404 and says that the parameter was not converted.`,
    async (context) => {
      const uuid = String(valueIn(context.subjects.node.record, 'uuid'));
      const answer = await askFor(context, operation, addressWith(context, id.replace('{uuid}', uuid)));
      if (operation.isResource) expectNotConverted(answer, operation);
      else expectAbsent(context, operation, answer);
      expectSame(answer.mediaType, 'application/json', 'The type');
    },
  );

const absentId = ({ subjects }: CheckContext): string => String(subjects.absentId);

const inOtherFormats = (contract: TargetContract, operation: Operation): readonly Rule[] => [
  contractRule('head', 'contract: Errors, 404; RFC 9110 §9.3.2')(
    `HEAD ${operation.path} with an id that nothing has is 404 without a body.`,
    async (context) => {
      const answer = await askFor(context, operation, absentId(context), { method: 'HEAD' });
      expectSame(expectStatus(answer, 404).exchange.reply.body.bytes, 0, 'The number of bytes');
    },
    { also: [headIdOf(contract, operation)] },
  ),
  // A list may be refused as such.
  ...(isList(operation) ? [] : [forVisitors(operation)]),
  ...(operation.format?.enabled.includes('jsonld') === true ? [inJsonLd(operation)] : []),
];

const inJsonLd = (operation: Operation): Rule =>
  contractRule('json-ld', 'contract: Errors, 404; a real site, Errors')(
    `A 404 of ${operation.path} for \`_format=jsonld\` is the same object, as application/json, or as application/ld+json as on a real site.`,
    async (context) => {
      const answer = await askFor(context, operation, absentId(context), { format: '_format=jsonld' });
      expectRefusal(answer, 404);
      if (answer.mediaType !== 'application/ld+json') expectSame(answer.mediaType, 'application/json', 'The type');
    },
  );

const absentName = (operation: Operation): Rule =>
  contractRule('absent', `document: ${operation.id}, 404`)(
    `GET ${operation.path} with a name that nothing has is 404 with a message.`,
    async (context) => expectRefusal(await askFor(context, operation, 'nobody_knows_this'), 404),
  );

const forVisitors = (operation: Operation): Rule =>
  referenceRule('anonymous', 'a real site, order of checks')(
    `An id of ${operation.path} that nothing has is 404 for an anonymous visitor too, not 401.`,
    async (context) =>
      expectAbsent(context, operation, await askFor(context, operation, absentId(context), { as: anonymousAccount })),
  );
