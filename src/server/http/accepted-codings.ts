/** Finds the content codings that a client takes, of those that files are kept in. */

/** The content codings of the copies that a file may have, the smallest first. */
export type ContentCoding = 'br' | 'gzip';

/** Those of our codings that the client takes (RFC 9110 §12.5.3). Only a weight of zero refuses one. */
export const acceptedCodings = (header = ''): readonly ContentCoding[] => {
  const accepted = new Set(
    header
      .toLowerCase()
      .split(',')
      .map((part) => part.split(';').map((word) => word.trim()))
      .filter(([, weight = 'q=1']) => !/^q=0(\.0*)?$/.test(weight))
      .map(([name]) => name),
  );
  return (['br', 'gzip'] as const).filter((coding) => accepted.has(coding));
};
