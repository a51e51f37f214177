/** Corrects a request that breaks the contract. `corrected-body.ts` corrects its JSON body. */
import type { CorrectedRequest, Correction } from './contract-judge.ts';
import { type DocumentObject, rawOperation } from '../openapi/openapi-terms.ts';
import type { HostedOperation } from '../openapi/openapi-host.ts';
import { correctedBody, type ServedContract } from './corrected-body.ts';
import { refusalMessage, sentJson } from './violations.ts';
import type { RecordedExchange, HeaderLine } from '../exchange/exchange.ts';

export const correctRequest = async (exchange: RecordedExchange, contract: ServedContract): Promise<Correction> => {
  const { operation, method, baseUrl, path, query, headers, requestBody, observations } = exchange;
  const observed = observations.requestViolations;
  if (operation === undefined) return { request: undefined, violations: observed, headRefusals: [] };
  const newQuery = correctedQuery(query, operation);
  const url = `${baseUrl}${path}${newQuery === '' ? '' : `?${newQuery}`}`;
  const changed = correctedHeaders(exchange, operation, contract.document);
  const hasBody = operation.body !== 'none' && !(operation.isBodyOptional && requestBody.bytes === 0);
  const contentType = hasBody ? contentTypeFor(operation, headers['content-type']) : undefined;
  const isSameQuery = newQuery === query;
  const isSameType = !hasBody || contentType === headers['content-type'];
  const corrected = (body: CorrectedRequest['body'], isSameBody = true): CorrectedRequest | undefined =>
    isSameQuery && isSameType && isSameBody && changed.length === 0
      ? undefined
      : { method, url, contentType, headers: changed, body };
  const headRefusals = [...(isSameQuery ? [] : [406 as const]), ...(isSameType ? [] : [415 as const])];
  if (!hasBody) return { request: corrected(undefined), violations: observed, headRefusals };
  if (operation.body === 'bytes') return { request: corrected('bytes'), violations: observed, headRefusals };
  // The body was too long to be recorded, or is not text: its head alone is corrected.
  if (requestBody.text === undefined && requestBody.bytes > 0) {
    return { request: corrected('bytes'), violations: observed, headRefusals };
  }
  const sent = sentJson(exchange);
  const { body, violations } = await correctedBody(sent, operation, contract);
  const ofHead = observed.filter(({ pointer }) => !pointer.startsWith('/requestBody'));
  return {
    request: body === undefined ? undefined : corrected({ json: body }, body === sent),
    violations: violations.length === 0 ? observed : [...ofHead, ...violations],
    headRefusals,
  };
};

/** Required headers that are missing, as the document's example has them, and names of files with an extension that is allowed. */
const correctedHeaders = (
  exchange: RecordedExchange,
  operation: HostedOperation,
  document: DocumentObject,
): readonly HeaderLine[] => {
  const { headers } = exchange;
  const missing = (rawOperation(document, operation)?.parameters ?? []).flatMap(
    ({ name, in: place, required, example, examples }): HeaderLine[] => {
      const value = example ?? Object.values(examples ?? {})[0]?.value;
      const isMissing = place === 'header' && required === true && headers[name.toLowerCase()] === undefined;
      return isMissing && typeof value === 'string' ? [[name, value]] : [];
    },
  );
  const named = allowedFileName(refusalMessage(exchange), (name) => headers[name.toLowerCase()]);
  return [...missing, ...named.headers];
};

type AllowedFileName = {
  /** The extensions that the refusal names, with blanks between them. */
  readonly extensions: string;
  /** The headers that name the file, with the first of these extensions. */
  readonly headers: readonly HeaderLine[];
};

/** How an uploaded file would have to be named, by a refusal that says which extensions are allowed. `headerOf` gives a header of the request. */
export const allowedFileName = (
  message: string | undefined,
  headerOf: (name: string) => string | undefined,
): AllowedFileName => {
  const extensions = /extensions are allowed: ([\w ]+)/.exec(message ?? '')?.[1] ?? '';
  const [extension = ''] = extensions.split(' ');
  const headers = ['Content-Disposition', 'Content-Location'].flatMap((name): HeaderLine[] => {
    const value = headerOf(name);
    return value === undefined || extension === '' ? [] : [[name, value.replace(/(\.\w+)?("?)$/, `.${extension}$2`)]];
  });
  return { extensions, headers };
};

const contentTypeFor = (operation: HostedOperation, sent: string | undefined): string | undefined => {
  if (operation.body === 'json')
    return /^application\/json *(; *charset="?utf-?8"?)?$/i.test(sent ?? '') ? sent : 'application/json';
  if (operation.byteTypes.length === 0) return sent ?? 'application/octet-stream';
  return operation.byteTypes.find((type) => type === sent) ?? operation.byteTypes[0];
};

const correctedQuery = (query: string, { format }: HostedOperation): string => {
  if (format === undefined) return query;
  const parameters = new URLSearchParams(query);
  const name = parameters.get('_format');
  const isValid = name === null ? !format.required : format.enabled.some((enabled) => enabled === name);
  if (isValid) return query;
  parameters.set('_format', format.enabled.find((enabled) => enabled === 'json') ?? format.enabled[0] ?? 'json');
  return parameters.toString();
};
