/** Reads how a user names a document of their own. */

/** `prefix` is undefined where the document itself says where it is served. */
export type NamedDocument = { readonly file: string; readonly prefix: string | undefined };

/** `FILE`, or `PREFIX=FILE` with a prefix such as `/search`. */
export const namedDocument = (text: string): NamedDocument => {
  const [, prefix, file] = /^(\/[^=]*)=(.+)$/s.exec(text) ?? [];
  return file === undefined ? { file: text, prefix: undefined } : { file, prefix: prefix?.replace(/\/+$/, '') };
};
