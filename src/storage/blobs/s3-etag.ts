/** Compares the ETag of a stored S3 object with the bytes that were sent. */
import { createHash, type Hash } from 'node:crypto';

/** The MD5 of each part of a body, from which S3 makes the ETag. */
export type PartSums = { add(bytes: Uint8Array): void; digests(): readonly Buffer[] };

/** `partBytes`: the size of all parts but the last. */
export const createPartSums = (partBytes: number): PartSums => {
  const digests: Buffer[] = [];
  let open: Hash | undefined;
  let filled = 0;
  return {
    add: (bytes) => {
      for (let taken = 0; taken < bytes.byteLength;) {
        const part = bytes.subarray(taken, taken + partBytes - filled);
        open ??= createHash('md5');
        open.update(part);
        filled += part.byteLength;
        taken += part.byteLength;
        if (filled < partBytes) continue;
        digests.push(open.digest());
        open = undefined;
        filled = 0;
      }
    },
    digests: () => {
      const rest = open?.copy().digest();
      return rest === undefined ? digests : [...digests, rest];
    },
  };
};

/**
 * Whether the ETag can be the one of these bytes. An object that came in one request has the MD5 of its bytes; one that came
 * in parts has the MD5 of the parts' MD5s and their number. An ETag of another form says nothing, as with encryption.
 */
export const mayBeEtagOf = (sums: PartSums, etag: string): boolean => {
  const digests = sums.digests();
  const found = /^"?(?<md5>[0-9a-f]{32})(?:-(?<parts>\d+))?"?$/i.exec(etag)?.groups;
  if (found === undefined || Number(found['parts'] ?? 1) !== Math.max(1, digests.length)) return true;
  const all = Buffer.concat(digests);
  const [only = createHash('md5').digest()] = digests;
  const expected = found['parts'] === undefined ? only : createHash('md5').update(all).digest();
  return expected.toString('hex') === found['md5']?.toLowerCase();
};
