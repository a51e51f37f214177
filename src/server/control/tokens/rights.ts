/** Knows which right each control operation needs (`x-right` in the document), and refuses a token that lacks it. */
import type { DocumentObject } from '../../../core/document/document.ts';
import type { StoredControlToken } from '../../../core/model/control-token-store.ts';
import { mainName } from '../../../core/model/world-name.ts';

/** What an operation needs. `this-world` is the world of the request, `named-world` that of the path, `new-world` that of the body. */
const needs = ['none', 'read', 'this-world', 'named-world', 'new-world', 'everything'] as const;
export type Need = (typeof needs)[number];

/** What a caller may do, and under which name the log knows the caller. */
export type ControlCaller = Pick<StoredControlToken, 'name' | 'right' | 'prefix'>;

/** What each operation needs, by its id. What the document says nothing of needs everything. */
export const readNeeds = ({ paths }: DocumentObject): ((operationId: string) => Need) => {
  const said = new Map<unknown, Need>();
  for (const item of Object.values(paths)) {
    for (const operation of Object.values(item)) {
      const { operationId, 'x-right': right } = Object(operation) as Readonly<Record<string, unknown>>;
      const need = needs.find((each) => each === right);
      if (need !== undefined) said.set(operationId, need);
    }
  }
  return (operationId) => said.get(operationId) ?? 'everything';
};

/** The message of the refusal when no right of this kind would do, before a world is known. Undefined when one may. */
export const missingRight = ({ name, right }: ControlCaller, need: Need): string | undefined => {
  const has = `The control token "${name}" has the right "${right}".`;
  if (right === 'everything' || need === 'none' || need === 'read') return undefined;
  if (need === 'everything') return `${has} This needs the right "everything".`;
  return right === 'worlds' ? undefined : `${has} This needs the right "worlds" or "everything".`;
};

/** The message of the refusal for a world that the token may not act on. Undefined when it may. */
export const missingWorld = ({ name, right, prefix }: ControlCaller, world: string): string | undefined => {
  if (right === 'everything') return undefined;
  // The prefix "m" would otherwise reach what everybody shares.
  if (prefix !== null && world.startsWith(prefix) && world !== mainName) return undefined;
  return (
    `The control token "${name}" has the right to worlds whose names begin with "${prefix ?? ''}", and ` +
    `"${world.slice(0, 80)}" is none of them. That needs the right "everything", or this one with another prefix.`
  );
};
