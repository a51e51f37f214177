/** Signs tokens and verifies their signatures, with RSA and SHA-256 (RFC 7518 §3.3). `tokens.ts` judges what they say. */
import { lazyModule } from '../lazy-module.ts';
import { keyIdOf, type SigningKey } from './signing-key.ts';

/** The payload of a token. A claim may be any JSON. */
export type Claims = Readonly<Record<string, unknown>>;

/** What a token says whose signature is right. */
export type VerifiedToken = { readonly header: object; readonly claims: Claims };

/** Loads the library, which a start does not need. */
export const loadJsonWebToken = lazyModule(() => import('jsonwebtoken'), 'default');

/** The only algorithm that is accepted, whatever a token's header says (RFC 8725 §3.1). */
const algorithm = 'RS256';

/** `namesKey`: whether the head of the token names the key (`kid`). */
export const signedToken = async (
  claims: Claims,
  { privateKey, publicKey }: SigningKey,
  { namesKey }: { readonly namesKey: boolean },
): Promise<string> => {
  const { default: library } = await loadJsonWebToken();
  const head = { algorithm, ...(namesKey ? { keyid: keyIdOf(publicKey) } : {}) } as const;
  return library.sign(claims, privateKey, head);
};

/** Undefined when the signature is wrong or the payload is not an object. Times are not compared. */
export const verifiedToken = async (token: string, { publicKey }: SigningKey): Promise<VerifiedToken | undefined> => {
  const { default: library } = await loadJsonWebToken();
  try {
    const { header, payload } = library.verify(token, publicKey, {
      algorithms: [algorithm],
      ignoreExpiration: true,
      ignoreNotBefore: true,
      complete: true,
    });
    return typeof payload === 'string' ? undefined : { header, claims: payload };
  } catch (error) {
    // The library throws this class for everything that is wrong with a token.
    if (error instanceof library.JsonWebTokenError) return undefined;
    throw error;
  }
};
