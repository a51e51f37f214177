/** The operations of the control document, as tests ask for them one by one. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'yaml';
import { root } from '../../support/atoll.ts';

type Described = {
  readonly operationId: string;
  readonly 'x-right'?: string;
  readonly 'x-copies'?: string;
  readonly requestBody?: {
    readonly content: Readonly<
      Record<string, { readonly examples?: Readonly<Record<string, { readonly value: object }>> }>
    >;
  };
  readonly responses: Readonly<Record<string, unknown>>;
};

export type ControlOperation = {
  readonly id: string;
  readonly method: string;
  /** With `1` in place of each parameter. */
  readonly path: string;
  readonly template: string;
  readonly right: string | undefined;
  /** The member of the body, or the parameter, that names what it copies. */
  readonly copies: string | undefined;
  /** Bodies that the document shows. */
  readonly examples: readonly object[];
  readonly statuses: readonly string[];
};

const { paths } = parse(await readFile(join(root, 'src/server/control/openapi.yaml'), 'utf8')) as {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
}; // our own file

export const controlOperations: readonly ControlOperation[] = Object.entries(paths).flatMap(([template, item]) =>
  Object.entries(item)
    .filter(([method]) => ['get', 'post', 'put', 'patch', 'delete'].includes(method))
    .map(([method, { operationId, responses, requestBody, ...described }]) => ({
      id: operationId,
      method: method.toUpperCase(),
      path: template.replaceAll(/\{[^}]*\}/g, '1'),
      template,
      right: described['x-right'],
      copies: described['x-copies'],
      examples: Object.values(requestBody?.content ?? {}).flatMap(({ examples = {} }) =>
        Object.values(examples).map(({ value }) => value),
      ),
      statuses: Object.keys(responses),
    })),
);
