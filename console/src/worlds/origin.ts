/** Says in words what a world was made from. */
import type { ControlSchemas } from '../api/control.ts';

export const originWords = ({ kind, name, taken }: ControlSchemas['WorldOrigin']): string =>
  `the ${kind} "${name}"${taken === null ? '' : ` as it was at ${new Date(taken).toLocaleString()}`}`;
