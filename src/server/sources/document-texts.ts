/** Serves the site's document as OpenAPI 3.1 in JSON and YAML, and as 3.0.3 for generators without support for 3.1. */
import type { DocumentObject } from '../../openapi/openapi-terms.ts';
import { type PlainReply, textReply } from '../../openapi/openapi-host.ts';
import { loadYaml } from '../../basics/yaml/yaml-library.ts';
import { lazyModule } from '../../basics/lazy-module.ts';
import { onceFor } from '../../basics/once.ts';

/** The reply for a path below the base URL of a world. Undefined when the path is not a document. */
export type DocumentTexts = (path: string, baseUrl: string) => Promise<PlainReply> | undefined;

/** An OpenAPI document as JSON. */
export const documentAsJson = (document: DocumentObject): PlainReply =>
  textReply('application/json', JSON.stringify(document, null, 2));

/** An OpenAPI document as YAML. */
export const documentAsYaml = async (document: DocumentObject): Promise<PlainReply> => {
  const { stringify } = await loadYaml();
  return textReply('application/yaml', stringify(document, { aliasDuplicateObjects: false }));
};

/** Loads what makes a document one of OpenAPI 3.0.3. */
export const loadDownConvert = lazyModule(() => import('./down-convert.ts'), 'downConvert');

/** YAML and 3.0.3 take longer than the rest of the start, so their modules are loaded on first use. */
type Form = (document: DocumentObject) => Promise<PlainReply>;
const forms: Readonly<Record<string, Form>> = {
  '/openapi.json': async (document) => documentAsJson(document),
  '/openapi.yaml': documentAsYaml,
  '/openapi-3.0.json': async (document) => {
    const { downConvert } = await loadDownConvert();
    return documentAsJson(downConvert(document));
  },
};

/**
 * The texts for the document's own base URL are cached. Those for other base URLs are written for each request. `complete` adds what only
 * readers of the document need.
 */
export const documentTexts = (document: DocumentObject, complete: () => Promise<DocumentObject>): DocumentTexts => {
  const own = document.servers?.[0]?.url;
  let made: DocumentObject | undefined;
  const whole = async (): Promise<DocumentObject> => (made ??= await complete());
  const cached = onceFor((form: Form) => whole().then(form));
  return (path, baseUrl) => {
    const form = path.startsWith('/openapi') && Object.hasOwn(forms, path) ? forms[path] : undefined;
    if (form === undefined) return undefined;
    if (baseUrl === own) return cached(form);
    return whole().then((each) => form({ ...each, servers: [{ url: baseUrl }] }));
  };
};

/** A document of one's own, as it was read. Its servers are what it says. */
export const ownDocumentTexts = (document: DocumentObject): DocumentTexts => {
  const cached = onceFor((form: Form) => form(document));
  return (path) =>
    path === '/openapi.json' || path === '/openapi.yaml' ? forms[path] && cached(forms[path]) : undefined;
};
