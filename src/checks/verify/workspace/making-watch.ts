/** Notes everything that requests make in the journal: the intent before a request, the id after its answer. */
import { valueOf } from '../../../exchange/wire-exchange.ts';
import type { Answer } from '../answer.ts';
import type { MakingWatch } from '../requests.ts';
import type { AskedRequest } from '../check.ts';
import { firstMember } from '../record-members.ts';
import type { Journal, MadeEntity, MadeType } from './journal.ts';

const makingRequests: readonly (readonly [method: string, path: RegExp, type: MadeType])[] = [
  ['POST', /^\/node$/, 'node'],
  ['POST', /^\/entity\/media$/, 'media'],
  ['PUT', /^\/node\/[^/]+\/media\//, 'media'],
  ['POST', /^\/file\/upload\//, 'file'],
  ['POST', /^\/taxonomy\/term$/, 'taxonomy_term'],
];

/** Tells the file of a media that an upload has just made. Undefined when it cannot be known. */
export type FileOfUpload = (media: MadeEntity) => Promise<MadeEntity | undefined>;

/**
 * `journalOf` is asked at each request: the journal may begin later. The file of an upload is noted at once: a check may lead its
 * media to another file, which is not the run's.
 */
export const createMakingWatch = (journalOf: () => Journal | undefined, fileOf: FileOfUpload): MakingWatch => ({
  before: async (request) => {
    const journal = journalOf();
    const type = madeTypeOf(request);
    if (journal === undefined || type === undefined) return undefined;
    const attempt = await journal.intent(type);
    return {
      made: async (answer) => {
        const made = madeBy(type, answer);
        const isUpload = type === 'media' && request.method === 'PUT';
        await (made === undefined
          ? journal.refused(attempt)
          : journal.made({ ...made, ...(isUpload ? { isUpload } : {}) }, attempt));
        const file = made === undefined || !isUpload ? undefined : await fileOf(made);
        if (file !== undefined) await journal.made(file);
      },
    };
  },
});

/** A method in a header is one, too. */
const madeTypeOf = ({ method = 'GET', path, headers = [] }: AskedRequest): MadeType | undefined => {
  const named = (valueOf(headers, 'x-http-method-override') ?? method).toUpperCase();
  const address = (path.split('?', 1)[0] ?? '').replace(/\/+$/, '');
  return makingRequests.find(([each, pattern]) => (each === method || each === named) && pattern.test(address))?.[2];
};

const addresses: Readonly<Record<MadeType, RegExp>> = {
  node: /\/node\/(\d+)(?:[?#].*)?$/,
  media: /\/media\/(\d+)(?:\/edit)?(?:[?#].*)?$/,
  file: /\/entity\/file\/(\d+)(?:[?#].*)?$/,
  taxonomy_term: /\/taxonomy\/term\/(\d+)(?:[?#].*)?$/,
};

const idFields: Readonly<Record<MadeType, string>> = { node: 'nid', media: 'mid', file: 'fid', taxonomy_term: 'tid' };

/** What a 201 has made, by its `Location` or else by its record. Undefined when it made nothing. */
export const madeBy = (type: MadeType, { status, json, header }: Answer): MadeEntity | undefined => {
  if (status !== 201) return undefined;
  const located = addresses[type].exec(header('location') ?? '')?.[1];
  const id = located === undefined ? firstMember(json, idFields[type]) : Number(located);
  const uuid = firstMember(json, 'uuid');
  if (typeof id !== 'number') return undefined;
  return { type, id, ...(typeof uuid === 'string' ? { uuid } : {}) };
};
