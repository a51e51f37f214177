/** Keeps answers short: cuts the one long member of an answer, and says how to get the rest. */
import type { Tool } from './tool.ts';
import { ToolRefusal } from './tool-refusal.ts';

/** The longest answer, in bytes of its JSON. */
export const maxAnswerBytes = 8 * 1024;

/** What `rest` takes. */
const restBytes = 300;

type Answer = Readonly<Record<string, unknown>>;

/** `input` and `answer` are those of one call. Throws `ToolRefusal` for an offset behind the end. */
export const cutAnswer = (tool: Tool, input: Answer, answer: Answer): Answer => {
  const { long } = tool;
  const whole = long === undefined ? undefined : answer[long];
  if (long === undefined || (typeof whole !== 'string' && !Array.isArray(whole))) return answer;
  const items: Sliced = typeof whole === 'string' ? Array.from(whole) : whole;
  const offset = Number(input['offset'] ?? 0);
  if (offset > 0 && offset >= items.length) {
    throw new ToolRefusal(`There is nothing at offset ${offset}.`, `The end is at ${items.length}.`);
  }
  const isText = typeof whole === 'string';
  const joined = (part: Sliced): unknown => (isText ? part.join('') : part);
  const wanted = items.slice(offset);
  if (sizeOf({ ...answer, [long]: joined(wanted) }) <= maxAnswerBytes) return { ...answer, [long]: joined(wanted) };
  const room = maxAnswerBytes - sizeOf({ ...answer, [long]: joined([]) }) - restBytes;
  const count = fitting(wanted, room, isText);
  const shown = count === 0 ? wanted.slice(0, 1).map((item) => shortened(item, room)) : wanted.slice(0, count);
  const left = wanted.length - shown.length;
  const refusal = tool.refuseRest(input);
  const next = {
    offset: offset + shown.length,
    left,
    how: `Call ${tool.name} again with the same arguments and this offset.`,
  };
  const last = { left, how: 'A text of this item was shortened to "…". try_request with GET has the whole record.' };
  const rest = left === 0 ? last : refusal === undefined ? next : { left, how: refusal };
  return { ...answer, [long]: joined(shown), rest };
};

type Sliced = readonly unknown[];

const sizeOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

/** How many items fit. */
const fitting = (items: Sliced, room: number, isText: boolean): number => {
  let used = 0;
  let count = 0;
  for (const item of items) {
    // A character needs no quotes of its own, an item of a list a comma.
    used += sizeOf(item) + (isText ? -2 : 1);
    if (used > room) return count;
    count += 1;
  }
  return count;
};

/** The item with its long texts cut, so that it fits. */
const shortened = (item: unknown, room: number): unknown => {
  for (let longest = 2048; longest >= 16; longest /= 2) {
    const short = withShortTexts(item, longest);
    if (sizeOf(short) < room) return short;
  }
  throw new ToolRefusal('One item of the answer is too long to show.', 'Ask for it with try_request and GET.');
};

const withShortTexts = (value: unknown, longest: number): unknown => {
  if (typeof value === 'string') return value.length > longest ? `${value.slice(0, longest)}…` : value;
  if (Array.isArray(value)) return value.map((each) => withShortTexts(each, longest));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, withShortTexts(each, longest)]));
};
