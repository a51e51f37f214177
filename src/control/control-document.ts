/** The control interface's own description, as its readers want it. */
import type { DocumentObject } from '../document/document.ts';
import type { PlainReply } from '../engine/exchange.ts';
import { documentAsJson, documentAsYaml } from '../engine/text-reply.ts';

/** `/_atoll/openapi.json` and `.yaml`, with the address of the world that is asked; undefined for any other path. */
export const controlDocumentReply = async (
  document: DocumentObject,
  path: string,
  baseUrl: string,
): Promise<PlainReply | undefined> => {
  const shown = { ...document, servers: [{ url: baseUrl }] };
  if (path === '/_atoll/openapi.json') return documentAsJson(shown);
  return path === '/_atoll/openapi.yaml' ? documentAsYaml(shown) : undefined;
};
