/** Defines a link as data (RFC 8288). */

/** RFC 8288 §3: `target` is absolute, `rel` is a registered name or a URI, `type` is a media type. */
export type TypedLink = {
  readonly target: string;
  readonly rel: string;
  readonly title?: string | undefined;
  readonly type?: string | undefined;
};
