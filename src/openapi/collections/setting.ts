/** Reads `x-atoll-collection`, by which an author decides what a path is. */
import { isRecord } from '../../basics/json.ts';

/** `parent` is the member that has the id of the record above; `false`: the record above does not count. */
export type Setting =
  | false
  | {
      readonly name: string | undefined;
      readonly id: string | undefined;
      readonly items: string | undefined;
      readonly parent: string | false | undefined;
    };

const members: ReadonlySet<string> = new Set(['name', 'id', 'items', 'parent']);

/** A member that is not right is said, and does not count. */
export const readSetting = (
  written: unknown,
): { readonly setting?: Setting | undefined; readonly message?: string | undefined } => {
  if (written === false) return { setting: false };
  if (!isRecord(written))
    return { message: 'x-atoll-collection is false, or an object with name, id, items and parent.' };
  const unknown = Object.keys(written).find((name) => !members.has(name));
  const wrong = Object.entries(written).find(
    ([name, value]) => members.has(name) && !isText(value) && !(name === 'parent' && value === false),
  );
  const text = (name: string): string | undefined => (isText(written[name]) ? written[name] : undefined);
  const setting = {
    ...{ name: text('name'), id: text('id'), items: text('items') },
    parent: written['parent'] === false ? (false as const) : text('parent'),
  };
  if (unknown !== undefined)
    return {
      setting,
      message: `x-atoll-collection has no "${unknown.slice(0, 50)}": it has name, id, items and parent.`,
    };
  return wrong === undefined ? { setting } : { setting, message: `x-atoll-collection: ${wrong[0]} is a text.` };
};

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';
