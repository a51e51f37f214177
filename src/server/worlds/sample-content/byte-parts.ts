/** Puts numbers and texts together to the bytes of a file. */

/** Numbers of 8 bits. */
export const u8 = (...values: readonly number[]): Buffer => Buffer.from(values);

/** Numbers of 32 bits, the high byte first. */
export const u32 = (...values: readonly number[]): Buffer => {
  const bytes = Buffer.alloc(values.length * 4);
  values.forEach((value, at) => bytes.writeUInt32BE(value >>> 0, at * 4));
  return bytes;
};

/** Characters of one byte each. */
export const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1');
