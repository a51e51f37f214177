/** Sends a request that changes something, and takes such requests back. */
import type { Acting } from '../api/acting.ts';
import { pathInWorld } from '../api/address.ts';
import { exchange, type PlainAsk } from '../api/exchange.ts';
import { contentHasChanged, queries } from '../api/queries.ts';
import { Refusal } from '../api/refusal.ts';
import { messageIn } from './message.ts';
import type { EntityType, JsonObject } from './model.ts';
import { summaryQuery } from './summary.ts';

/** The text of the reply. Throws the refusal. */
export const sendPlain = async (acting: Acting, ask: PlainAsk): Promise<string> => {
  const { status, text = '' } = await exchange(acting, ask);
  if (status >= 300) throw new Refusal(status, messageIn(text) || `HTTP ${status}`);
  return text;
};

/** The path of a record as JSON, with its query. Undefined for one that is not there. */
export const pathOfRecord = async (type: EntityType, id: string): Promise<string | undefined> => {
  const summary = await queries.query(summaryQuery(type, id));
  return summary === null ? undefined : pathInWorld(summary.url);
};

export const readRecord = async (acting: Acting, path: string): Promise<JsonObject> =>
  JSON.parse(await sendPlain(acting, { method: 'GET', path })) as JsonObject; // the document says so

export const deleteRecord = async (acting: Acting, type: EntityType, id: string): Promise<void> => {
  const path = await pathOfRecord(type, id);
  if (path !== undefined) await sendPlain(acting, { method: 'DELETE', path });
};

/** Sends what takes a change back, and shows the content as it is then. */
export const takeBack = async (work: () => Promise<unknown>, said: string): Promise<string> => {
  try {
    await work();
    return said;
  } finally {
    await contentHasChanged();
  }
};
