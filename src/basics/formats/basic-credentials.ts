/** Reads and writes the header of HTTP Basic (RFC 7617). */

type BasicCredentials = { readonly name: string; readonly password: string };

/**
 * The name and password of an Authorization header, as UTF-8. The password begins after the first colon. It reads as PHP reads
 * for the real site: characters that are not of base64 are left out, and name and password may be empty or hold anything. Returns
 * undefined for another scheme and without a colon: such a header counts as no credentials at all.
 */
export const readBasic = (header: string | undefined): BasicCredentials | undefined => {
  const encoded = /^basic (.*)$/i.exec(header ?? '')?.[1];
  if (encoded === undefined) return undefined;
  const pair = Buffer.from(encoded.replace(/[^A-Za-z0-9+/]/g, ''), 'base64').toString();
  const colon = pair.indexOf(':');
  return colon === -1 ? undefined : { name: pair.slice(0, colon), password: pair.slice(colon + 1) };
};

/** The value of the header. */
export const basicCredentials = (name: string, password: string): string =>
  `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`;
