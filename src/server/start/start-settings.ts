/** Makes of the values of start options what `start` takes. */
import type { ExportedConfiguration } from '../../core/site/exported-configuration.ts';
import { namedDocument } from '../sources/named-document.ts';
import type { StartValues } from '../options/start-options.ts';
import { firstContent } from '../site-folders/packaged-sites.ts';

/** With the exported configuration itself, where there is one. */
type GivenValues = StartValues & { readonly drupalConfig: ExportedConfiguration | undefined };

/** Options that need no other form are passed on as they are. */
export const startSettings = <Values extends GivenValues>(values: Values) => {
  const { port, site, fixture, drupalConfig, document, documents = [], handlers, jwtKey, ...passed } = values;
  return {
    ...passed,
    ...{ site, drupalConfig, ...firstContent(fixture, { site, isImported: drupalConfig !== undefined }) },
    port: port === false ? undefined : port,
    documents: [...(document === undefined ? [] : [document]), ...documents].map(namedDocument),
    handlerFolder: handlers,
    signingKey: jwtKey,
  };
};
