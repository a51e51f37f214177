/** Declares types for packages that have none, for `build-package.mjs`. No module imports this file. */
// eslint-disable-next-line @typescript-eslint/triple-slash-reference -- declarations of this kind cannot be imported
/// <reference path="../src/content/fields/edtf.d.ts" />
export {};
