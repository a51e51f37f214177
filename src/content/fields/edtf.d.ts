/** Declares the types of the package `edtf`, which has none of its own. */
declare module 'edtf' {
  /** Throws on a text that is not EDTF of the given level. */
  export function parse(text: string, options?: { level?: 0 | 1 | 2 | 3 }): unknown;
}
