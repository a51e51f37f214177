/** Finds out whether an answer breaks a rule because a real site differs from Atoll on purpose: such an answer breaks none. */
import { keptText, type WireExchange, type WireReply } from '../../exchange/exchange.ts';
import { parsedJson } from '../../basics/json.ts';
import { readPointer, valueAt } from '../../basics/json-pointer.ts';
import type { Difference } from '../compare/difference.ts';
import type { ExplainedViolation } from '../../contract/contract.ts';
import { createExplain } from './explain.ts';
import type { DeliberateDifference } from './read-differences.ts';

/** What an answer has, as `target`, and what the rule wants there, as `atoll`. */
export type Deviation = { readonly exchange: WireExchange; readonly difference: Difference };

export type OnPurpose = {
  /** The row of `data/differences.yml` that explains a deviation. */
  readonly explains: (deviation: Deviation) => DeliberateDifference | undefined;
  /** The row that a rule is about: its source ends with the name of the page and the beginning of the question. */
  readonly about: (source: string) => DeliberateDifference | undefined;
};

const page = 'docs/use/differences.md: ';

/** The beginning of the question of a row. Undefined for a source that is none. */
export const questionIn = (source: string): string | undefined => source.split(page)[1];

/** The rows hold for a real site alone: anybody else's server has to do what the contract says. */
export const createOnPurpose = (rows: readonly DeliberateDifference[]): OnPurpose => {
  const explain = createExplain(rows);
  return {
    explains: ({ exchange, difference }) =>
      explain({
        ...{ request: exchange.request, target: exchange.reply, operation: '' },
        atoll: wantedReply(exchange.reply, difference),
      })(difference),
    about: (source) => {
      const asked = questionIn(source);
      return asked === undefined ? undefined : rows.find(({ question }) => question.startsWith(asked));
    },
  };
};

/** The answer that the rule wants, as far as it says: a refusal has a sentence as its message. */
const wantedReply = (reply: WireReply, { place, atoll }: Difference): WireReply => {
  const status = place === '/status' ? Number(atoll) : reply.status;
  const isRefusal = status >= 400 || place.startsWith('/headers/');
  const kept = Buffer.from(isRefusal ? refusal : '');
  return { ...reply, status, headers: [], body: { ...reply.body, kept } };
};

/** What stands for a refusal of Atoll, whose words a check does not know. */
export const refusal = '{"message":"…"}';

/** What an answer has that the document does not allow, as a difference from an answer that keeps it. */
export const deviationIn = (
  { rule, pointer }: Pick<ExplainedViolation, 'rule' | 'pointer'>,
  exchange: WireExchange,
): Deviation => {
  const { status, headers, body } = exchange.reply;
  const [, part, name = ''] = pointer.split('/');
  const sent = headers.find(([each]) => each.toLowerCase() === name.toLowerCase())?.[1];
  const difference = (): Difference => {
    if (rule === 'content') return { place: '/headers/Content-Type', target: sent, atoll: 'application/json' };
    if (part === 'headers') return { place: pointer, target: sent, atoll: name === 'Link' ? alternate : '' };
    const value = part === 'body' ? valueAt(parsedJson(keptText(body)), readPointer(pointer).slice(1)) : undefined;
    return { place: pointer, target: part === 'status' ? status : value, atoll: undefined };
  };
  return { exchange, difference: difference() };
};

/** A link of the kind that each answer of Atoll in another format has. */
const alternate = '<http://localhost/>; rel="alternate"; type="application/json"';
