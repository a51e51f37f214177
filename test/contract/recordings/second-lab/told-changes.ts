/** Checks while recorded requests run that every accepted write stores each member as it was sent, or advises of it. */
import * as media from '../../../../handlers/media.ts';
import * as node from '../../../../handlers/node.ts';
import * as term from '../../../../handlers/term.ts';
import type { AnyHandler, Handlers } from '../../../../src/core/engine/handler.ts';
import type { Advice } from '../../../../src/core/model/advice.ts';
import type { Json, JsonObject } from '../../../../src/core/model/entity.ts';

/** The handlers of writes. They add a line to `untold` for each member that is neither stored as it was sent nor advised of. */
export const handlersThatTell = (untold: string[]): Partial<Handlers> => {
  const watched = (handler: unknown): unknown => watch(handler as AnyHandler, untold); // a handler of one operation
  const { createNode, updateNode } = node;
  const { createMedia, updateMedia, updateMediaByEditPath } = media;
  const { createTerm, updateTerm } = term;
  const writes = { createNode, updateNode, createMedia, updateMedia, updateMediaByEditPath, createTerm, updateTerm };
  return Object.fromEntries(Object.entries(writes).map(([id, handler]) => [id, watched(handler)]));
};

const watch =
  (handler: AnyHandler, untold: string[]): AnyHandler =>
  async (request, world, records) => {
    const told: Advice[] = [];
    const work = await handler({ ...request, advise: (advice) => void told.push(advice) }, world, records);
    return async (input) => {
      const reply = await work(input);
      const shown = reply.body as JsonObject; // writes answer with the record
      for (const line of untoldChanges(input.json as JsonObject, shown, told)) untold.push(line); // accepted bodies are objects
      return reply;
    };
  };

const untoldChanges = (sent: JsonObject, shown: JsonObject, told: readonly Advice[]): string[] => {
  const isTold = (pointer: string): boolean =>
    told.some((one) => `${pointer}/`.startsWith(`${one.pointer}/`) || one.pointer.startsWith(`${pointer}/`));
  return Object.entries(sent).flatMap(([name, value]) => {
    const stored = (shown[name] ?? []) as readonly JsonObject[]; // the shape of every record
    const pointer = `/requestBody/${name}`;
    if (typeof value !== 'object' || value === null) {
      const isKept = stored.some((item) => same(item['value'] ?? item['target_id'], value));
      return isKept || isEmptyOf(value, stored) || isTold(pointer) ? [] : [`${pointer} ${JSON.stringify(value)}`];
    }
    const items = Object.entries(value as JsonObject); // lists too
    const lost = items.length > stored.length && !isTold(pointer) ? [`${pointer}: fewer items`] : [];
    const members = items.flatMap(([key, item]) =>
      membersOf(item)
        .filter(
          ([property, one]) =>
            !stored.some((kept) => same(one, property === undefined ? mainOf(kept) : kept[property])),
        )
        .map(([property, one]) => ({
          at: [pointer, key, property].filter((step) => step !== undefined).join('/'),
          one,
        }))
        .filter(({ at }) => !isTold(at))
        .map(({ at, one }) => `${at} ${JSON.stringify(one)}`),
    );
    return [...lost, ...members];
  });
};

const isEmptyOf = (value: Json, stored: readonly JsonObject[]): boolean =>
  (value === null || value === '') && stored.every((item) => (mainOf(item) ?? '') === '');

const membersOf = (item: Json): readonly (readonly [string | undefined, Json])[] =>
  typeof item === 'object' && item !== null && !Array.isArray(item) ? Object.entries(item) : [[undefined, item]];

const mainOf = (item: JsonObject): Json | undefined => item['value'] ?? item['target_id'] ?? item['uri'];

const same = (a: Json | undefined, b: Json | undefined): boolean =>
  JSON.stringify(a ?? null) === JSON.stringify(b ?? null);
