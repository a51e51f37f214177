/** Changes an operation as a site's REST resources say: whether it exists, its formats, its providers. */
import { areEqual } from '../../basics/equal-values.ts';
import { isRecord, listOf } from '../../basics/json.ts';
import { providerNames, type ProviderName } from '../model/principal.ts';
import { mediaTypes } from '../representations/represent.ts';
import { beyondNames, resourceNames, type Format, type HttpMethod, type Site } from '../site/site.ts';
import { ConfigurationError } from '../../basics/configuration-error.ts';
import {
  type DocumentObject,
  referredPart,
  mapMembers,
  partOf,
  without,
  type Part,
} from '../../openapi/openapi-terms.ts';
import { methods } from './operation.ts';

/** Whether a member of a path item is an operation. */
export const isOperationName = (name: string): boolean => methods.some((method) => method.toLowerCase() === name);

/**
 * The operation as the site offers it; the same object when the site changes nothing. Undefined when the site's resource
 * does not enable the method, or the site has switched the operation off. `method` is the member's name, such as
 * `head`, which counts as GET. Throws `ConfigurationError` when the operation supports none of the site's formats.
 */
export const specialiseOperation = (
  document: DocumentObject,
  site: Site,
  method: string,
  operation: Part,
): Part | undefined => {
  const switchName = beyondNames.find((known) => known === operation['x-beyond']);
  if (switchName !== undefined && !site.beyond[switchName]) return undefined;
  if (operation['x-module'] === 'jwt_auth_issuer' && !site.modules.tokenIssuer) return undefined;
  const name = operation['x-resource'];
  if (name === undefined) return switchName === 'file_upload' ? withUploadProviders(operation, site) : operation;
  const resource = resourceNames.find((known) => known === name);
  if (resource === undefined) return undefined;
  const verb = method === 'head' ? 'GET' : (method.toUpperCase() as HttpMethod); // `isOperationName` holds for it
  const configuration = site.resources.get(resource)?.methods.get(verb);
  if (configuration === undefined) return undefined;
  // Operations apart from the representations, such as a linkset, have one media type and no `_format`.
  const possible = enumOf(formatParameter(document, operation));
  if (possible.length === 0) return withProviders(operation, configuration.providers);
  // The program supports no formats but the document's.
  const formats = configuration.formats.filter((format) => possible.includes(format));
  if (formats.length === 0) {
    throw new ConfigurationError(
      `resources: ${resource} ${verb}: none of its formats (${configuration.formats.join(', ')}) can be answered. Add json.`,
    );
  }
  return withProviders(withFormats(document, operation, formats), configuration.providers);
};

/** The resource says only the providers of the standard upload. */
const withUploadProviders = (operation: Part, { resources }: Site): Part => {
  const configuration = resources.get('file_upload')?.methods.get('POST');
  return configuration === undefined ? operation : withProviders(operation, configuration.providers);
};

const formatParameter = (document: DocumentObject, operation: Part): Part =>
  listOf(operation['parameters'])
    .map((parameter) => referredPart(document, parameter))
    .find(({ name }) => name === '_format') ?? {};

const enumOf = (parameter: Part): readonly unknown[] => listOf(partOf(parameter['schema'])['enum']);

const withFormats = (document: DocumentObject, operation: Part, formats: readonly Format[]): Part => {
  const before = formatParameter(document, operation);
  if (areEqual(enumOf(before), formats)) return operation;
  const parameter = {
    ...before,
    schema: { ...partOf(before['schema']), enum: formats },
    example: formats.some((format) => format === before['example']) ? before['example'] : formats[0],
  };
  return {
    ...operation,
    parameters: listOf(operation['parameters']).map((each) =>
      referredPart(document, each)['name'] === '_format' ? parameter : each,
    ),
    responses: mapMembers(partOf(operation['responses']), (response, status) =>
      responseIn(document, formats, status, response),
    ),
  };
};

/** The response for these formats. A shared response that must change is copied in place of its `$ref`. */
export const responseIn = (
  document: DocumentObject,
  formats: readonly Format[],
  status: string,
  response: unknown,
): unknown => {
  const target = referredPart(document, response);
  const content = target['content'];
  if (!isRecord(content)) return response;
  const changed =
    status === '406' ? withFormatList(document, content, formats) : contentIn(content, formats, Number(status));
  return areEqual(changed, content) ? response : { ...target, content: changed };
};

const contentIn = (content: Part, formats: readonly Format[], status: number): Part => {
  const isRefusal = status >= 400;
  // A refusal before the format is known is JSON, such as a 503 while credentials are read.
  return mapMembers(content, (media, type) =>
    formats.some((format) => mediaTypes[format] === type) || (isRefusal && type === mediaTypes.json)
      ? media
      : undefined,
  );
};

/** The message of a 406 lists the enabled formats. */
const withFormatList = (document: DocumentObject, content: Part, formats: readonly Format[]): Part =>
  mapMembers(content, (media) => ({
    ...partOf(media),
    examples: mapMembers(partOf(partOf(media)['examples']), (original) => {
      const example = referredPart(document, original);
      const { message } = partOf(example['value']);
      const listed = String(message).replace(/Supported formats: .*$/, `Supported formats: ${formats.join(', ')}.`);
      return listed === message ? original : { ...example, value: { message: listed } };
    }),
  }));

/** A 401 is a challenge for basic authentication. Without that provider the operation has no 401. */
export const withProviders = (operation: Part, providers: readonly ProviderName[]): Part => {
  const before = listOf(operation['security']);
  // Last, because many tools take the first choice: they would send no credentials where some are possible.
  const anonymous = before.filter((choice) => Object.keys(partOf(choice)).length === 0);
  const written = (name: ProviderName): unknown => before.find((choice) => name in partOf(choice)) ?? { [name]: [] };
  const security = [...providerNames.filter((name) => providers.includes(name)).map(written), ...anonymous];
  const secured = areEqual(security, before) ? operation : { ...operation, security };
  return providers.includes('basic_auth')
    ? secured
    : { ...secured, responses: without(partOf(secured['responses']), '401') };
};
