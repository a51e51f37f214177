/** Unpacks PackBits and LZW as TIFF 6.0 has them. Neither gives more bytes than it is asked for. */

/** 9: PackBits. A byte says how many follow as they are, or how often the next one comes. */
export const unpackBits = (packed: Uint8Array, length: number): Uint8Array => {
  const unpacked = new Uint8Array(length);
  let filled = 0;
  for (let at = 0; at < packed.length && filled < length;) {
    const head = ((packed[at] ?? 0) << 24) >> 24;
    at += 1;
    if (head >= 0) {
      const literal = packed.subarray(at, at + Math.min(head + 1, length - filled));
      unpacked.set(literal, filled);
      filled += literal.length;
      at += head + 1;
    } else if (head !== -128) {
      const end = Math.min(length, filled + 1 - head);
      unpacked.fill(packed[at] ?? 0, filled, end);
      filled = end;
      at += 1;
    }
  }
  return unpacked;
};

const clear = 256;
const end = 257;
const mostCodes = 4096;

/** 13: LZW. Codes of 9 to 12 bits, the highest bit first; a code is a text that was unpacked before, and the byte after it. */
export const unpackLzw = (packed: Uint8Array, length: number): Uint8Array => {
  const unpacked = new Uint8Array(length);
  // Where the text of each code lies in what is unpacked.
  const starts = new Uint32Array(mostCodes);
  const lengths = new Uint32Array(mostCodes);
  let [filled, next, width, previous] = [0, end + 1, 9, clear];
  let [held, heldBits] = [0, 0];
  for (const byte of packed) {
    held = ((held << 8) | byte) & 0xff_ffff;
    heldBits += 8;
    if (heldBits < width) continue;
    heldBits -= width;
    const code = (held >> heldBits) & (2 ** width - 1);
    if (code === end || filled >= length) break;
    if (code === clear) {
      [next, width, previous] = [end + 1, 9, clear];
      continue;
    }
    const start = filled;
    if (code < clear) {
      unpacked[filled] = code;
      filled += 1;
    } else if (previous === clear || code > next || (code === next && next >= mostCodes)) {
      throw new RangeError('The data of the LZW are damaged.');
    } else {
      // The newest code is the text of the one before, and the first byte of it.
      const from = starts[code === next ? previous : code] ?? 0;
      const count = code === next ? (lengths[previous] ?? 0) + 1 : (lengths[code] ?? 0);
      for (let at = 0; at < count && filled < length; at += 1, filled += 1) unpacked[filled] = unpacked[from + at] ?? 0;
    }
    if (previous !== clear && next < mostCodes) {
      starts[next] = starts[previous] ?? 0;
      lengths[next] = (lengths[previous] ?? 0) + 1;
      next += 1;
    }
    starts[code] = start;
    lengths[code] = filled - start;
    previous = code;
    if (next + 1 >= 2 ** width && width < 12) width += 1;
  }
  return unpacked;
};
