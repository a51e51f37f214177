/** Hashes, keys and random values without Node: those of Node on the same content. */
import * as node from 'node:crypto';
import { promisify } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import * as own from '../../../src/browser/platform/crypto.ts';

const names = ['sha256', 'sha512', 'sha1', 'md5'] as const;
const encodings = ['hex', 'base64', 'base64url'] as const;
const content = fc.oneof(fc.string({ unit: 'binary', maxLength: 300 }), fc.uint8Array({ maxLength: 300 }));

describe('Without Node', () => {
  it.each(names)('%s of any content is that of Node, in each encoding and in pieces', (name) => {
    fc.assert(
      fc.property(fc.array(content, { maxLength: 4 }), fc.constantFrom(...encodings), (pieces, encoding) => {
        const [expected, sum] = [node.createHash(name), own.createHash(name)];
        for (const piece of pieces) {
          expected.update(piece);
          sum.update(piece);
        }
        expect(sum.digest(encoding)).toBe(expected.digest(encoding));
        const [piece = ''] = pieces;
        expect(own.hash(name, piece, encoding)).toBe(node.createHash(name).update(piece).digest(encoding));
      }),
    );
  });

  it.each(names)('%s with a key is that of Node, with keys shorter and longer than a block', (name) => {
    const key = fc.oneof(content, fc.uint8Array({ minLength: 60, maxLength: 200 }));
    fc.assert(
      fc.property(key, content, (secret, piece) => {
        const expected = node.createHmac(name, secret).update(piece).digest('base64');
        expect(own.createHmac(name, secret).update(piece).digest('base64')).toBe(expected);
        expect(own.createHmac(name, secret).update(piece).digest().toString('base64')).toBe(expected);
      }),
    );
  });

  it('a password gives the key that Node derives', async () => {
    type Scrypt = (
      password: string,
      salt: Uint8Array,
      length: number,
      cost: { N: number; r: number; p: number; maxmem: number },
    ) => Promise<Uint8Array>;
    const [expected, derive] = [promisify(node.scrypt) as Scrypt, promisify(own.scrypt) as Scrypt];
    for (const [N, r, p] of [
      [2, 1, 1],
      [1024, 8, 1],
      [256, 4, 3],
    ] as const) {
      for (const password of ['islandora', '', 'pä 😀 ß']) {
        const salt = node.randomBytes(16);
        const cost = { N, r, p, maxmem: 64 * 1024 * 1024 };
        const [ours, theirs] = await Promise.all([
          derive(password, salt, 32, cost),
          expected(password, salt, 32, cost),
        ]);
        expect(Buffer.from(ours).toString('hex')).toBe(Buffer.from(theirs).toString('hex'));
      }
    }
  });

  it('parameters that scrypt does not allow reject', async () => {
    const derive = promisify(own.scrypt) as (...all: unknown[]) => Promise<unknown>;
    await expect(derive('x', new Uint8Array(16), 32, { N: 3, r: 8, p: 1 })).rejects.toThrow(Error);
    await expect(derive('x', new Uint8Array(16), 32, { N: 1024, r: 8, p: 1, maxmem: 1 })).rejects.toThrow(Error);
  });

  it('secrets are compared as Node does', () => {
    const bytes = fc.uint8Array({ minLength: 4, maxLength: 4, max: 3 });
    fc.assert(
      fc.property(bytes, bytes, (a, b) => {
        expect(own.timingSafeEqual(a, b)).toBe(node.timingSafeEqual(a, b));
        expect(own.timingSafeEqual(a, Uint8Array.from(a))).toBe(true);
      }),
    );
    expect(() => own.timingSafeEqual(new Uint8Array(1), new Uint8Array(2))).toThrow(RangeError);
  });

  it('random values have their length and differ, and uuids have the form of Node', () => {
    expect([0, 1, 16, 1000].map((size) => own.randomBytes(size).length)).toEqual([0, 1, 16, 1000]);
    expect(own.randomBytes(32).equals(own.randomBytes(32))).toBe(false);
    const form = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
    const uuids = Array.from({ length: 500 }, () => own.randomUUID());
    expect(uuids.filter((uuid) => !form.test(uuid))).toEqual([]);
    expect(node.randomUUID()).toMatch(form);
    expect(new Set(uuids).size).toBe(500);
    expect(new Set(uuids.map((uuid) => uuid.charAt(19)))).toEqual(new Set(['8', '9', 'a', 'b']));
  });
});
