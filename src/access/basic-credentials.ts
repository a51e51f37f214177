/** Parses the Authorization header of HTTP Basic (RFC 7617). */
import { isUtf8 } from 'node:buffer';

/**
 * The name and password of an Authorization header, as UTF-8. The password begins after the first colon. Returns undefined for
 * another scheme, bad base64 or UTF-8, no colon, an empty name or password, or control characters (RFC 7617 §2). The real
 * site treats such a header as no credentials at all.
 */
export const readBasic = (
  header: string | undefined,
): { readonly name: string; readonly password: string } | undefined => {
  const encoded = /^basic +([A-Za-z0-9+/]+={0,2})$/i.exec(header ?? '')?.[1];
  const bytes = Buffer.from(encoded ?? '', 'base64');
  const pair = isUtf8(bytes) ? bytes.toString() : '';
  const match = /^([^:\u0000-\u001f\u007f]+):([^\u0000-\u001f\u007f]+)$/.exec(pair);
  const [, name, password] = match ?? [];
  return name === undefined || password === undefined ? undefined : { name, password };
};
