/** Makes the backend of a document whose validators were compiled ahead of time. Replies are not checked: tests check them from outside. */
import type { Backend, CreateBackend } from '../core/engine/backend.ts';
import { violationsFrom } from '../core/engine/ajv-violations.ts';
import { makeMock, type ExampleChoice } from '../core/engine/make-mock.ts';
import { operationsOf, rawOperation, type Operation } from '../core/document/operation.ts';
import type { DocumentObject } from '../core/document/document.ts';
import type { RequestValidators } from './prepared-site/prepared-site.ts';

/** `validators` are those of the document that the backend is made of. */
export const compiledBackend =
  (validators: RequestValidators): CreateBackend =>
  (document, operationIds): Backend => {
    const operations = operationsOf(document);
    const ids = new Set(operations.map(({ id }) => id));
    const unknown = operationIds.find((id) => !ids.has(id));
    if (unknown !== undefined) throw new Error(`The document has no operation "${unknown}".`);
    const heads = new Map(operations.filter(({ method }) => method === 'HEAD').map((head) => [head.path, head]));
    return {
      operations,
      headOf: ({ path }) => heads.get(path),
      requestViolations: ({ id }, { params, query, headers, body }) => {
        const subject = {
          ...{ path: params, query, header: headers, cookie: {} },
          ...(body === undefined ? {} : { requestBody: body }),
        };
        return (validators[id] ?? []).flatMap((validate) => (validate(subject) ? [] : violationsFrom(validate.errors)));
      },
      replyViolations: () => [],
      mock: (operation, preference) =>
        makeMock(document, operation, preference, (choice) => exampleOf(document, operation, choice)),
    };
  };

/** The named example, or else the first. */
const exampleOf = (
  document: DocumentObject,
  operation: Operation,
  { code, mediaType, example }: ExampleChoice,
): unknown => {
  const media = rawOperation(document, operation)?.responses[String(code)]?.content?.[mediaType];
  const examples = media?.examples ?? {};
  const named = example === undefined ? undefined : examples[example]?.value;
  return named ?? media?.example ?? Object.values(examples)[0]?.value;
};
