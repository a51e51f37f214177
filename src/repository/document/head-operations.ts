/** Gives a document its HEAD operations: HEAD is GET without a body, so the files have GET alone. */
import { listOf } from '../../basics/json.ts';
import {
  type DocumentObject,
  headIdOf,
  referredPart,
  partOf,
  without,
  type Part,
} from '../../openapi/openapi-terms.ts';

/** What `x-head` of a GET says of its HEAD where the rules here would say something else. */
const override = 'x-head';

const asForGet = 'As for GET, without the body.';

/** Parts of a representation are for GET alone (RFC 9110 §14.2): their parameters and their statuses. */
const ofRanges = { parameters: ['Range', 'IfRange'], statuses: ['206', '416'] };

/** What the summary of a HEAD has in place of the first word of its GET's. */
const articles: Readonly<Record<string, string>> = { 'List ': 'the list of ', 'The ': 'the ' };

/** The responses of HEAD that have a name, by status and headers. Any other one is written where it is answered. */
const named: Readonly<Record<string, string>> = {
  '400': 'PageRefusedHead',
  '401 WWW-Authenticate': 'UnauthorizedHead',
  '401 WWW-Authenticate X-Drupal-Cache': 'UnauthorizedRecordHead',
  '403': 'ForbiddenHead',
  '403 X-Drupal-Cache X-Drupal-Dynamic-Cache': 'ForbiddenRecordHead',
  '404': 'NotFoundHead',
  '406': 'NotJsonHead',
  '406 Link': 'NotAcceptableHead',
  '500': 'UnexpectedErrorHead',
  '503': 'BusyHead',
};

/**
 * The document with a HEAD right after each GET. A path that has a HEAD keeps it, so a document that has them all stays as it
 * is. `x-head` is left out.
 */
export const withHeadOperations = (document: DocumentObject): DocumentObject => ({
  ...document,
  paths: Object.fromEntries(Object.entries(document.paths).map(([path, item]) => [path, withHead(item, document)])),
});

const withHead = (item: Part, document: DocumentObject): Part => {
  const get = item['get'];
  if (get === undefined || item['head'] !== undefined) return item;
  const shown = without(partOf(get), override);
  const both = Object.entries({ get: shown, head: headOf(shown, partOf(partOf(get)[override]), document) });
  return Object.fromEntries(
    Object.entries(item).flatMap(([name, member]) => (name === 'get' ? both : [[name, member]])),
  );
};

/** Members come in the order of the GET. */
const headOf = (get: Part, own: Part, document: DocumentObject): Part => {
  const parameters = listOf(get['parameters']);
  const kept = parameters.filter((parameter) => !ofRanges.parameters.includes(nameIn(parameter)));
  const takesRanges = kept.length < parameters.length;
  const changed: Part = {
    operationId: headIdOf(String(get['operationId'])),
    summary: String(get['summary']).replace(/^(Read|List|The) /, (first) => `The headers of ${articles[first] ?? ''}`),
    description: asForGet,
    parameters: kept,
    responses: headResponses(partOf(get['responses']), takesRanges, document),
    ...own,
  };
  return Object.fromEntries(Object.entries(get).map(([name, member]) => [name, changed[name] ?? member]));
};

const headResponses = (responses: Part, takesRanges: boolean, document: DocumentObject): Part => {
  const range = takesRanges ? ' A `Range` is not looked at (RFC 9110 §14.2).' : '';
  return Object.fromEntries(
    Object.entries(responses).flatMap(([status, response]) => {
      if (ofRanges.statuses.includes(status)) return [];
      const { content, headers } = referredPart(document, response);
      if (content === undefined) return [[status, response]];
      const name = named[[status, ...Object.keys(partOf(headers)).sort()].join(' ')];
      if (name !== undefined) return [[status, { $ref: `#/components/responses/${name}` }]];
      const written = {
        description: asForGet + (status === '200' ? range : ''),
        ...(headers === undefined ? {} : { headers }),
      };
      return [[status, written]];
    }),
  );
};

/** The last step of a reference. Empty for a part that is written in place. */
const nameIn = (part: unknown): string => {
  const { $ref } = partOf(part);
  return typeof $ref === 'string' ? ($ref.split('/').at(-1) ?? '') : '';
};
