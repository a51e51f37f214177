/** A demo account, whose password is published, and its credentials. */

export type KnownAccount = { readonly name: string; readonly password: string };

/** The value of the header `Authorization` (RFC 7617). */
export const basic = ({ name, password }: KnownAccount): string =>
  `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`;
