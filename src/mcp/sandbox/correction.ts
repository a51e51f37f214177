/** Finds the request that an agent should have sent: in the right form, and as an account that may. */
import { parsedJson } from '../../basics/json.ts';
import { allowedFileName } from '../../contract/contract.ts';
import { redacted } from '../../exchange/exchange.ts';
import type { WorldCommands } from '../../exchange/exchange-worlds.ts';
import { anonymousName } from '../session/accounts.ts';
import { type DescribedOperation, matchesPath, type ServedDocument } from '../session/served-document.ts';
import type { Call } from '../session/session.ts';
import { inBrief, messageIn } from './answer-text.ts';
import { permissionsOf, dryRun } from './dry-run.ts';
import {
  type Correction,
  csrfPlaceholder,
  type Permission,
  type SandboxRequest,
  type SandboxAnswer,
  withJson,
  without,
} from './sandbox-request.ts';
import type { WatchedAnswer } from './watched-request.ts';

/** `corrected` with the values of `sent` where it has the mark of a secret. */
const restored = (corrected: unknown, sent: unknown): unknown => {
  if (typeof corrected === 'string' && corrected.includes(redacted)) return sent ?? corrected;
  if (Array.isArray(corrected))
    return corrected.map((item, index) => restored(item, Array.isArray(sent) ? (sent as unknown[])[index] : undefined));
  if (typeof corrected !== 'object' || corrected === null) return corrected;
  const source: Readonly<Record<string, unknown>> = typeof sent === 'object' && sent !== null ? { ...sent } : {};
  return Object.fromEntries(Object.entries(corrected).map(([name, value]) => [name, restored(value, source[name])]));
};

type Correcting = {
  readonly correction: Correction | undefined;
  /** What each account was answered in a copy of the world. Empty when permissions were not the reason. */
  readonly permissions: readonly Permission[];
};

/** A request with its changes so far. */
type Draft = { readonly request: SandboxRequest; readonly changes: readonly string[] };

/** Looks for no correction of an answer that is neither a refusal nor lenient. Sends requests to copies of the world only. */
export const correct = async (
  call: Call,
  world: WorldCommands,
  given: { readonly request: SandboxRequest; readonly answer: WatchedAnswer; readonly document: ServedDocument },
): Promise<Correcting> => {
  const { request, answer, document } = given;
  const none: Correcting = { correction: undefined, permissions: [] };
  const isFine = answer.status < 400 && (answer.exchange?.verdict.request ?? 'kept') === 'kept';
  if (isFine || answer.status >= 500) return none;
  const operation = operationOf(document, request);
  if (operation === undefined) return none;
  const draft = inForm({ request, changes: [] }, operation, answer);
  const tried = draft.changes.length === 0 ? answer : await dryRun(call, world, [{ request: draft.request }]);
  if (tried === undefined) return none;
  if (tried.status === 401 || tried.status === 403) return withAccount(call, world, draft, tried);
  const correction = await renamed(call, world, draft, tried);
  return { ...none, correction: correction.changes.length === 0 ? undefined : correction };
};

/** The same request as the least powerful account that succeeds, or else that is not refused. */
const withAccount = async (
  call: Call,
  world: WorldCommands,
  draft: Draft,
  tried: SandboxAnswer,
): Promise<Correcting> => {
  const permissions = await permissionsOf(call, world, [{ request: draft.request }]);
  const able =
    permissions.find(({ status }) => status < 400) ??
    permissions.find(({ status }) => status !== 401 && status !== 403);
  if (able === undefined) {
    return { permissions, correction: draft.changes.length === 0 ? undefined : corrected(draft, tried) };
  }
  const rest = without(draft.request, 'account');
  const request = able.account === anonymousName ? rest : { ...rest, account: able.account };
  const why = inBrief(messageIn(tried) ?? 'it is refused');
  const change = `account ${able.account} in place of ${draft.request.account ?? anonymousName}: "${why}"`;
  const again = able.status < 400 ? { ...tried, status: able.status } : await dryRun(call, world, [{ request }]);
  const changed = { request, changes: [...draft.changes, change] };
  return { permissions, correction: await renamed(call, world, changed, again ?? tried) };
};

/** With a name of the file that is allowed, where a refusal says which are. */
const renamed = async (call: Call, world: WorldCommands, draft: Draft, tried: SandboxAnswer): Promise<Correction> => {
  const message = messageIn(tried) ?? '';
  const [line] = allowedFileName(message, (name) => headerOf(draft.request, name)).headers;
  if (line === undefined) return corrected(draft, tried);
  const [header, value] = line;
  const next = {
    request: withHeader(draft.request, header, value),
    changes: [...draft.changes, renamedFile(header, value, message)],
  };
  return corrected(next, (await dryRun(call, world, [{ request: next.request }])) ?? tried);
};

const renamedFile = (header: string, value: string, message: string): string =>
  `${header}: ${value}, because these extensions are allowed: ${allowedFileName(message, () => undefined).extensions}`;

const corrected = ({ request, changes }: Draft, tried: SandboxAnswer): Correction => {
  const message = tried.status < 400 ? undefined : messageIn(tried);
  return {
    arguments: request,
    changes,
    expected: tried.status,
    message: message && inBrief(message),
  };
};

const operationOf = (
  { operations }: ServedDocument,
  { method, path }: SandboxRequest,
): DescribedOperation | undefined => {
  const own = path.split('?', 1)[0] ?? '';
  const wanted = method === 'HEAD' ? 'GET' : method;
  return operations.find((each) => each.method === wanted && matchesPath(each, own));
};

/** Everything that can be corrected without asking the server. */
const inForm = (draft: Draft, operation: DescribedOperation, answer: WatchedAnswer): Draft =>
  csrfToken(byTraffic(draft, answer), operation);

/** What the server itself says that the request should have been. */
const byTraffic = ({ request, changes }: Draft, { exchange }: WatchedAnswer): Draft => {
  const correction = exchange?.correction;
  if (exchange === undefined || correction === undefined) return { request, changes };
  const said = [...changes];
  let next: SandboxRequest = request;
  // The address of a world has its secrets taken out as well, so only what differs is taken over.
  if (correction.path !== exchange.path) {
    next = { ...next, path: correction.path };
    said.push(`path ${correction.path} in place of ${request.path}`);
  }
  if (correction.contentType !== undefined) next = withContentType(next, correction.contentType, said);
  for (const [name, value] of Object.entries(correction.headers ?? {})) {
    const { message = '' } = exchange;
    const isMissing = headerOf(request, name) === undefined;
    said.push(isMissing ? `${name}: ${value}, which was missing` : renamedFile(name, value, message));
    next = withHeader(next, name, value);
  }
  const sent = request.json ?? parsed(request.body);
  // A request that was refused for its head was not read to its end, so the server knows nothing of its body.
  const isRead = exchange.request.body !== undefined;
  const json = correction.body === undefined ? undefined : isRead ? restored(correction.body, sent) : sent;
  if (json !== undefined) next = withJson(next, json);
  if (isRead && JSON.stringify(json) !== JSON.stringify(sent)) {
    const ofBody = exchange.requestFaults.filter(({ pointer }) => pointer.startsWith('/requestBody'));
    for (const { pointer, message } of ofBody.slice(0, 10)) said.push(`${pointer}: ${inBrief(message)}`);
  }
  return { request: next, changes: said };
};

/** Notes the change in `said`. */
const withContentType = (request: SandboxRequest, type: string, said: string[]): SandboxRequest => {
  const sent = headerOf(request, 'Content-Type') ?? (request.json === undefined ? undefined : 'application/json');
  if (sent === type) return request;
  said.push(`Content-Type: ${type} in place of ${sent ?? 'none'}`);
  return withHeader(request, 'Content-Type', type);
};

/** Only a session needs the token, and only where the operation says so. */
const csrfToken = ({ request, changes }: Draft, { operation: part }: DescribedOperation): Draft => {
  const hasSession = request.authentication === 'session' && (request.account ?? anonymousName) !== anonymousName;
  if (!hasSession || part['x-csrf'] !== true || headerOf(request, 'X-CSRF-Token') === csrfPlaceholder)
    return { request, changes };
  return {
    request: withHeader(request, 'X-CSRF-Token', csrfPlaceholder),
    changes: [
      ...changes,
      `X-CSRF-Token: the token of the session (${csrfPlaceholder}), which a request with a session cookie needs`,
    ],
  };
};

const headerOf = ({ headers = {} }: SandboxRequest, name: string): string | undefined =>
  Object.entries(headers).find(([each]) => each.toLowerCase() === name.toLowerCase())?.[1];

const withHeader = (request: SandboxRequest, name: string, value: string): SandboxRequest => ({
  ...request,
  headers: {
    ...Object.fromEntries(
      Object.entries(request.headers ?? {}).filter(([each]) => each.toLowerCase() !== name.toLowerCase()),
    ),
    [name]: value,
  },
});

const parsed = (body: string | undefined): unknown => (body === undefined ? undefined : parsedJson(body));

/** Which operations a path that the document does not have may mean, and which methods it has. */
export const hintsFor = ({ operations }: ServedDocument, request: SandboxRequest): readonly string[] => {
  if (operationOf({ operations, text: '' }, request) !== undefined) return [];
  const path = request.path.split('?', 1)[0] ?? '';
  const here = operations.filter((each) => matchesPath(each, path));
  if (here.length > 0) return [`${path} takes ${here.map(({ method, id }) => `${method} (${id})`).join(', ')}.`];
  const segments = path.split('/').filter((segment) => /[a-z]/i.test(segment));
  const near = operations
    .map((each) => ({
      each,
      score:
        segments.filter((segment) => each.path.includes(segment)).length + (each.method === request.method ? 1 : 0),
    }))
    .filter(({ score }) => score > 1)
    .sort((a, b) => b.score - a.score);
  return near.slice(0, 4).map(({ each }) => `${each.id}: ${each.method} ${each.path} (${each.summary})`);
};
