/** What the compiler must be told to write the types of the package: the types of packages that bring none. Nobody imports it. */
// eslint-disable-next-line @typescript-eslint/triple-slash-reference -- declarations of this kind cannot be imported
/// <reference path="../src/content/fields/edtf.d.ts" />
export {};
