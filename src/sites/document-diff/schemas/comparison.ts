/** The state of a comparison of schemas: its direction, and what it has met on its way. */
import type { DocumentReader } from '../document-reader.ts';
import type { Pass } from '../finding.ts';

/** `sent`: by clients. `received`: by clients. */
export type Direction = 'sent' | 'received';

export type Comparison = {
  readonly pass: Pass;
  readonly direction: Direction;
  /** Pairs of named schemas that are or have been compared. */
  readonly seen: Set<string>;
  /** Pairs of schemas without a name that are being compared. */
  readonly open: readonly (readonly [unknown, unknown])[];
  /** Only the question whether a schema lies within another one; nothing is reported. */
  readonly isDryRun: boolean;
  /** Within a schema that a place refers to in place of another one. */
  readonly isAtPlace: boolean;
};

/** The document whose values must lie within the other one's: what clients sent, or what they receive now. */
export const offered = ({ pass, direction }: Comparison): DocumentReader =>
  direction === 'sent' ? pass.before : pass.after;

/** The document within whose schema the values must lie. */
export const asked = ({ pass, direction }: Comparison): DocumentReader =>
  direction === 'sent' ? pass.after : pass.before;
