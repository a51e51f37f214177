/** Notes everything that requests make in the journal: the intent before a request, the id after its answer. */
import { canonicalPath, identityFields } from '../../../core/model/entity.ts';
import { valueOf } from '../../../exchange/wire-exchange.ts';
import type { Answer } from '../answer.ts';
import type { MakingWatch } from '../requests.ts';
import type { AskedRequest } from '../check.ts';
import { valueIn } from '../record-members.ts';
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

/** The file of an upload is noted as soon as it is there: a check may lead its media to another file, which is not the run's. */
export const createMakingWatch = (journal: Journal, fileOf: FileOfUpload): MakingWatch => ({
  before: async (request) => {
    const type = madeTypeOf(request);
    if (type === undefined) return undefined;
    const attempt = await journal.intent(type);
    return {
      made: async (answer) => {
        const made = madeBy(type, answer);
        if (made === undefined) return journal.refused(attempt);
        const isUpload = type === 'media' && request.method === 'PUT';
        await journal.made({ ...made, ...(isUpload ? { isUpload } : {}) }, attempt);
        const file = isUpload ? await fileOf(made) : undefined;
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

const addressOf = (type: MadeType): RegExp =>
  new RegExp(`${canonicalPath(type, 0).slice(0, -1)}(\\d+)${type === 'media' ? '(?:/edit)?' : ''}(?:[?#].*)?$`);

/** What a 201 has made, by its `Location` or else by its record. Undefined when it made nothing. */
export const madeBy = (type: MadeType, { status, json, header }: Answer): MadeEntity | undefined => {
  if (status !== 201) return undefined;
  const located = addressOf(type).exec(header('location') ?? '')?.[1];
  const id = located === undefined ? valueIn(json, identityFields[type].id) : Number(located);
  const uuid = valueIn(json, 'uuid');
  if (typeof id !== 'number') return undefined;
  return { type, id, ...(typeof uuid === 'string' ? { uuid } : {}) };
};
