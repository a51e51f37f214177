/** Compares the bytes of a whole blob with its hash while they are read, once for each change of the file. */
import { createHash } from 'node:crypto';
import { pipeline, Transform, type Readable } from 'node:stream';
import type { BigIntStats } from 'node:fs';
import type { BlobReference } from '../../core/model/entity.ts';
import { bytesChangedCode } from './bytes-changed.ts';

/** How many blobs are remembered. Of more, the first is forgotten and compared anew. */
const remembered = 10_000;

/** What was found out about a file, and which state of the file that was. */
type Finding = { readonly isWhole: boolean; readonly inode: bigint; readonly changed: bigint };

export type VerifiedBlobs = ReturnType<typeof createVerifiedBlobs>;

/** `onDamage` is called for each blob whose bytes are not the stored ones. */
export const createVerifiedBlobs = (onDamage: (blob: BlobReference) => void) => {
  const findings = new Map<string, Finding>();
  const note = (blob: BlobReference, stats: BigIntStats, isWhole: boolean): void => {
    const [oldest] = findings.keys();
    if (findings.size >= remembered && oldest !== undefined) findings.delete(oldest);
    findings.set(blob.key, { isWhole, inode: stats.ino, changed: stats.ctimeNs });
    if (!isWhole) onDamage(blob);
  };
  return {
    /** What is known of a file that has not changed since: whole or not. Undefined when it was not compared yet. */
    known: ({ key }: BlobReference, stats: BigIntStats): boolean | undefined => {
      const finding = findings.get(key);
      return finding?.inode === stats.ino && finding.changed === stats.ctimeNs ? finding.isWhole : undefined;
    },
    /** The same bytes. When they are not the stored ones, the stream ends with an error in place of its last chunk. */
    compare: (source: Readable, blob: BlobReference, stats: BigIntStats): Readable => {
      const sum = createHash('sha256');
      let last: Buffer | undefined;
      const compared = new Transform({
        readableHighWaterMark: 256 * 1024,
        writableHighWaterMark: 256 * 1024,
        transform: (chunk: Buffer, _encoding, done) => {
          sum.update(chunk);
          const before = last;
          last = chunk;
          done(null, before);
        },
        flush: (done) => {
          const isWhole = sum.digest('hex') === blob.sha256;
          note(blob, stats, isWhole);
          if (isWhole) done(null, last);
          else
            done(Object.assign(new Error('The bytes are not the ones that were stored.'), { code: bytesChangedCode }));
        },
      });
      // The error reaches the reader of the result.
      return pipeline(source, compared, () => undefined);
    },
  };
};
