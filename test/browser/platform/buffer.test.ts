/** Bytes and texts without Node: read and written as by Node's own Buffer, broken texts too. */
import { Buffer as NodeBuffer } from 'node:buffer';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Buffer } from '../../../src/browser/platform/buffer.ts';

const encodings = ['utf8', 'latin1', 'base64', 'base64url', 'hex', 'ascii'] as const;
const bytes = fc.uint8Array({ maxLength: 200 });
/** Lone surrogates, too. */
const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 100 }),
  fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 40 }).map((units) => String.fromCharCode(...units)),
);
/** Mostly of the alphabets of base64, with what does not belong there. */
const base64 = fc.string({
  unit: fc.constantFrom('A', 'z', '0', '9', '+', '/', '-', '_', '=', ' ', '\n'),
  maxLength: 60,
});
const hexOf = (content: Uint8Array): string => NodeBuffer.from(content).toString('hex');

describe('A Buffer without Node', () => {
  it.each(encodings)('writes any bytes in %s as Node does', (encoding) => {
    fc.assert(
      fc.property(bytes, (content) => {
        expect(Buffer.from(content).toString(encoding)).toBe(NodeBuffer.from(content).toString(encoding));
      }),
    );
  });

  it.each(encodings)('writes a part in %s as Node does', (encoding) => {
    fc.assert(
      fc.property(bytes, fc.nat(200), fc.nat(200), (content, start, end) => {
        const part = NodeBuffer.from(content).toString(encoding, start, end);
        expect(Buffer.from(content).toString(encoding, start, end)).toBe(part);
      }),
    );
  });

  it('leaves a byte order mark where it is', () => {
    const marked = Uint8Array.from([0xef, 0xbb, 0xbf, 0x61]);
    expect(Buffer.from(marked).toString()).toBe(NodeBuffer.from(marked).toString());
    expect(Buffer.from(marked).toString()).toBe('\uFEFFa');
  });

  it.each(['utf8', 'latin1', 'ascii'] as const)('reads any text as %s as Node does', (encoding) => {
    fc.assert(
      fc.property(text, (content) => {
        expect(hexOf(Buffer.from(content, encoding))).toBe(hexOf(NodeBuffer.from(content, encoding)));
        if (encoding === 'utf8') expect(hexOf(Buffer.from(content))).toBe(hexOf(NodeBuffer.from(content)));
      }),
    );
  });

  it.each(['base64', 'base64url'] as const)('reads %s with spaces, of either alphabet, and cut short', (encoding) => {
    fc.assert(
      fc.property(bytes, (content) => {
        for (const written of ['base64', 'base64url'] as const) {
          const whole = NodeBuffer.from(content).toString(written);
          for (const given of [whole, ` ${whole}\n`, whole.replace(/=+$/, ''), whole.slice(0, -1)]) {
            expect(hexOf(Buffer.from(given, encoding))).toBe(hexOf(NodeBuffer.from(given, encoding)));
          }
        }
      }),
    );
  });

  it('counts the bytes of a text as Node does', () => {
    fc.assert(
      fc.property(text, (content) => {
        expect(Buffer.byteLength(content)).toBe(NodeBuffer.byteLength(content));
      }),
    );
  });

  it('joins, compares and searches as Node does', () => {
    fc.assert(
      fc.property(fc.array(bytes, { maxLength: 5 }), fc.uint8Array({ minLength: 1 }), (pieces, other) => {
        const [ours, theirs] = [Buffer.concat(pieces), NodeBuffer.concat(pieces)];
        expect(hexOf(ours)).toBe(hexOf(theirs));
        expect(ours.equals(Buffer.from(other))).toBe(theirs.equals(NodeBuffer.from(other)));
        expect(Buffer.compare(ours, other)).toBe(NodeBuffer.compare(theirs, other));
        const needle = other.subarray(0, 2);
        expect(ours.indexOf(Buffer.from(needle))).toBe(theirs.indexOf(needle));
        expect(ours.subarray(1, 9).toString('hex')).toBe(theirs.subarray(1, 9).toString('hex'));
      }),
    );
  });

  it('has the number at a place that Node has', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 8, maxLength: 8 }), (content) => {
        const [ours, theirs] = [Buffer.from(content), NodeBuffer.from(content)];
        expect(ours.readUInt32LE(0)).toBe(theirs.readUInt32LE(0));
        expect(ours.readUInt32BE(4)).toBe(theirs.readUInt32BE(4));
        expect(ours.readInt16BE(2)).toBe(theirs.readInt16BE(2));
      }),
    );
  });

  it('is made of a length and a filling, and of a part of a memory', () => {
    const memory = Uint8Array.from([1, 2, 3, 4, 5]).buffer;
    expect(hexOf(Buffer.alloc(4, 'ab'))).toBe(hexOf(NodeBuffer.alloc(4, 'ab')));
    expect(hexOf(Buffer.alloc(3))).toBe('000000');
    expect(hexOf(Buffer.from(memory, 1, 3))).toBe('020304');
    expect(Buffer.isBuffer(Buffer.alloc(1))).toBe(true);
    expect(Buffer.from('x')).toBeInstanceOf(Uint8Array);
  });

  // What Node does with letters in base64 that are of no alphabet: it leaves them out.
  it('reads letters of neither alphabet as Node does', () => {
    fc.assert(
      fc.property(base64, (content) => {
        expect(hexOf(Buffer.from(content, 'base64'))).toBe(hexOf(NodeBuffer.from(content, 'base64')));
      }),
    );
  });
});
