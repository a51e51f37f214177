/** Checks the choice of the format by `_format`: each that a read has, and a value that is not a format. */
import type { Operation } from '../../../../repository/repository-engine.ts';
import { mediaTypes } from '../../../../repository/repository-content.ts';
import type { TargetContract } from '../../../target/contract-source.ts';
import { expectRefusal, expectSame, expectStatus, expectThat, shown, type Answer } from '../../answer.ts';
import type { Check, CheckContext } from '../../check.ts';
import { accountFor, addressOf, headIdOf, readChecks, readsOf } from './addresses.ts';
import { isBeyondContract } from '../../beyond-contract.ts';
import { dealt } from '../../dealt.ts';
import { withQuery } from './reading-check.ts';
import { contractRule, referenceRule, adviceRule, type Rule } from '../../rule.ts';

type ReadWithFormat = Operation & { readonly format: NonNullable<Operation['format']> };

/** Whether a client can choose. `getLoginStatus` takes the parameter, and answers plain text. */
const hasFormat = (operation: Operation): operation is ReadWithFormat =>
  operation.format !== undefined && operation.responses.get(200)?.includes(mediaTypes.json) === true;

/** The rows of `wrong` are dealt out, and nodes get all of them. */
const nodesFirst = (one: Operation, other: Operation): number => rankOf(one) - rankOf(other);
const rankOf = ({ represents }: Operation): number => (represents === 'node' ? 0 : 1);

export const formatChecks = (contract: TargetContract): readonly Check[] =>
  readsOf(contract)
    .filter(hasFormat)
    .sort(nodesFirst)
    .flatMap((operation, at, all) => {
      const { required, enabled } = operation.format;
      const share = dealt([...wrong, twice], at, all.length);
      const disabled = enabled.includes('jsonld') ? [] : [refused('json-ld', '_format=jsonld')];
      const isBeyond = isBeyondContract(contract.document, operation);
      return readChecks('format', operation, [
        ...enabled.map((format) => enabledRule(operation, format)),
        ...[refused('unknown', '_format=foo'), ...share, ...disabled].map((rule) => rule(operation)),
        refusal(operation),
        ...(required ? withoutFormat(operation) : [optional(operation)]),
        ...(isBeyond ? [] : [{ ...headRefusal(operation), also: [headIdOf(contract, operation)] }]),
      ]);
    });

const ask = (context: CheckContext, operation: Operation, query: string, method = 'GET'): Promise<Answer> =>
  context.ask({
    ...{ method, path: withQuery(addressOf(context, operation), query) },
    ...{ as: accountFor(context, operation), isJudged: query !== '' },
  });

const expectFormat = (answer: Answer, format: keyof typeof mediaTypes): void =>
  expectSame(expectStatus(answer, 200).mediaType, mediaTypes[format], 'The type');

const enabledRule = (operation: ReadWithFormat, format: keyof typeof mediaTypes): Rule =>
  contractRule(format, 'contract: Endpoints; Signposting, Other representation')(
    `GET ${operation.path}?_format=${format} answers ${mediaTypes[format]}.`,
    async (context) => {
      const answer = await ask(context, operation, `_format=${format}`);
      expectFormat(answer, format);
      const { json } = answer;
      expectThat(typeof json === 'object' && json !== null, `The body is no JSON: ${shown(answer.text)}.`);
      if (operation.represents !== undefined) expectSame('@graph' in json, format === 'jsonld', 'That it has a graph');
    },
  );

const refused =
  (name: string, query: string) =>
  (operation: ReadWithFormat): Rule =>
    referenceRule(name, `document: ${operation.id}, 406; a real site`)(
      `GET ${operation.path}?${query} is refused with 406.`,
      async (context) => expectStatus(await ask(context, operation, query), 406),
    );

const wrong = [
  refused('not-configured', '_format=xml'),
  refused('upper-case', '_format=JSON'),
  refused('media-type', '_format=application%2Fjson'),
  refused('blank-around', '_format=%20json'),
];

const twice = (operation: ReadWithFormat): Rule =>
  referenceRule('twice', 'a real site, small')(
    `Of two \`_format\` of ${operation.path} the last one counts.`,
    async (context) => {
      const [format = 'json'] = operation.format.enabled;
      expectFormat(await ask(context, operation, `_format=foo&_format=${format}`), format);
      expectStatus(await ask(context, operation, `_format=${format}&_format=foo`), 406);
    },
  );

const refusal = (operation: ReadWithFormat): Rule =>
  adviceRule('refusal', 'docs/use/differences.md: Errors')(
    `A 406 of ${operation.path} is JSON with a message, also for a format that there is not.`,
    async (context) => {
      const answer = await ask(context, operation, '_format=foo');
      expectRefusal(answer, 406);
      expectSame(answer.mediaType, mediaTypes.json, 'The type');
    },
  );

/** Where a read needs a format. */
const withoutFormat = (operation: ReadWithFormat): readonly Rule[] => [
  adviceRule('missing', 'docs/use/differences.md: GET without `_format`')(
    `GET ${operation.path} without \`_format\` is refused with 406, so that a client names its format.`,
    async (context) => expectRefusal(await ask(context, operation, ''), 406),
  ),
  adviceRule('empty', 'docs/use/differences.md: GET without `_format`')(
    `GET ${operation.path} with an empty \`_format\` answers as without one.`,
    async (context) => expectRefusal(await ask(context, operation, '_format='), 406),
  ),
  referenceRule('alternates', 'a real site')(
    `A 406 of ${operation.path} links to each format that there is, with its media type.`,
    async (context) => {
      const { links } = expectStatus(await ask(context, operation, '_format=foo'), 406);
      const own = context.baseUrl + addressOf(context, operation);
      // A page for people is none of the formats of this interface.
      const alternates = links.filter(({ rel, type }) => rel === 'alternate' && type !== 'text/html');
      const wanted = operation.format.enabled.map((format) => `${mediaTypes[format]} ${own}?_format=${format}`);
      expectSame(
        alternates.map(({ type, target }) => `${type ?? ''} ${target}`).sort(),
        wanted.sort(),
        'What it links to',
      );
    },
  ),
];

const optional = (operation: ReadWithFormat): Rule =>
  contractRule('missing', `document: ${operation.id}, _format`)(
    `GET ${operation.path} without \`_format\` answers JSON.`,
    async (context) => {
      for (const query of ['', '_format=']) expectFormat(await ask(context, operation, query), 'json');
    },
  );

const headRefusal = (operation: ReadWithFormat): Rule =>
  contractRule('head-refusal', 'RFC 9110 §9.3.2')(
    `HEAD ${operation.path} refuses an unknown format with 406 and no body.`,
    async (context) => {
      const answer = expectStatus(await ask(context, operation, '_format=foo', 'HEAD'), 406);
      expectSame(answer.exchange.reply.body.bytes, 0, 'The number of bytes');
    },
  );
