/** Checks the choice of the format by `_format`: each that a read has, and a value that is not a format. */
import type { Operation } from '../../../../core/document/operation.ts';
import { mediaTypes } from '../../../../core/representations/represent.ts';
import type { Format } from '../../../../core/site/site.ts';
import type { TargetContract } from '../../../target/contract-source.ts';
import { expectRefusal, expectStatus, expectThat, shown, type Answer } from '../../answer.ts';
import { adviceRule, type Check, type CheckContext, contractRule, referenceRule } from '../../check.ts';
import { addressOf, accountFor, headIdOf, readOperation, readsOf } from './addresses.ts';
import { isBeyondContract } from '../../beyond-contract.ts';
import { dealt } from '../../dealt.ts';
import { readingCheck, withQuery } from './reading-check.ts';

type ReadWithFormat = Operation & { readonly format: NonNullable<Operation['format']> };

/** Whether a client can choose. `getLoginStatus` takes the parameter, and answers plain text. */
const hasFormat = (operation: Operation): operation is ReadWithFormat =>
  operation.format !== undefined && operation.responses.get(200)?.includes(mediaTypes.json) === true;

export const formatChecks = (contract: TargetContract): readonly Check[] =>
  readsOf(contract)
    .filter(hasFormat)
    .sort(nodesFirst)
    .flatMap((operation, at, all) => [
      ...operation.format.enabled.map((format) => enabled(operation, format)),
      ...wrongFormats(operation, dealt([...wrong, twoFormats], at, all.length)),
      refusal(operation),
      ...(operation.format.required
        ? [missing(operation), emptyFormat(operation), alternates(operation)]
        : [optional(operation)]),
      ...(isBeyondContract(contract.document, operation) ? [] : [headRefusal(contract, operation)]),
    ]);

const enabled = (operation: ReadWithFormat, format: Format): Check =>
  readingCheck({
    ...contractRule(`format.${operation.id}.${format}`, 'contract: Endpoints; Signposting, Other representation'),
    rule: `GET ${operation.path}?_format=${format} answers ${mediaTypes[format]}.`,
    operations: [operation.id],
    run: async (context) => {
      const answer = await readOperation(
        context,
        operation,
        withQuery(addressOf(context, operation), `_format=${format}`),
      );
      expectThat(answer.mediaType === mediaTypes[format], `The type is ${shown(answer.header('content-type'))}.`);
      expectThat(
        typeof answer.json === 'object' && answer.json !== null,
        `The body is no JSON: ${shown(answer.text)}.`,
      );
      const { id } = operation;
      const isRecord = operation.represents !== undefined;
      if (isRecord) expectThat('@graph' in answer.json === (format === 'jsonld'), `${id} answered the other format.`);
    },
  });

/** The rows of `wrong` are dealt out, and nodes get all of them. */
const nodesFirst = (one: Operation, other: Operation): number => rankOf(one) - rankOf(other);
const rankOf = ({ represents }: Operation): number => (represents === 'node' ? 0 : 1);

type WrongFormat = { readonly name: string; readonly query: string };

const unknown: WrongFormat = { name: 'unknown', query: '_format=foo' };

const wrong: readonly WrongFormat[] = [
  { name: 'not-configured', query: '_format=xml' },
  { name: 'upper-case', query: '_format=JSON' },
  { name: 'media-type', query: '_format=application%2Fjson' },
  { name: 'blank-around', query: '_format=%20json' },
];

const ask = (context: CheckContext, operation: Operation, query: string, method = 'GET'): Promise<Answer> =>
  context.ask({
    ...{ method, path: withQuery(addressOf(context, operation), query) },
    ...{ as: accountFor(context, operation), isJudged: query !== '' },
  });

/** In place of a query. */
const twoFormats = 'two formats';

const wrongFormats = (
  operation: ReadWithFormat,
  share: readonly (WrongFormat | typeof twoFormats)[],
): readonly Check[] => {
  const { id, path, format } = operation;
  const disabled: readonly WrongFormat[] = format.enabled.includes('jsonld')
    ? []
    : [{ name: 'json-ld', query: '_format=jsonld' }];
  return [unknown, ...share, ...disabled].map((row) => (row === twoFormats ? twice(operation) : refused(row)));

  function refused({ name, query }: WrongFormat): Check {
    return readingCheck({
      ...referenceRule(`format.${id}.${name}`, `document: ${id}, 406; a real site`),
      rule: `GET ${path}?${query} is refused with 406.`,
      operations: [id],
      run: async (context) => {
        expectStatus(await ask(context, operation, query), 406);
      },
    });
  }
};

const refusal = (operation: ReadWithFormat): Check =>
  readingCheck({
    ...adviceRule(`format.${operation.id}.refusal`, 'docs/use/differences.md: Errors'),
    rule: `A 406 of ${operation.path} is JSON with a message, also for a format that there is not.`,
    operations: [operation.id],
    run: async (context) => {
      const answer = await ask(context, operation, '_format=foo');
      expectRefusal(answer, 406);
      expectThat(answer.mediaType === mediaTypes.json, `The refusal is ${shown(answer.header('content-type'))}.`);
    },
  });

const twice = (operation: ReadWithFormat): Check =>
  readingCheck({
    ...referenceRule(`format.${operation.id}.twice`, 'a real site, small'),
    rule: `Of two \`_format\` of ${operation.path} the last one counts.`,
    operations: [operation.id],
    run: async (context) => {
      const [format = 'json'] = operation.format.enabled;
      const answer = await ask(context, operation, `_format=foo&_format=${format}`);
      expectStatus(answer, 200);
      expectThat(answer.mediaType === mediaTypes[format], `The type is ${shown(answer.header('content-type'))}.`);
      expectStatus(await ask(context, operation, `_format=${format}&_format=foo`), 406);
    },
  });

const missing = (operation: ReadWithFormat): Check =>
  readingCheck({
    ...adviceRule(`format.${operation.id}.missing`, 'docs/use/differences.md: GET without `_format`'),
    rule: `GET ${operation.path} without \`_format\` is refused with 406, so that a client names its format.`,
    operations: [operation.id],
    run: async (context) => {
      expectRefusal(await ask(context, operation, ''), 406);
    },
  });

const emptyFormat = (operation: ReadWithFormat): Check =>
  readingCheck({
    ...adviceRule(`format.${operation.id}.empty`, 'docs/use/differences.md: GET without `_format`'),
    rule: `GET ${operation.path} with an empty \`_format\` answers as without one.`,
    operations: [operation.id],
    run: async (context) => {
      expectRefusal(await ask(context, operation, '_format='), 406);
    },
  });

const alternates = (operation: ReadWithFormat): Check =>
  readingCheck({
    ...referenceRule(`format.${operation.id}.alternates`, 'a real site'),
    rule: `A 406 of ${operation.path} links to each format that there is, with its media type.`,
    operations: [operation.id],
    run: async (context) => {
      const answer = expectStatus(await ask(context, operation, '_format=foo'), 406);
      // A page for people is none of the formats of this interface.
      const links = answer.links.filter(({ rel, type }) => rel === 'alternate' && type !== 'text/html');
      const own = context.baseUrl + addressOf(context, operation);
      for (const format of operation.format.enabled) {
        const link = links.find(({ type }) => type === mediaTypes[format]);
        expectThat(link?.target === `${own}?_format=${format}`, `The alternate for ${format} is ${shown(link)}.`);
      }
      expectThat(links.length === operation.format.enabled.length, `There are ${links.length} alternates.`);
    },
  });

const optional = (operation: ReadWithFormat): Check =>
  readingCheck({
    ...contractRule(`format.${operation.id}.missing`, `document: ${operation.id}, _format`),
    rule: `GET ${operation.path} without \`_format\` answers JSON.`,
    operations: [operation.id],
    run: async (context) => {
      for (const query of ['', '_format=']) {
        const answer = expectStatus(await ask(context, operation, query), 200);
        expectThat(answer.mediaType === mediaTypes.json, `The type is ${shown(answer.mediaType)}.`);
      }
    },
  });

const headRefusal = (contract: TargetContract, operation: ReadWithFormat): Check =>
  readingCheck({
    ...contractRule(`format.${operation.id}.head-refusal`, 'RFC 9110 §9.3.2'),
    rule: `HEAD ${operation.path} refuses an unknown format with 406 and no body.`,
    operations: [...new Set([operation.id, headIdOf(contract, operation)])],
    run: async (context) => {
      const answer = expectStatus(await ask(context, operation, '_format=foo', 'HEAD'), 406);
      expectThat(answer.exchange.reply.body.bytes === 0, 'The refusal has a body.');
    },
  });
