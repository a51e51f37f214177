/** Holds an arriving body in memory as long as it is small. */

/** Bodies beyond this go to a file while they arrive. */
export const smallBytes = 256 * 1024;

/** A body in more chunks is not held, because each of them takes memory besides its bytes. */
const mostChunks = 64;

export type SmallBody = ReturnType<typeof createSmallBody>;

/**
 * The chunks stay as they came. A copy in one buffer would cost twice: large buffers that live shortly make the collector walk
 * over all records.
 */
export const createSmallBody = () => {
  let chunks: Uint8Array[] = [];
  let heldBytes = 0;
  return {
    chunks: (): readonly Uint8Array[] => chunks,
    /** The memory that the chunks keep: a chunk can be a part of a larger buffer. */
    heldBytes: () => heldBytes,
    /** Takes a chunk. Returns false when the body is no longer small; then it takes nothing. */
    add: (chunk: Uint8Array): boolean => {
      const isSmall = chunks.length < mostChunks && heldBytes + chunk.buffer.byteLength <= smallBytes;
      if (isSmall) {
        chunks.push(chunk);
        heldBytes += chunk.buffer.byteLength;
      }
      return isSmall;
    },
    /** Gives the chunks away. */
    release: (): readonly Uint8Array[] => {
      const released = chunks;
      chunks = [];
      heldBytes = 0;
      return released;
    },
  };
};
