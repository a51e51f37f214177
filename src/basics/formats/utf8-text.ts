/** Reads bytes as text where they are text. */

/** The text of bytes that are UTF-8 without a NUL; undefined for others. Bytes that were cut off may end within a character. */
export const utf8Text = (bytes: Uint8Array, isWhole = true): string | undefined => {
  if (bytes.includes(0)) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes, { stream: !isWhole });
  } catch {
    return undefined;
  }
};
