/** What the report of a twin shows of two answers that differ. */
import { createTally } from '../../src/checks/twin/tally.ts';
import type { WireExchange } from '../../src/exchange/exchange.ts';

/** `published` are passwords that everybody may read. */
export const shownByTwin = (one: WireExchange, published: readonly string[]): unknown => {
  const tally = createTally(published);
  const text = Buffer.from(one.reply.body.kept).toString();
  const values = { target: text, atoll: one.reply.headers.map((line) => line.join(': ')).join('\n') };
  const operation = one.request.path.startsWith('/session') ? 'getSessionToken' : 'readNode';
  const judged = { ...values, class: 'new', because: '' } as const;
  const answered = { request: one.request, target: one.reply, atoll: one.reply, operation };
  tally.add(answered, [
    { ...judged, place: '/body' },
    { ...judged, place: '/headers/x-note', target: 'a' },
  ]);
  return tally.outcome();
};
