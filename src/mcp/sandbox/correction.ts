/** Finds the request that an agent should have sent: in the right form, and as an account that may. */
import { parsedJson } from '../../basics/json.ts';
import type { WorldCommands } from '../../exchange/worlds/controlled-world.ts';
import { partOf } from '../../core/document/document-tree.ts';
import { anonymousName } from '../session/accounts.ts';
import { matchesPath, type DescribedOperation, type ServedDocument } from '../session/served-document.ts';
import type { Call } from '../session/session.ts';
import { inBrief, messageIn } from './answer-text.ts';
import { permissionsOf, rehearse, type Permission } from './rehearsal.ts';
import { restored } from './restored-secrets.ts';
import { csrfPlaceholder, without, withJson, type Trial, type TrialAnswer } from './trial.ts';
import type { WatchedAnswer } from './watched-trial.ts';

export type Correction = {
  /** The arguments of `try_request` to call it with instead. */
  readonly arguments: Trial;
  /** What differs from what was sent, and why. */
  readonly changes: readonly string[];
  /** What the corrected request was answered in a copy of the world. */
  readonly expected: number;
  /** What a refusal of the corrected request said. */
  readonly message?: string;
};

type Correcting = {
  readonly correction: Correction | undefined;
  /** What each account was answered in a copy of the world. Empty when permissions were not the reason. */
  readonly permissions: readonly Permission[];
};

/** A request with its changes so far. */
type Draft = { readonly trial: Trial; readonly changes: readonly string[] };

/** Looks for no correction of an answer that is neither a refusal nor lenient. Sends requests to copies of the world only. */
export const correct = async (
  call: Call,
  world: WorldCommands,
  given: { readonly trial: Trial; readonly answer: WatchedAnswer; readonly document: ServedDocument },
): Promise<Correcting> => {
  const { trial, answer, document } = given;
  const none: Correcting = { correction: undefined, permissions: [] };
  const isFine = answer.status < 400 && (answer.exchange?.verdict.request ?? 'kept') === 'kept';
  if (isFine || answer.status >= 500) return none;
  const operation = operationOf(document, trial);
  if (operation === undefined) return none;
  const draft = inForm({ trial, changes: [] }, operation, answer);
  const tried = draft.changes.length === 0 ? answer : await rehearse(call, world, [{ trial: draft.trial }]);
  if (tried === undefined) return none;
  if (tried.status === 401 || tried.status === 403) return withAccount(call, world, draft, tried);
  const correction = await renamed(call, world, draft, tried);
  return { ...none, correction: correction.changes.length === 0 ? undefined : correction };
};

/** The same request as the least powerful account that succeeds, or else that is not refused. */
const withAccount = async (call: Call, world: WorldCommands, draft: Draft, tried: TrialAnswer): Promise<Correcting> => {
  const permissions = await permissionsOf(call, world, [{ trial: draft.trial }]);
  const able =
    permissions.find(({ status }) => status < 400) ??
    permissions.find(({ status }) => status !== 401 && status !== 403);
  if (able === undefined) {
    return { permissions, correction: draft.changes.length === 0 ? undefined : corrected(draft, tried) };
  }
  const rest = without(draft.trial, 'account');
  const trial = able.account === anonymousName ? rest : { ...rest, account: able.account };
  const why = inBrief(messageIn(tried) ?? 'it is refused');
  const change = `account ${able.account} in place of ${draft.trial.account ?? anonymousName}: "${why}"`;
  const again = able.status < 400 ? { ...tried, status: able.status } : await rehearse(call, world, [{ trial }]);
  const changed = { trial, changes: [...draft.changes, change] };
  return { permissions, correction: await renamed(call, world, changed, again ?? tried) };
};

/** With a name of the file that is allowed, where a refusal says which are. */
const renamed = async (call: Call, world: WorldCommands, draft: Draft, tried: TrialAnswer): Promise<Correction> => {
  const [, extensions = ''] = /extensions are allowed: ([\w ]+)/.exec(messageIn(tried) ?? '') ?? [];
  const [extension] = extensions.split(' ');
  const header = ['Content-Disposition', 'Content-Location'].find((name) => headerOf(draft.trial, name) !== undefined);
  if (extension === undefined || extension === '' || header === undefined) return corrected(draft, tried);
  const value = (headerOf(draft.trial, header) ?? '').replace(/(\.\w+)?("?)$/, `.${extension}$2`);
  const next = {
    trial: withHeader(draft.trial, header, value),
    changes: [...draft.changes, `${header}: ${value}, because these extensions are allowed: ${extensions}`],
  };
  return corrected(next, (await rehearse(call, world, [{ trial: next.trial }])) ?? tried);
};

const corrected = ({ trial, changes }: Draft, tried: TrialAnswer): Correction => {
  const message = tried.status < 400 ? undefined : messageIn(tried);
  return {
    arguments: trial,
    changes,
    expected: tried.status,
    ...(message === undefined ? {} : { message: inBrief(message) }),
  };
};

const operationOf = ({ operations }: ServedDocument, { method, path }: Trial): DescribedOperation | undefined => {
  const own = path.split('?', 1)[0] ?? '';
  const wanted = method === 'HEAD' ? 'GET' : method;
  return operations.find((each) => each.method === wanted && matchesPath(each, own));
};

/** Everything that can be corrected without asking the server. */
const inForm = (draft: Draft, operation: DescribedOperation, answer: WatchedAnswer): Draft =>
  [byTraffic, contentType, missingHeaders, csrfToken].reduce((so, step) => step(so, operation, answer), draft);

type Step = (draft: Draft, operation: DescribedOperation, answer: WatchedAnswer) => Draft;

/** What the server itself says that the request should have been. */
const byTraffic: Step = ({ trial, changes }, _operation, { exchange }) => {
  const correction = exchange?.correction;
  if (exchange === undefined || correction === undefined) return { trial, changes };
  const said = [...changes];
  let next: Trial = trial;
  // The address of a world has its secrets taken out as well, so only what differs is taken over.
  if (correction.path !== exchange.path) {
    next = { ...next, path: correction.path };
    said.push(`path ${correction.path} in place of ${trial.path}`);
  }
  if (correction.contentType !== undefined) next = withContentType(next, correction.contentType, said);
  const sent = trial.json ?? parsed(trial.body);
  // A request that was refused for its head was not read to its end, so the server knows nothing of its body.
  const isRead = exchange.request.body !== undefined;
  const json = correction.body === undefined ? undefined : isRead ? restored(correction.body, sent) : sent;
  if (json !== undefined) next = withJson(next, json);
  if (isRead && JSON.stringify(json) !== JSON.stringify(sent)) {
    const ofBody = exchange.requestFaults.filter(({ pointer }) => pointer.startsWith('/requestBody'));
    for (const { pointer, message } of ofBody.slice(0, 10)) said.push(`${pointer}: ${inBrief(message)}`);
  }
  return { trial: next, changes: said };
};

/** Notes the change in `said`. */
const withContentType = (trial: Trial, type: string, said: string[]): Trial => {
  const sent = headerOf(trial, 'Content-Type') ?? (trial.json === undefined ? undefined : 'application/json');
  if (sent === type) return trial;
  said.push(`Content-Type: ${type} in place of ${sent ?? 'none'}`);
  return withHeader(trial, 'Content-Type', type);
};

/** Traffic knows no correction for a body that it does not keep, such as a form. */
const contentType: Step = ({ trial, changes }, { part }, { status }) => {
  if (status !== 415 || changes.length > 0) return { trial, changes };
  const [type] = Object.keys(partOf(partOf(part['requestBody'])['content']));
  if (type === undefined) return { trial, changes };
  const said = [...changes];
  return { trial: withContentType(trial, type, said), changes: said };
};

const missingHeaders: Step = ({ trial, changes }, { parameters }, { status }) => {
  if (status !== 400 && status !== 415) return { trial, changes };
  const missing = parameters.flatMap(({ name, in: place, required, example, examples }) => {
    const value = example ?? partOf(Object.values(partOf(examples))[0])['value'];
    const isMissing =
      place === 'header' && required === true && typeof name === 'string' && headerOf(trial, name) === undefined;
    return isMissing && typeof value === 'string' ? [{ name, value }] : [];
  });
  return {
    trial: missing.reduce((so, { name, value }) => withHeader(so, name, value), trial),
    changes: [...changes, ...missing.map(({ name, value }) => `${name}: ${value}, which was missing`)],
  };
};

/** Only a session needs the token, and only where the operation says so. */
const csrfToken: Step = ({ trial, changes }, { part }) => {
  const hasSession = trial.authentication === 'session' && (trial.account ?? anonymousName) !== anonymousName;
  if (!hasSession || part['x-csrf'] !== true || headerOf(trial, 'X-CSRF-Token') === csrfPlaceholder)
    return { trial, changes };
  return {
    trial: withHeader(trial, 'X-CSRF-Token', csrfPlaceholder),
    changes: [
      ...changes,
      `X-CSRF-Token: the token of the session (${csrfPlaceholder}), which a request with a session cookie needs`,
    ],
  };
};

const headerOf = ({ headers = {} }: Trial, name: string): string | undefined =>
  Object.entries(headers).find(([each]) => each.toLowerCase() === name.toLowerCase())?.[1];

const withHeader = (trial: Trial, name: string, value: string): Trial => ({
  ...trial,
  headers: {
    ...Object.fromEntries(
      Object.entries(trial.headers ?? {}).filter(([each]) => each.toLowerCase() !== name.toLowerCase()),
    ),
    [name]: value,
  },
});

const parsed = (body: string | undefined): unknown => (body === undefined ? undefined : parsedJson(body));

/** Which operations a path that the document does not have may mean, and which methods it has. */
export const hintsFor = ({ operations }: ServedDocument, trial: Trial): readonly string[] => {
  if (operationOf({ operations, text: '' }, trial) !== undefined) return [];
  const path = trial.path.split('?', 1)[0] ?? '';
  const here = operations.filter((each) => matchesPath(each, path));
  if (here.length > 0) return [`${path} takes ${here.map(({ method, id }) => `${method} (${id})`).join(', ')}.`];
  const segments = path.split('/').filter((segment) => /[a-z]/i.test(segment));
  const near = operations
    .map((each) => ({
      each,
      score: segments.filter((segment) => each.path.includes(segment)).length + (each.method === trial.method ? 1 : 0),
    }))
    .filter(({ score }) => score > 1)
    .sort((a, b) => b.score - a.score);
  return near.slice(0, 4).map(({ each }) => `${each.id}: ${each.method} ${each.path} (${each.summary})`);
};
