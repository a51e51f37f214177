/** Replaces `access/token-signatures.ts`: RSA and SHA-256 (RFC 7518 §3.3) by Web Crypto. */
import type { Claims, VerifiedToken } from '../basics/secrets/token-signatures.ts';
import { isRecord } from '../basics/json.ts';
import { keyIdOf, type SigningKey } from './signing-key.ts';

const algorithm = 'RSASSA-PKCS1-v1_5';

export const signedToken = async (
  claims: Claims,
  { privateKey, publicKey }: SigningKey,
  { namesKey }: { readonly namesKey: boolean },
): Promise<string> => {
  const head = { alg: 'RS256', typ: 'JWT', ...(namesKey ? { kid: keyIdOf(publicKey) } : {}) };
  const signed = `${encoded(JSON.stringify(head))}.${encoded(JSON.stringify(claims))}`;
  const signature = await crypto.subtle.sign(algorithm, privateKey, Buffer.from(signed));
  return `${signed}.${encoded(new Uint8Array(signature))}`;
};

/** Undefined when the signature is wrong, the algorithm is another one, or the payload is not an object. */
export const verifiedToken = async (token: string, { publicKey }: SigningKey): Promise<VerifiedToken | undefined> => {
  const [head = '', payload = '', signature = ''] = token.split('.');
  const header = objectIn(head);
  const claims = objectIn(payload);
  if (header?.['alg'] !== 'RS256' || claims === undefined) return undefined;
  const isRight = await crypto.subtle.verify(
    algorithm,
    publicKey.key,
    bytesOf(signature),
    Buffer.from(`${head}.${payload}`),
  );
  return isRight ? { header, claims } : undefined;
};

const encoded = (content: string | Uint8Array): string =>
  (typeof content === 'string' ? Buffer.from(content) : Buffer.from(content))
    .toString('base64')
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '');

const bytesOf = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (character) => character.charCodeAt(0));

const objectIn = (text: string): Claims | undefined => {
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(bytesOf(text)));
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
};
