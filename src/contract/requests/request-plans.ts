/** Lists requests that may meet a status of an operation. The first ones are the most likely ones. */
import { type HostedOperation, faultHeader } from '../../openapi/openapi-host.ts';
import type { Client, Clients } from './clients.ts';
import { draftOf, withHeader, type Draft } from './draft.ts';
import type { KnownValues } from './known-values.ts';
import { examplesOf, unpublishedFirst, type ExampleContext } from './examples.ts';
import type { RequestStep, RequestSteps } from './request-step.ts';
import {
  absentId,
  otherExtensions,
  sameUuids,
  takenUuids,
  unfitBodies,
  unreadable,
  wrongContentTypes,
  wrongFormats,
  wrongQueries,
  type Variant,
} from './variants.ts';

export type PlanContext = ExampleContext & {
  readonly clients: Clients;
  /** A request that succeeds. Undefined when none was found. */
  readonly success: Variant | undefined;
};

/** A request that needs no dry run is one that a fault answers. */
export type Candidate = RequestSteps & { readonly variant?: Variant; readonly isSure?: true };

/** Nothing that a client sends makes these: they are failures, which can be had on demand. */
const isByFault = (status: number): boolean => status >= 500 || status === 408 || status === 429;

/** Requests that may meet the status, made one by one, because trying them takes time. */
export function* candidatesFor(status: number, context: PlanContext): Generator<Candidate> {
  if (isByFault(status)) yield faultCandidate(status, context);
  else if (status < 300) yield* successes(status, context);
  else for (const { variants, clients } of plansFor(status, context)) yield* pairs(variants, clients, context);
}

const faultCandidate = (status: number, { request, clients }: PlanContext): Candidate => ({
  steps: clients.nobody.send(withHeader(draftOf(request), faultHeader, `status;status=${status}`)),
  explanation: `The fault \`status\` answers in place of the repository: ${faultHeader} asks for it.`,
  isSure: true,
});

/** The examples for every client, then those with other records. What exists already is answered otherwise the second time. */
function* successes(status: number, context: PlanContext): Generator<Candidate> {
  const { nobody, byBasic, bySession, byToken } = context.clients;
  const clients = [...byBasic.slice(0, 1), nobody, ...bySession, ...byToken];
  const variants = examplesOf(context).map((variant) =>
    status === 206
      ? { ...variant, draft: withHeader(variant.draft, 'Range', 'bytes=0-0'), what: `${variant.what}, the first byte` }
      : variant,
  );
  yield* pairs(variants, clients, context);
  for (const variant of variants) {
    for (const client of clients) {
      const steps = stepsOf(variant, client, context);
      yield { steps: [...steps, ...steps.slice(-1)], explanation: `${sentence(variant.what, client)} Sent twice.` };
    }
  }
}

const stepsOf = ({ draft, before = [] }: Variant, client: Client, { clients }: PlanContext): RequestStep[] => [
  ...before.flatMap(({ draft: first, keeps }) =>
    (clients.byBasic[0] ?? clients.nobody).send(first).map((step) => (keeps === undefined ? step : { ...step, keeps })),
  ),
  ...client.send(draft),
];

type RequestPlan = { readonly variants: readonly Variant[]; readonly clients: readonly Client[] };

/** For the refusals, and for an answer that the client has already. */
const plansFor = (status: number, context: PlanContext): readonly RequestPlan[] => {
  const { operation, knownValues, clients: known } = context;
  const { nobody, byBasic, byToken, bySession, withWrongCredentials, withoutCsrfToken } = known;
  const examples = examplesOf(context);
  const all = context.success === undefined ? examples : [context.success, ...examples];
  const allowed = [...byBasic.slice(0, 1), nobody, ...bySession];
  const first = all.slice(0, 1);
  const changed = (change: (draft: Draft) => readonly Variant[], from = first): RequestPlan => ({
    variants: from.flatMap(({ draft, before = [] }) => change(draft).map((one) => ({ before, ...one }))),
    clients: allowed,
  });
  switch (status) {
    case 304:
      return [changed(asKnown, all)];
    case 400:
      return [changed(unreadable), changed((draft) => wrongQueries(draft, operation.queryNames)), changed(unfitBodies)];
    case 401:
      return [
        { variants: all, clients: [nobody] },
        { variants: first, clients: withWrongCredentials },
        { variants: unpublishedFirst(context), clients: [nobody] },
      ];
    case 403:
      return [
        { variants: all, clients: byBasic.toReversed() },
        { variants: all, clients: [...withoutCsrfToken, nobody] },
        { variants: first, clients: [...withWrongCredentials, ...bySession, ...byToken] },
        { variants: unpublishedFirst(context), clients: byBasic.toReversed() },
      ];
    case 404:
      return [{ variants: absent(context), clients: [...allowed, ...byToken] }];
    case 406:
      return [changed(wrongFormats)];
    case 409:
      return [changed((draft) => takenUuids(draft, knownValues.uuids)), changed(sameUuids), changed(asItIs, all)];
    case 413:
      return [changed((draft) => tooLarge(draft, operation, knownValues), all)];
    case 415:
      return [changed(wrongContentTypes)];
    case 416:
      return [changed((draft) => [beyondTheEnd(draft)], all)];
    case 422:
      return [changed(unfitBodies, all), changed(otherExtensions, all), changed(unreadable)];
    default:
      return [];
  }
};

const absent = ({ operation, request }: ExampleContext): Variant[] => [
  ...operation.pathParameters.map(({ name, isId }) => ({
    draft: draftOf(request, { [name]: isId ? absentId : 'nothing_of_this_name' }),
    what: `there is nothing with this \`${name}\``,
  })),
  ...(operation.isMultiSegment
    ? [
        {
          draft: {
            ...draftOf(request),
            path: `${operation.path.slice(0, operation.path.indexOf('{'))}nothing-of-this-name.txt`,
          },
          what: 'there is no such file',
        },
      ]
    : []),
  ...operation.pathParameters.map(({ name }) => ({
    draft: draftOf(request, { [name]: `${absentId}.nothing.of_this_name` }),
    what: `there is nothing with this \`${name}\``,
  })),
];

const asItIs = (draft: Draft): Variant[] => [{ draft, what: 'it exists already' }];

const asKnown = (draft: Draft): Variant[] => [
  { draft: withHeader(draft, 'If-None-Match', '*'), what: 'the client has the bytes, whatever they are' },
  {
    draft: withHeader(draft, 'If-Modified-Since', 'Fri, 31 Dec 9999 23:59:59 GMT'),
    what: 'the bytes are not newer than what the client has',
  },
];

const beyondTheEnd = (draft: Draft): Variant => ({
  draft: withHeader(draft, 'Range', 'bytes=999999999999-'),
  what: 'the range begins behind the last byte',
});

const tooLarge = (draft: Draft, { body }: HostedOperation, { maxBytes }: KnownValues): Variant[] => {
  const limit = body === 'json' ? maxBytes.json : maxBytes.bytes;
  return [
    { draft: { ...draft, zeros: limit + 1 }, what: `the body is longer than the ${limit} bytes that the site allows` },
  ];
};

function* pairs(variants: readonly Variant[], clients: readonly Client[], context: PlanContext): Generator<Candidate> {
  for (const client of clients) {
    for (const variant of variants) {
      yield { variant, steps: stepsOf(variant, client, context), explanation: sentence(variant.what, client) };
    }
  }
}

const sentence = (what: string, { label }: Client): string => {
  const text = `${what}, ${label}.`;
  return text.charAt(0).toUpperCase() + text.slice(1);
};
