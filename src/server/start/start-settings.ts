/** Makes of the values of start options what `start` takes. */
import type { ExportedConfiguration } from '../../openapi/openapi-host.ts';
import { namedDocument } from '../sources/named-document.ts';
import type { StartValues } from '../options/start-options.ts';

/** With the exported configuration itself, where there is one. */
type GivenValues = StartValues & { readonly drupalConfig: ExportedConfiguration | undefined };

/** Options that need no other form are passed on as they are. */
export const startSettings = <Values extends GivenValues>(values: Values) => {
  const { port, fixture, document, documents = [], handlers, jwtKey, ...passed } = values;
  return {
    ...passed,
    fixture,
    port: port === false ? undefined : port,
    documents: [...(document === undefined ? [] : [document]), ...documents].map(namedDocument),
    handlerFolder: handlers,
    signingKey: jwtKey,
  };
};
