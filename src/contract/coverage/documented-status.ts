/** Finds the response of a document that a status is counted for: its own, that of its class, or `default`. */

/** `responses` has a member for each of an operation's responses. Undefined where it has none for the status. */
export const documentedStatus = (responses: { readonly [key: string]: unknown }, status: number): string | undefined =>
  [String(status), `${String(status)[0]}XX`, 'default'].find((key) => Object.hasOwn(responses, key));

/** Whether a response is for errors. `default` is, unless it is the only one. */
export const isErrorStatus = (key: string, responses: { readonly [key: string]: unknown }): boolean =>
  key === 'default' ? Object.keys(responses).length > 1 : Number(key[0]) >= 4;
