/** Defines an OpenAPI document as an object of which its members are known. */

/** A document with its references, or with them resolved to shared objects. */
export type DocumentObject = {
  readonly openapi: string;
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly components: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly servers?: readonly { readonly url: string }[];
  readonly [member: string]: unknown;
};
