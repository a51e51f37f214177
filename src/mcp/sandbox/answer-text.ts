/** Shows the answer to a request without secrets: its head, its message, and its body. */
import { valueAt } from '../../basics/json-pointer.ts';
import { parsedJson } from '../../basics/json.ts';
import { shownReply } from '../../exchange/exchange.ts';
import type { TrafficExchange } from '../../exchange/exchange-worlds.ts';
import type { SandboxAnswer } from './sandbox-request.ts';

/** Shows violations in an answer of a tool: short, and with the line of the rule. */
type Violation = TrafficExchange['requestFaults'][number];

/** Of very many the first ones. */
const most = 10;

export const shownViolations = (violations: readonly Violation[]) =>
  violations.slice(0, most).map(({ rule, pointer, message, arrived, document }) => ({
    ...{ rule, pointer, message: inBrief(message) },
    arrived: arrived && inBrief(arrived, 120),
    line: document?.line,
  }));

/** Headers that say nothing about the interface. */
const plain =
  /^(date|connection|keep-alive|vary|x-content-type-options|x-frame-options|content-security-policy|referrer-policy|cross-origin-.*|access-control-.*|permissions-policy|x-generator|x-ua-compatible)$/;

/** Without secrets. */
export const headersOf = (answer: SandboxAnswer): Record<string, string> => {
  const shown = Object.entries(withoutSecrets(answer).headers()).filter(([name]) => !plain.test(name));
  return Object.fromEntries(shown.map(([name, value]) => [name, headerText(name, [value].flat().join(', '))]));
};

const headerText = (name: string, value: string): string =>
  name === 'link' && value.length > longestLinks
    ? `${value.slice(0, longestLinks)}… (follow_link lists all)`
    : inBrief(value);

/** In characters. */
const longestLinks = 600;

/** The message of a refusal. */
export const messageIn = ({ bytes }: SandboxAnswer): string | undefined => {
  const message = valueAt(parsedJson(bytes.toString()), ['message']);
  return typeof message === 'string' ? message : undefined;
};

export const inBrief = (text: string, longest = 300): string =>
  text.length > longest ? `${text.slice(0, longest)}…` : text;

/** The text of a body. Undefined for bytes that are none. */
export const textOf = (answer: SandboxAnswer, operation: string | undefined): string | undefined => {
  const type = answer.headers.get('content-type') ?? '';
  if (answer.bytes.length === 0 || !/^text\/|json|xml|javascript/.test(type)) return undefined;
  return withoutSecrets(answer).text(operation);
};

const withoutSecrets = ({ headers, bytes }: SandboxAnswer) =>
  shownReply({ headers: [...headers], text: bytes.toString() });
