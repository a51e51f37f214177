/** The document of the site as its readers ask for it: OpenAPI 3.1 as JSON and as YAML, and 3.0.3 for generators that read no newer one. */
import type { DocumentObject } from '../document/document.ts';
import type { PlainReply } from '../engine/exchange.ts';
import { documentAsJson, documentAsYaml } from '../engine/text-reply.ts';

/** The reply for a path at the address of a world; undefined where no document lies. */
export type DocumentTexts = (path: string, baseUrl: string) => Promise<PlainReply> | undefined;

/** How each form is written. YAML and 3.0 take longer than the rest of a start: their modules wait for the first who asks. */
const forms: Readonly<Record<string, (document: DocumentObject) => Promise<PlainReply>>> = {
  '/openapi.json': async (document) => documentAsJson(document),
  '/openapi.yaml': documentAsYaml,
  '/openapi-3.0.json': async (document) => {
    const { downConvert } = await import('../document/down-convert.ts');
    return documentAsJson(downConvert(document));
  },
};

/** The texts of a document. Those at its own address are written once and kept; those of other worlds when they are asked for. */
export const documentTexts = (document: DocumentObject): DocumentTexts => {
  const kept = new Map<string, Promise<PlainReply>>();
  const own = document.servers?.[0]?.url;
  return (path, baseUrl) => {
    const form = path.startsWith('/openapi') && Object.hasOwn(forms, path) ? forms[path] : undefined;
    if (form === undefined) return undefined;
    if (baseUrl !== own) return form({ ...document, servers: [{ url: baseUrl }] });
    const text = kept.get(path) ?? form(document);
    kept.set(path, text);
    return text;
  };
};
