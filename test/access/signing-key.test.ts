/** The key that signs tokens: made, read, refused. */
import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { generatedSigningKey, existingSigningKey } from '../../src/basics/secrets/signing-key.ts';

describe('the signing key', () => {
  it('is made once, saved as PEM, and is the same when read again', async () => {
    const saved: string[] = [];
    const source = generatedSigningKey((pem) => Promise.resolve(void saved.push(pem)));
    const [first, second] = await Promise.all([source(), source()]);
    expect(second).toBe(first);
    expect(saved).toHaveLength(1);
    const again = await existingSigningKey(saved[0] ?? '')();
    expect(again.publicKey.equals(first.publicKey)).toBe(true);
    expect(again.privateKey.type).toBe('private');
  });

  it('is tried again after it could not be saved', async () => {
    let attempts = 0;
    const source = generatedSigningKey(() => {
      attempts += 1;
      return attempts === 1 ? Promise.reject(new Error('disk full')) : Promise.resolve();
    });
    await expect(source()).rejects.toThrow('disk full');
    expect((await source()).publicKey.type).toBe('public');
  });

  it('A18: is refused when it is no private RSA key of 2048 bits', () => {
    const short = generateKeyPairSync('rsa', { modulusLength: 1024 }).privateKey;
    const curve = generateKeyPairSync('ed25519').privateKey;
    for (const key of [short, curve]) {
      const pem = key.export({ type: 'pkcs8', format: 'pem' }).toString();
      expect(() => existingSigningKey(pem)).toThrow('at least 2048 bits');
    }
    expect(() => existingSigningKey('secret')).toThrow();
  });
});
