/** Archives of the format ustar, written and read apart from the program, so that both are held to the format. */

const block = 512;
const paddingOf = (size: number): number => (block - (size % block)) % block;

/** The header of a file. */
export const tarHeader = (name: string, size: number): Buffer => {
  const header = Buffer.alloc(block);
  const octal = (number: number, digits: number): string => `${number.toString(8).padStart(digits, '0')}\0`;
  header.write(name, 0);
  header.write(octal(0o644, 7), 100);
  header.write(octal(0, 7), 108);
  header.write(octal(0, 7), 116);
  header.write(octal(size, 11), 124);
  header.write(octal(0, 11), 136);
  header.write('        ', 148);
  header.write('0', 156);
  header.write('ustar\x0000', 257);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${octal(sum, 6)} `, 148);
  return header;
};

/** The blocks of a file. */
export const tarFile = (name: string, content: string | Uint8Array): readonly Buffer[] => {
  const bytes = Buffer.from(content);
  return [tarHeader(name, bytes.length), bytes, Buffer.alloc(paddingOf(bytes.length))];
};

/** What an archive ends with. */
export const tarEnd = (): Buffer => Buffer.alloc(2 * block);

/** The files of an archive, in their order. */
export const filesOfTar = (archive: Uint8Array): ReadonlyMap<string, Buffer> => {
  const bytes = Buffer.from(archive);
  const textAt = (at: number, length: number): string =>
    bytes
      .toString('latin1', at, at + length)
      .split('\0')[0]
      ?.trim() ?? '';
  const files = new Map<string, Buffer>();
  for (let at = 0; bytes[at] !== 0;) {
    const size = Number.parseInt(textAt(at + 124, 12), 8);
    files.set(textAt(at, 100), bytes.subarray(at + block, at + block + size));
    at += block + size + paddingOf(size);
  }
  return files;
};
