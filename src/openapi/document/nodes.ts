/** A document as an object, and its parts, which may have another form than OpenAPI gives them. */
import { isRecord } from '../../basics/json.ts';

export type Node = Readonly<Record<string, unknown>>;

/** The object, or an empty one in place of anything else. */
export const asNode = (value: unknown): Node => (isRecord(value) ? value : {});

/** A document with its references, or with them resolved to shared objects. */
export type DocumentObject = {
  readonly openapi: string;
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly components: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly servers?: readonly { readonly url: string }[];
  readonly [member: string]: unknown;
};
