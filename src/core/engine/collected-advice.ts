/** Collects the advice of one request within limits, because traffic keeps it in memory. */
import type { Advice, Advise } from '../model/advice.ts';
import type { Json } from '../model/entity.ts';

/** The most advices of a request. A body can have thousands of items. */
const maxAdvice = 100;

/** The longest value, as JSON. A longer one becomes a text. */
const maxValueLength = 200;

/** Adds advices to a list until it is full. */
export const collectInto =
  (list: Advice[]): NonNullable<Advise> =>
  ({ pointer, sent, before, stored, reason }) => {
    if (list.length >= maxAdvice) return;
    list.push({ pointer, sent: short(sent), before: short(before), stored: short(stored), reason });
  };

const short = (value: Json | undefined): Json | undefined => {
  if (value === undefined) return undefined;
  const text = JSON.stringify(value);
  return text.length > maxValueLength ? `${text.slice(0, maxValueLength - 1)}…` : value;
};
