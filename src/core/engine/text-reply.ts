/** Makes text replies outside of operations: documents, pages, refusals. */
import type { DocumentObject } from '../document/document.ts';
import { loadYaml } from '../../basics/yaml/yaml-library.ts';
import type { PlainReply } from './exchange.ts';
import { Problem, unexpectedErrorMessage } from '../../openapi/openapi-terms.ts';

export type TextReply = PlainReply & { readonly body: string };

/** 200 with a text in UTF-8. */
export const textReply = (
  mediaType: string,
  body: string,
  headers: Readonly<Record<string, string>> = {},
): TextReply => ({
  status: 200,
  headers: { 'Content-Type': mediaType, ...headers, 'Content-Length': String(Buffer.byteLength(body)) },
  body,
});

/** A refusal: JSON with the single member `message`. */
export const messageReply = (status: number, message: string): TextReply => ({
  ...textReply('application/json', JSON.stringify({ message })),
  status,
});

/** The reply for a `Problem`. Any other error is a 500 that does not name its cause. */
export const errorReply = (error: unknown, otherwise = unexpectedErrorMessage): TextReply => {
  const { status, message, headers } = error instanceof Problem ? error : new Problem(500, otherwise);
  const reply = messageReply(status, message);
  return { ...reply, headers: { ...reply.headers, ...headers } };
};

/** An OpenAPI document as JSON. */
export const documentAsJson = (document: DocumentObject): PlainReply =>
  textReply('application/json', JSON.stringify(document, null, 2));

/** An OpenAPI document as YAML. */
export const documentAsYaml = async (document: DocumentObject): Promise<PlainReply> => {
  const { stringify } = await loadYaml();
  return textReply('application/yaml', stringify(document, { aliasDuplicateObjects: false }));
};
