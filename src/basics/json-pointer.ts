/** Reads JSON pointers (RFC 6901), writes their steps, follows them through a value, and changes what they lead to. */
import { isRecord } from './json.ts';

/** The names and indexes that lead from the root of a document to a value. */
export type Keys = readonly (string | number)[];

/**
 * The decoded steps of a pointer. A pointer that begins with `#` is a URI fragment, so percent codes in its steps are
 * decoded too (§6). A reference into another file keeps that file as its first step, so it leads nowhere.
 */
export const readPointer = (pointer: string): string[] => {
  const isFragment = pointer.startsWith('#');
  const path = isFragment ? pointer.slice(1) : pointer;
  if (path === '') return [];
  const steps = path.replace(/^\//, '').split('/');
  return steps.map((step) => decodeStep(isFragment ? decodeURIComponent(step) : step));
};

/** `~1` first: `~01` means `~1` (RFC 6901 §4). */
const decodeStep = (step: string): string => step.replaceAll('~1', '/').replaceAll('~0', '~');

/** A member's name as a step of a pointer. */
export const encodeStep = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1');

/** The pointer of these steps. That of no steps is empty: the whole document. */
export const pointerTo = (steps: readonly (string | number)[]): string =>
  steps.map((step) => `/${encodeStep(String(step))}`).join('');

/** The value that the steps lead to; undefined when there is none. */
export const valueAt = (root: unknown, steps: readonly string[]): unknown =>
  steps.reduce<unknown>((value, step) => (hasMember(value, step) ? value[step] : undefined), root);

/** A copy with another value at the steps, or without one when `to` is undefined. Objects on the way are made. */
export const withValueAt = (root: unknown, [step, ...rest]: readonly string[], to: unknown): unknown => {
  if (step === undefined) return to;
  const isRemoval = rest.length === 0 && to === undefined;
  if (Array.isArray(root)) {
    return root.flatMap((item: unknown, index) => {
      if (String(index) !== step) return [item];
      return isRemoval ? [] : [withValueAt(item, rest, to)];
    });
  }
  const members = isRecord(root) ? root : {};
  if (isRemoval) return Object.fromEntries(Object.entries(members).filter(([name]) => name !== step));
  return { ...members, [step]: withValueAt(members[step] ?? {}, rest, to) };
};

/** Whether a value is an object or a list that has this member itself. */
export const hasMember = (value: unknown, name: string): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name);
