/** The RSA key that tokens are signed with: read from a PEM or made. Where the PEM is kept is the caller's business. */
import type { KeyObject } from 'node:crypto';
import { createPrivateKey, createPublicKey, generateKeyPair } from 'node:crypto';
import { promisify } from 'node:util';

/** Both halves of the key. Always `KeyObject`s: a string could be taken for a shared secret. */
export type SigningKey = { readonly privateKey: KeyObject; readonly publicKey: KeyObject };

/** The key, made at the first call where there was none. */
export type SigningKeySource = () => Promise<SigningKey>;

const bits = 2048;

/**
 * The key of a PEM (PKCS 8 or PKCS 1). Throws an Error when it is no private RSA key or is shorter than 2048 bits
 * (RFC 7518 §3.3).
 */
export const readSigningKey = (pem: string): SigningKey => {
  const privateKey = createPrivateKey(pem);
  const length = privateKey.asymmetricKeyDetails?.modulusLength ?? 0;
  if (privateKey.asymmetricKeyType !== 'rsa' || length < bits) {
    throw new Error(`The key for tokens must be an RSA private key of at least ${bits} bits.`);
  }
  return { privateKey, publicKey: createPublicKey(privateKey) };
};

/** A key that exists already. */
export const givenSigningKey = (pem: string): SigningKeySource => {
  const key = readSigningKey(pem);
  return () => Promise.resolve(key);
};

/**
 * A key that is made at the first call and given to `save` as PKCS 8 PEM before it signs anything. A failed attempt
 * rejects; the next call tries again.
 */
export const generatedSigningKey = (save: (pem: string) => Promise<void>): SigningKeySource => {
  let made: Promise<SigningKey> | undefined;
  const make = async (): Promise<SigningKey> => {
    try {
      const key = await promisify(generateKeyPair)('rsa', { modulusLength: bits });
      await save(key.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString());
      return key;
    } catch (error) {
      made = undefined;
      throw error;
    }
  };
  return () => (made ??= make());
};
