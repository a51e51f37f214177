/** Replaces `access/signing-key.ts`: the RSA key that signs tokens, by Web Crypto. */
import { createHash } from './platform/crypto.ts';
import type { PublishedKey } from '../basics/secrets/signing-key.ts';

/** The key, with those forms of its public half that are asked for at once. */
export type SigningKey = { readonly privateKey: CryptoKey; readonly publicKey: PublicKey };

type PublicKey = { readonly key: CryptoKey; readonly jwk: JsonWebKey; readonly pem: string };

export type SigningKeySource = () => Promise<SigningKey>;

const algorithm = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' } as const;

/** A source for a kept key: the private half as a JSON Web Key (RFC 7517). */
export const existingSigningKey = (jwk: JsonWebKey): SigningKeySource => {
  let imported: Promise<SigningKey> | undefined;
  return () => (imported ??= importKey(jwk));
};

const importKey = async (jwk: JsonWebKey): Promise<SigningKey> => {
  const { kty, n, e } = jwk;
  const [privateKey, key] = await Promise.all([
    crypto.subtle.importKey('jwk', jwk, algorithm, true, ['sign']),
    crypto.subtle.importKey('jwk', { kty, n, e } as JsonWebKey, algorithm, true, ['verify']), // the public members
  ]);
  return { privateKey, publicKey: await publicForms(key) };
};

/** Generates a key at the first call, and passes it to `save` before it signs anything. */
export const generatedSigningKey = (save: (jwk: JsonWebKey) => Promise<void>): SigningKeySource => {
  let generated: Promise<SigningKey> | undefined;
  const generate = async (): Promise<SigningKey> => {
    try {
      const parameters = { ...algorithm, modulusLength: 2048, publicExponent: new Uint8Array([1, 0, 1]) };
      const { privateKey, publicKey } = await crypto.subtle.generateKey(parameters, true, ['sign', 'verify']);
      await save(await crypto.subtle.exportKey('jwk', privateKey));
      return { privateKey, publicKey: await publicForms(publicKey) };
    } catch (error) {
      generated = undefined;
      throw error;
    }
  };
  return () => (generated ??= generate());
};

const publicForms = async (key: CryptoKey): Promise<PublicKey> => {
  const [jwk, spki] = await Promise.all([crypto.subtle.exportKey('jwk', key), crypto.subtle.exportKey('spki', key)]);
  const lines = btoa(String.fromCharCode(...new Uint8Array(spki))).replace(/.{64}(?=.)/g, '$&\n');
  return { key, jwk, pem: `-----BEGIN PUBLIC KEY-----\n${lines}\n-----END PUBLIC KEY-----` };
};

export const publishedKey = (publicKey: PublicKey): PublishedKey => {
  const { n = '', e = '' } = publicKey.jwk;
  return { kty: 'RSA', kid: keyIdOf(publicKey), use: 'sig', alg: 'RS256', n, e };
};

/** As the real site's module makes it, from the text of the PEM. */
export const keyIdOf = ({ pem }: PublicKey): string => createHash('sha1').update(pem).digest('hex');
