/** Answers a call of a tool: checks its arguments, runs it, cuts a long answer, and turns every error into one with a remedy. */
import { withTexts } from '../basics/json.ts';
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import type { Session } from './session/session.ts';
import { refusalOf, ToolRefusal } from './tool-refusal.ts';
import type { Tool } from './tool.ts';

/** The longest answer, in bytes of its JSON. */
export const maxAnswerBytes = 8 * 1024;

/** What `rest` takes. */
const restBytes = 300;

type Answer = Readonly<Record<string, unknown>>;

/** `input` and `answer` are those of one call. Throws `ToolRefusal` for an offset behind the end. */
const cutAnswer = (tool: Tool, input: Answer, answer: Answer): Answer => {
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
    const short = withTexts(item, (text) => (text.length > longest ? `${text.slice(0, longest)}…` : text));
    if (sizeOf(short) < room) return short;
  }
  throw new ToolRefusal('One item of the answer is too long to show.', 'Ask for it with try_request and GET.');
};

/** The result of `tools/call`. */
type ToolResult = {
  readonly content: { readonly type: 'text'; readonly text: string }[];
  readonly structuredContent?: Record<string, unknown>;
  readonly isError?: true;
};

const ajv = new Ajv2020({ strict: false, allErrors: true });
const compiled = new Map<string, ValidateFunction>();

/** Never rejects. */
export const callTool = async (
  tool: Tool,
  given: Readonly<Record<string, unknown>>,
  session: Session,
  signal: AbortSignal,
): Promise<ToolResult> => {
  try {
    checkArguments(tool, given);
    const call = await session.call(signal);
    const answer = { ...cutAnswer(tool, given, { ...(await tool.run(given, call)) }) };
    const text = JSON.stringify(answer);
    if (Buffer.byteLength(text) > maxAnswerBytes) {
      throw new ToolRefusal('The answer is too long.', 'Ask for less: name one operation, one field, or one request.');
    }
    return { content: [{ type: 'text', text }], structuredContent: answer };
  } catch (error) {
    const { message, remedy } = refusalOf(error);
    return { isError: true, content: [{ type: 'text', text: `${message}\nRemedy: ${remedy}` }] };
  }
};

/** Throws `ToolRefusal` with what is wrong. */
const checkArguments = (tool: Tool, given: object): void => {
  const validate = compiled.get(tool.name) ?? ajv.compile(tool.input);
  compiled.set(tool.name, validate);
  if (validate(given)) return;
  const names = Object.keys(tool.input['properties'] as object); // the schema of an object
  const sentences = new Set((validate.errors ?? []).map((error) => sentenceOf(error, tool)));
  throw new ToolRefusal(
    `The arguments of ${tool.name} are wrong. ${[...sentences].slice(0, 5).join(' ')}`,
    `The arguments are: ${names.join(', ')}. tools/list has their schema.`,
  );
};

const sentenceOf = ({ instancePath, message = 'is wrong', params }: ErrorObject, { forms }: Tool): string => {
  const form = forms.get(instancePath.slice(1));
  if (form !== undefined) return `${instancePath}: ${form}`;
  const { additionalProperty, allowedValues } = params as { additionalProperty?: string; allowedValues?: unknown[] }; // of ajv
  const more = additionalProperty ?? allowedValues?.join(', ');
  return `${instancePath === '' ? '/' : instancePath} ${message}${more === undefined ? '' : `: ${more}`}.`;
};
