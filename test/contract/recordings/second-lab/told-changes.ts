/** Checks that an accepted write stores each member as it was sent, or advises of it. */
import { parsedJson, type Json, type JsonObject } from '../../../../src/basics/json.ts';
import { headerValues, type WireExchange } from '../../../../src/exchange/exchange.ts';

const writes =
  /^(?:POST|PATCH) \/(?:node|media|entity\/media|taxonomy\/term|entity\/taxonomy_term)(?:\/\d+(?:\/edit)?)?(?:\?|$)/;

/** A line for each member that is neither stored as it was sent nor advised of. Undefined when nothing was accepted. */
export const unadvisedChanges = ({ request, reply }: WireExchange): readonly string[] | undefined => {
  if (reply.status >= 300 || !writes.test(`${request.method} ${request.path}`)) return undefined;
  const [sent, shown] = [request, reply].map(({ body }) => parsedJson(Buffer.from(body.kept).toString()));
  // Another method may have been asked for in a header.
  if (reply.body.bytes === 0) return undefined;
  const told = headerValues(reply.headers, 'atoll-advice').flatMap((line) =>
    [...line.matchAll(/(?:^|, )"(\/[^"]*)"/g)].map(([, pointer = '']) => pointer),
  );
  return untoldChanges(sent as JsonObject, shown as JsonObject, told); // accepted bodies are objects, and writes answer with the record
};

const untoldChanges = (sent: JsonObject, shown: JsonObject, told: readonly string[]): string[] => {
  const isTold = (pointer: string): boolean =>
    told.some((one) => `${pointer}/`.startsWith(`${one}/`) || one.startsWith(`${pointer}/`));
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
