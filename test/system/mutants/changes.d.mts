/** The small changes of a source file that a test should notice. */
export type Change = {
  readonly file: string;
  readonly line: number;
  readonly kind: string;
  readonly start: number;
  readonly end: number;
  readonly original: string;
  readonly replacement: string;
};

export declare const changesOf: (text: string, file: string) => readonly Change[];
export declare const changed: (text: string, change: Change) => string;
