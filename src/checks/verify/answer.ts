/** An answer of the target as checks read it, and the sentences with which they fail or are skipped. */
import { keptText, headerValue, headerValues, type WireExchange } from '../../exchange/exchange.ts';
import { bareMediaType } from '../../openapi/openapi-terms.ts';
import { areEqual } from '../../basics/equal-values.ts';
import { parsedJson } from '../../basics/json.ts';
import { parseLinks } from '../../client/client.ts';
import { refusal, type Deviation } from '../differences/on-purpose.ts';

/**
 * Why a rule does not hold. The message is one sentence for people; values in it are short. `deviations`: what the answer has in the
 * place of what would pass, each of them enough.
 */
export class CheckFailure extends Error {
  override name = 'CheckFailure';
  readonly deviations: readonly Deviation[];

  constructor(message: string, deviations: readonly Deviation[] = []) {
    super(message);
    this.deviations = deviations;
  }
}

/** Why a check cannot be carried out here. It counts as skipped, never as passed. */
export class CheckSkip extends Error {
  override name = 'CheckSkip';
}

export const answerOf = (exchange: WireExchange, baseUrl: string) => {
  const { headers, status, body } = exchange.reply;
  const text = keptText(body);
  return {
    ...{ exchange, status, bytes: body.kept, text },
    /** Without parameters, in lower case. Empty when there is none. */
    mediaType: bareMediaType(headerValue(headers, 'content-type') ?? ''),
    /** The first value of a header, by its name in lower case. */
    header: (name: string): string | undefined => headerValue(headers, name),
    headers: (name: string): readonly string[] => headerValues(headers, name),
    /** The body as JSON. Undefined when it is none. */
    json: parsedJson(text),
    /** The links of the `Link` headers (RFC 8288), with absolute targets. */
    links: parseLinks(headerValues(headers, 'link').join(', '), baseUrl + exchange.request.path),
  };
};

export type Answer = Readonly<ReturnType<typeof answerOf>>;

/** A value as a message shows it: JSON of at most 120 characters. */
export const shown = (value: unknown): string => {
  const text = value === undefined ? 'nothing' : JSON.stringify(value);
  return text.length > 120 ? `${text.slice(0, 119)}…` : text;
};

/** Throws `CheckFailure` unless the status is one of these. */
export const expectStatus = (answer: Answer, ...allowed: readonly number[]): Answer => {
  if (allowed.includes(answer.status)) return answer;
  const { method, path } = answer.exchange.request;
  throw new CheckFailure(
    `${method} ${path} answered ${answer.status} in place of ${allowed.join(' or ')}.`,
    allowed.map((status) => deviation(answer, '/status', answer.status, status)),
  );
};

/** What an answer has in a place, and what the rule wants there. */
export const deviation = ({ exchange }: Answer, place: string, target: unknown, atoll: unknown): Deviation => ({
  exchange,
  difference: { place, target, atoll },
});

/** Throws `CheckFailure` unless a header, named as the document names it, has such a value. `wanted` is one. */
export const expectHeader = (
  answer: Answer,
  name: string,
  isRight: (value: string) => boolean,
  wanted = 'another one',
): void => {
  const value = answer.header(name.toLowerCase());
  if (isRight(value ?? '')) return;
  const { path } = answer.exchange.request;
  throw new CheckFailure(`${name} of ${path} is ${shown(value)}, not ${wanted}.`, [
    deviation(answer, `/headers/${name}`, value, wanted),
  ]);
};

export const expectType = (answer: Answer, type: string): void =>
  expectHeader(answer, 'Content-Type', (sent) => bareMediaType(sent) === bareMediaType(type), bareMediaType(type));

/** Throws `CheckFailure` unless it is a refusal with one of these statuses, and `{"message": …}` as its body. */
export const expectRefusal = (answer: Answer, ...allowed: readonly number[]): string => {
  expectStatus(answer, ...allowed);
  const { json } = answer;
  const message = typeof json === 'object' && json !== null && 'message' in json ? json.message : undefined;
  if (typeof message === 'string' && message !== '') return message;
  throw new CheckFailure(`The ${answer.status} has no JSON with a message, but ${shown(answer.text)}.`, [
    message === '' ? deviation(answer, '/body/message', '', '…') : deviation(answer, '/body', answer.text, refusal),
  ]);
};

/** Throws `CheckFailure` with this sentence unless the condition holds. */
export function expectThat(condition: boolean, sentence: string): asserts condition {
  if (!condition) throw new CheckFailure(sentence);
}

/** Throws `CheckFailure` unless the found value is the wanted one, as JSON. */
export const expectSame = (found: unknown, wanted: unknown, what = 'It'): void =>
  expectThat(areEqual(found, wanted), `${what} is ${shown(found)}, not ${shown(wanted)}.`);

/** Throws `CheckFailure` unless it is a refusal with this status whose message has these words. */
export const expectRefusalThatSays = (answer: Answer, status: number, words: string): void => {
  const message = expectRefusal(answer, status);
  expectThat(message.includes(words), `The message is ${shown(message)}, without ${shown(words)}.`);
};
