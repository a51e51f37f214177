/** The operations of the control document, as tests ask for them one by one. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'yaml';
import { root } from '../../support/atoll.ts';

type Described = {
  readonly operationId: string;
  readonly 'x-right'?: string;
  readonly responses: Readonly<Record<string, unknown>>;
};

export type ControlOperation = {
  readonly id: string;
  readonly method: string;
  /** With `1` in place of each parameter. */
  readonly path: string;
  readonly template: string;
  readonly right: string | undefined;
  readonly statuses: readonly string[];
};

const { paths } = parse(await readFile(join(root, 'src/server/control/openapi.yaml'), 'utf8')) as {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
}; // our own file

export const controlOperations: readonly ControlOperation[] = Object.entries(paths).flatMap(([template, item]) =>
  Object.entries(item)
    .filter(([method]) => ['get', 'post', 'put', 'patch', 'delete'].includes(method))
    .map(([method, { operationId, responses, ...described }]) => ({
      id: operationId,
      method: method.toUpperCase(),
      path: template.replaceAll(/\{[^}]*\}/g, '1'),
      template,
      right: described['x-right'],
      statuses: Object.keys(responses),
    })),
);
