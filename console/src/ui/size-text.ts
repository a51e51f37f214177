/** Writes a number of bytes for people. */

const units = ['bytes', 'KB', 'MB', 'GB'] as const;

/** 1024 bytes are 1 KB. */
export const sizeText = (bytes: number): string => {
  const step = Math.min(Math.floor(Math.log2(Math.max(bytes, 1)) / 10), units.length - 1);
  const amount = bytes / 1024 ** step;
  return `${amount.toLocaleString('en', { maximumFractionDigits: step === 0 ? 0 : 1 })} ${units[step]}`;
};
