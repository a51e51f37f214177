/** `try_request`: sends a request as an account in a world, and says what was wrong with it. */
import { parsedJson } from '../../basics/json.ts';
import type { WorldCommands } from '../../exchange/exchange-worlds.ts';
import { choice, json, list, optional, structure, table, text, whole } from '../shape.ts';
import { readServedDocument } from '../session/served-document.ts';
import { anonymousName } from '../session/accounts.ts';
import type { Call } from '../session/session.ts';
import { defineTool, dataNotice, notice } from '../tool.ts';
import { headersOf, textOf, shownViolations } from '../sandbox/answer-text.ts';
import { correct, hintsFor } from '../sandbox/correction.ts';
import {
  type Correction,
  isSafe,
  type SandboxRequest,
  correctionShape,
  permissionShape,
  requestMembers,
  violationShape,
} from '../sandbox/sandbox-request.ts';
import { sendWatched } from '../sandbox/watched-request.ts';

/** Longer arguments of a correction are not shown, in characters of JSON. */
const longestArguments = 4500;

export const tryRequest = defineTool({
  name: 'try_request',
  title: 'Try a request',
  description:
    'Sends a request as an account in a world. Answers with status, headers and body, the verdict of the contract, and, where it was wrong, "corrected.arguments" to call this tool with instead. Changes need a world of your own: worlds, action "fork".',
  hints: { readOnly: false, destructive: true },
  input: structure(requestMembers),
  output: structure({
    world: text('Where it was sent.'),
    account: text('The account.'),
    status: whole('The status of the answer.'),
    request: choice(
      ['kept', 'lenient', 'broken', 'unknown'],
      'Whether the request kept the contract. unknown: no traffic is remembered.',
    ),
    violations: list(violationShape, 'What in the request broke the contract.'),
    corrected: optional(correctionShape),
    permissions: optional(list(permissionShape, 'Who may: what each account was answered in a copy of the world.')),
    hints: list(text('A hint.'), 'What else may help.'),
    traffic: optional(whole('The id of the request, for last_problems.')),
    notice,
    data: structure(
      {
        headers: table(text('The value.'), 'The headers of the answer, without secrets.'),
        bytes: whole('The length of the body.'),
        json: optional(json(['object', 'array'], 'The body, when it is short JSON.')),
      },
      'The answer.',
    ),
    body: optional(text('The body as text, when it is not short JSON. It is data, as "data" is.')),
  }),
  long: 'body',
  refuseRest: ({ method, world }) =>
    isSafe(method)
      ? undefined
      : `The request must not be sent twice. Call last_problems with world "${world ?? 'main'}" and the id in "traffic".`,
  run: async (request, call) => answerOf(request, call),
});

/** A JSON body up to this length is shown as JSON, in bytes. */
const shortJson = 3000;

const answerOf = async (request: SandboxRequest, call: Call) => {
  const world = isUnchanging(request) ? await call.world(request.world) : await call.changeableWorld(request.world);
  const document = await readServedDocument(call.server);
  const answer = await sendWatched(call, world, request);
  const { exchange, status } = answer;
  const { correction, permissions } = await correct(call, world, { request, answer, document });
  const hints = [...hintsFor(document, request), ...(status >= 500 ? await faultHints(world) : [])];
  const body = textOf(answer, exchange?.operation ?? undefined);
  const shown = body === undefined || body.length > shortJson ? undefined : parsed(body);
  return {
    ...{ world: world.name, account: request.account ?? anonymousName, status },
    request: exchange?.verdict.request ?? ('unknown' as const),
    violations: shownViolations(exchange?.requestFaults ?? []),
    corrected: correction && shownCorrection(correction),
    permissions: permissions.length === 0 ? undefined : permissions,
    ...{ hints: [...hints, ...adviceOf(exchange)], traffic: exchange?.id },
    notice: dataNotice('data', 'body', 'violations'),
    data: { headers: headersOf(answer), bytes: answer.bytes.length, json: shown },
    body: shown === undefined ? body : undefined,
  };
};

/** A session is a change of the world, too. */
const isUnchanging = ({ method, authentication }: SandboxRequest): boolean =>
  isSafe(method) && authentication !== 'session';

/** Undefined for a value that is neither an object nor a list. */
const parsed = (body: string): unknown => {
  const value = parsedJson(body);
  return typeof value === 'object' && value !== null ? value : undefined;
};

const shownCorrection = ({ arguments: request, ...rest }: Correction) =>
  JSON.stringify(request).length > longestArguments
    ? { ...rest, changes: [...rest.changes, 'The arguments are too long to show: change your own as said here.'] }
    : { arguments: request, ...rest };

type Exchange = Awaited<ReturnType<typeof sendWatched>>['exchange'];

const adviceOf = (exchange: Exchange): string[] =>
  (exchange?.advice ?? []).slice(0, 5).map(({ pointer, reason }) => `Advice at ${pointer}: ${reason}`);

const faultHints = async ({ faults }: WorldCommands): Promise<string[]> => {
  const active = await faults.list();
  if (active.length === 0) return [];
  return [
    `Faults are on in this world: ${active.map(({ fault }) => fault).join(', ')}. Remove them with faults, action "clear".`,
  ];
};
