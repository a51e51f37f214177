/** Replies of text that no operation makes: documents, pages, refusals. Ready to be written. */
import type { DocumentObject } from '../document/document.ts';
import type { PlainReply } from './exchange.ts';

type TextReply = PlainReply & { readonly body: string };

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

/** A refusal in the form of all refusals: one member `message`. */
export const messageReply = (status: number, message: string): TextReply => ({
  ...textReply('application/json', JSON.stringify({ message })),
  status,
});

/** An OpenAPI document as JSON. */
export const documentAsJson = (document: DocumentObject): PlainReply =>
  textReply('application/json', JSON.stringify(document, null, 2));

/** An OpenAPI document as YAML. Its module waits for the first who asks: it takes longer than the rest of a start. */
export const documentAsYaml = async (document: DocumentObject): Promise<PlainReply> => {
  const { stringify } = await import('yaml');
  return textReply('application/yaml', stringify(document, { aliasDuplicateObjects: false }));
};
