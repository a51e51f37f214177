/** Collects the advices of a request, as many and as long as somebody reads. */
import type { Json } from '../../basics/json.ts';
import type { Advice, Advise } from './advice.ts';
import type { PlainRequest } from './exchange.ts';

/** Takes the advices of a request where somebody listens. */
export const adviceOf = (
  { observations }: PlainRequest,
  { adviceHeader }: { readonly adviceHeader?: boolean | undefined },
  advice: Advice[],
): Advise => (observations === undefined && adviceHeader !== true ? undefined : collectInto(advice));

/** The most advices of a request. A body can have thousands of items. */
const maxAdvice = 100;

/** The longest value, as JSON. A longer one becomes a text. */
const longestValue = 200;

/** Adds advices to a list until it is full. */
const collectInto =
  (list: Advice[]): NonNullable<Advise> =>
  ({ pointer, sent, before, stored, reason }) => {
    if (list.length >= maxAdvice) return;
    list.push({ pointer, sent: short(sent), before: short(before), stored: short(stored), reason });
  };

const short = (value: Json | undefined): Json | undefined => {
  if (value === undefined) return undefined;
  const text = JSON.stringify(value);
  return text.length > longestValue ? `${text.slice(0, longestValue - 1)}…` : value;
};
