/** Notes everything that requests make in the journal: the intent before a request, the id after its answer. */
import { canonicalPath, identityOf } from '../../../repository/repository.ts';
import { headerValue } from '../../../exchange/exchange.ts';
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
  ['POST', /^\/entity\/redirect$/, 'redirect'],
];

/** Tells more of a media that an upload has just made, and its file, as far as they can be known. */
type ReadUpload = (media: MadeEntity) => Promise<readonly (MadeEntity | undefined)[]>;

/** What an upload has made is noted as soon as it is there: a check may change the media and lead it to another file. */
export const createMakingWatch = (journal: Journal, readUpload: ReadUpload): MakingWatch => ({
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
        for (const entity of isUpload ? await readUpload(made) : [])
          if (entity !== undefined) await journal.made(entity);
      },
    };
  },
});

/** A method in a header is one, too. */
const madeTypeOf = ({ method = 'GET', path, headers = [] }: AskedRequest): MadeType | undefined => {
  const named = (headerValue(headers, 'x-http-method-override') ?? method).toUpperCase();
  const address = (path.split('?', 1)[0] ?? '').replace(/\/+$/, '');
  return makingRequests.find(([each, pattern]) => (each === method || each === named) && pattern.test(address))?.[2];
};

const addressOf = (type: MadeType): RegExp =>
  new RegExp(`${canonicalPath(type, 0).slice(0, -1)}(\\d+)${type === 'media' ? '(?:/edit)?' : ''}(?:[?#].*)?$`);

/** What a 201 has made, by its `Location` or else by its record. Undefined when it made nothing. */
export const madeBy = (type: MadeType, { status, json, header }: Answer): MadeEntity | undefined => {
  if (status !== 201) return undefined;
  const located = addressOf(type).exec(header('location') ?? '')?.[1];
  const id = located === undefined ? valueIn(json, identityOf(type).id) : Number(located);
  const uuid = valueIn(json, 'uuid');
  if (typeof id !== 'number') return undefined;
  return { type, id, ...(typeof uuid === 'string' ? { uuid } : {}) };
};
