/** Reads or generates the RSA key that signs tokens, and writes its public half as a JSON Web Key. */
import { createHash, createPrivateKey, createPublicKey, generateKeyPair, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';

/** Always `KeyObject`s: the JWT library could mistake a string for a shared secret. */
export type SigningKey = { readonly privateKey: KeyObject; readonly publicKey: KeyObject };

/** Returns the same key at each call. */
export type SigningKeySource = () => Promise<SigningKey>;

const bits = 2048;

/**
 * A source for the key of a PEM (PKCS 8 or PKCS 1). Throws an Error when it is not a private RSA key of at least 2048 bits
 * (RFC 7518 §3.3).
 */
export const existingSigningKey = (pem: string): SigningKeySource => {
  const privateKey = createPrivateKey(pem);
  const length = privateKey.asymmetricKeyDetails?.modulusLength ?? 0;
  if (privateKey.asymmetricKeyType !== 'rsa' || length < bits) {
    throw new Error(`The key for tokens must be an RSA private key of at least ${bits} bits.`);
  }
  const key: SigningKey = { privateKey, publicKey: createPublicKey(privateKey) };
  return () => Promise.resolve(key);
};

/**
 * Generates a key at the first call and passes it to `save` as PKCS 8 PEM before it signs anything. When that fails, the call
 * rejects and the next one tries again.
 */
export const generatedSigningKey = (save: (pem: string) => Promise<void>): SigningKeySource => {
  let generated: Promise<SigningKey> | undefined;
  const generate = async (): Promise<SigningKey> => {
    try {
      const key = await promisify(generateKeyPair)('rsa', { modulusLength: bits });
      await save(key.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString());
      return key;
    } catch (error) {
      generated = undefined;
      throw error;
    }
  };
  return () => (generated ??= generate());
};

/** The public half of the key, as a JSON Web Key (RFC 7517). */
export type PublishedKey = {
  readonly kty: 'RSA';
  readonly kid: string;
  readonly use: 'sig';
  readonly alg: 'RS256';
  readonly n: string;
  readonly e: string;
};

/**
 * Takes the public key alone. Throws for any other: what of it could be published is secret. The id is made as the real site's
 * module makes it, from the text of the PEM.
 */
export const publishedKey = (publicKey: KeyObject): PublishedKey => {
  if (publicKey.type !== 'public' || publicKey.asymmetricKeyType !== 'rsa') {
    throw new Error('Only a public RSA key can be published.');
  }
  const { n = '', e = '' } = publicKey.export({ format: 'jwk' });
  return { kty: 'RSA', kid: keyIdOf(publicKey), use: 'sig', alg: 'RS256', n, e };
};

export const keyIdOf = (publicKey: KeyObject): string =>
  createHash('sha1')
    .update(publicKey.export({ type: 'spki', format: 'pem' }).toString().trim())
    .digest('hex');
