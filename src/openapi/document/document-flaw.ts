/** Defines a flaw of a document before its file is known. */

/** `keys` lead from the root of the document to the place. */
export type DocumentFlaw = {
  readonly keys: readonly string[];
  readonly rule: string;
  readonly message: string;
  readonly remedy: string;
  /** Whether the document is served all the same. */
  readonly isServed: boolean;
};
