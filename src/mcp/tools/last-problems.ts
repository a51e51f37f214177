/** `last_problems`: what went wrong last in a world, or one request as a whole. */
import type { TrafficExchange, TrafficPage, TrafficQuery } from '../../exchange/exchange-worlds.ts';
import { anyObject, choice, list, optional, structure, text, whole } from '../shape.ts';
import { dataNotice, notice, defineTool } from '../tool.ts';
import { inBrief, shownViolations } from '../sandbox/answer-text.ts';
import { violationShape, worldName } from '../sandbox/sandbox-request.ts';

export const lastProblems = defineTool({
  name: 'last_problems',
  title: 'Last problems',
  description:
    'The last requests of a world that went wrong, the newest first: what in each broke the contract, the rule with its line in openapi.yaml, and a curl command that is right. With "request" one request with headers and bodies. Look here after your client ran.',
  hints: { readOnly: true },
  input: structure({
    world: optional(worldName),
    show: optional(
      choice(
        ['refused', 'broken', 'lenient', 'advice', 'all'],
        'refused: answers from 400 on (when left out). broken: requests that break the contract. lenient: accepted although they do. advice: not stored as sent.',
      ),
    ),
    operation: optional(text('Only of this operation.', { maxLength: 100 })),
    since: optional(whole('Only requests after the one with this id.', { minimum: 0 })),
    request: optional(whole('The id of one request.', { minimum: 1 })),
  }),
  output: structure({
    world: text('The world.'),
    found: whole('How many requests fit.'),
    notice,
    data: list(
      structure({
        id: optional(whole('The id of a request.')),
        request: optional(text('Its method and path.')),
        operation: optional(text('The id of the operation.')),
        account: optional(text('The account that sent it.')),
        status: optional(whole('What it was answered.')),
        verdict: optional(text('Whether it kept the contract: kept, lenient or broken.')),
        violations: optional(list(violationShape, 'What broke the contract.')),
        notStoredAsSent: optional(list(text('What, and why.'), 'Parts that were accepted and not stored.')),
        curl: optional(text('A command that asks for the same and keeps the contract.')),
        requestHeaders: optional(anyObject('The headers of the request.')),
        requestBody: optional(text('A piece of its body.')),
        answerHeaders: optional(anyObject('The headers of the answer.')),
        answerBody: optional(text('A piece of its body.')),
      }),
      'Requests, or the parts of the one that was asked for.',
    ),
  }),
  long: 'data',
  run: async ({ world: name, show = 'refused', operation, since, request }, call) => {
    const world = await call.world(name);
    if (request !== undefined) {
      return { world: world.name, found: 1, notice: dataNotice('data'), data: partsOf(await world.exchange(request)) };
    }
    const filters = filtersOf[show].map((filter) => ({
      ...filter,
      operation,
      since: since === undefined ? undefined : String(since),
    }));
    const pages = await Promise.all(filters.map((filter) => world.traffic({ ...filter, limit: '200' })));
    const entries = new Map(pages.flatMap((page) => page.entries).map((entry) => [entry.id, entry]));
    const newest = [...entries.values()].sort((a, b) => b.id - a.id);
    const found = Math.max(...pages.map(({ total }) => total), newest.length);
    return { world: world.name, found, notice: dataNotice('data'), data: newest.map(shownEntry) };
  },
});

const filtersOf: Readonly<Record<'refused' | 'broken' | 'lenient' | 'advice' | 'all', readonly TrafficQuery[]>> = {
  refused: [{ status: '4xx' }, { status: '5xx' }],
  broken: [{ verdict: 'broken' }],
  lenient: [{ verdict: 'lenient' }],
  advice: [{ advice: 'some' }],
  all: [{}],
};

type Entry = TrafficPage['entries'][number];

const shownEntry = ({
  id,
  method,
  path,
  operation,
  identity,
  status,
  verdict,
  requestFaults,
  corrected,
  advice,
}: Entry) => ({
  ...{ id, request: `${method} ${path}`, status, verdict: verdict.request },
  operation: operation ?? undefined,
  account: identity?.name,
  violations: shownViolations(requestFaults),
  notStoredAsSent:
    advice.length === 0 ? undefined : advice.slice(0, 5).map(({ pointer, reason }) => `${pointer}: ${reason}`),
  curl: corrected && inBrief(corrected, 1200),
});

/** One part an item, so that a long body takes no more than its own page. */
const partsOf = (exchange: TrafficExchange) => [
  shownEntry(exchange),
  { requestHeaders: exchange.request.headers },
  ...bodyParts('requestBody', exchange.request.body),
  { answerHeaders: exchange.response.headers },
  ...bodyParts('answerBody', exchange.response.body),
];

/** In characters. */
const partLength = 2000;

const bodyParts = (name: 'requestBody' | 'answerBody', body: string | undefined) =>
  Array.from({ length: Math.ceil((body ?? '').length / partLength) }, (_none, at) => ({
    [name]: body?.slice(at * partLength, (at + 1) * partLength),
  }));
