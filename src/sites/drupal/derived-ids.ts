/** Derives uuids and numbers from names, so that each import of the same configuration makes the same ones. */
import { digest } from '../../basics/secrets/digest.ts';
import { derivedUuid } from '../../basics/secrets/derived-uuid.ts';

/** The uuid of the configuration when it has one in the usual form, else a derived one. */
export const uuidOr = (value: unknown, text: string): string => {
  const written = typeof value === 'string' ? value.toLowerCase() : '';
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(written) ? written : derivedUuid(text);
};

const firstId = 100_000;
const lastId = 999_999;

/** A free number of six digits that depends on the text, and on the others only if two meet. */
export const derivedId = (text: string, isTaken: (id: number) => boolean): number => {
  for (let attempt = 0; ; attempt += 1) {
    const drawn = Number.parseInt(digest('sha256', `${text}\n${attempt}`, 'hex').slice(0, 12), 16);
    const id = firstId + (drawn % (lastId - firstId + 1));
    if (!isTaken(id)) return id;
  }
};
