/** Answers a call of a tool: checks its arguments, runs it, cuts a long answer, and turns every error into one with a remedy. */
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import { cutAnswer, maxAnswerBytes } from './cut-answer.ts';
import type { Session } from './session/session.ts';
import type { Tool } from './tool.ts';
import { refusalOf, ToolRefusal } from './tool-refusal.ts';

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
  throw new ToolRefusal(
    `The arguments of ${tool.name} are wrong. ${(validate.errors ?? []).slice(0, 5).map(sentenceOf).join(' ')}`,
    `The arguments are: ${names.join(', ')}. tools/list has their schema.`,
  );
};

const sentenceOf = ({ instancePath, message = 'is wrong', params }: ErrorObject): string => {
  const { additionalProperty, allowedValues } = params as { additionalProperty?: string; allowedValues?: unknown[] }; // of ajv
  const more = additionalProperty ?? allowedValues?.join(', ');
  return `${instancePath === '' ? '/' : instancePath} ${message}${more === undefined ? '' : `: ${more}`}.`;
};
