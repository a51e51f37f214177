/** Takes the steps of a probe with one server, and sees what matters of the answers. */
import { areEqual } from '../../../basics/equal-values.ts';
import { isRecord, parsedJson } from '../../../basics/json.ts';
import { readPointer, valueAt } from '../../../basics/json-pointer.ts';
import { anonymousAccount, type TargetAccount } from '../../../exchange/exchange-target.ts';
import { keptText, type HeaderLine, type WireReply } from '../../../exchange/exchange.ts';
import { readable } from '../../compare/compare.ts';
import { CheckFailure, CheckSkip, shown, type Answer } from '../answer.ts';
import type { AskedRequest, CheckContext } from '../check.ts';
import { differingFields } from '../record-members.ts';
import type { Step } from '../../target/probe-files.ts';
import type { Probe } from './expand.ts';
import { createNamedValues, type NamedValues } from './named-values.ts';

/** An answer with its body unpacked and its token opened. `isUnchanged`: it is what the address answered before, in this dialogue. */
export type Taken = {
  readonly answer: Answer;
  readonly reply: WireReply;
  readonly isUnchanged: boolean | undefined;
  /** The members that the address answered otherwise before, without those that tell of any change. */
  readonly changes: readonly string[] | undefined;
};

export type Dialogue = { readonly take: (step: Step) => Promise<Taken> };

/** `account`: the one that takes the steps of a probe for each account. */
export const beginDialogue = (probe: Probe, context: CheckContext, account?: TargetAccount): Dialogue => {
  const values = createNamedValues(probe, context, account ?? anonymousAccount);
  const seen = new Map<string, Content>();
  return {
    take: async (step) => {
      const request = await requestFor(step, values, {
        who: accountOf(context, step.as, account),
        baseUrl: context.baseUrl,
      });
      const answer = await context.ask(request);
      if (step.isFresh) requireFresh(answer);
      if (step.spends !== undefined && answer.status < 300) values.spend(step.spends);
      const content = contentOf(answer);
      const before = seen.get(request.path);
      if (request.method === 'GET') seen.set(request.path, content);
      for (const [name, place] of Object.entries(step.save)) values.save(name, placeIn(answer, place));
      const isUnchanged = before === undefined ? undefined : areEqual(before, content);
      const changes = before === undefined ? undefined : changesBetween(before, content);
      return { answer, reply: opened(readable(answer.exchange.reply)), isUnchanged, changes };
    },
  };
};

const requestFor = async (
  step: Step,
  { filled }: NamedValues,
  { who, baseUrl }: { readonly who: TargetAccount | undefined; readonly baseUrl: string },
): Promise<AskedRequest> => {
  const { ask, by, send } = step;
  const headers = Object.entries((await filled(send)) as Readonly<Record<string, string | null>>); // as the schema has it
  const [, method = '', path = ''] = /^([A-Z]+) (.*)$/s.exec(ask) ?? [];
  const whole = method === '' ? ((await filled(ask)) as AskedRequest) : undefined; // a thing that is a request
  return {
    ...(whole ?? { method, path: below(baseUrl, String(await filled(path))) }),
    ...(who === undefined ? { by: 'none' } : { as: who, ...(by === undefined ? {} : { by }) }),
    headers: headersWith(whole?.headers ?? [], headers),
    ...(await bodyFor(step, filled)),
  };
};

/** An address as a record or a header tells it, without the address or the path of the base URL. */
const below = (baseUrl: string, address: string): string => {
  const { pathname } = new URL(baseUrl);
  const beginning = [baseUrl, pathname.replace(/\/$/, '')].find((one) => one !== '' && address.startsWith(`${one}/`));
  return beginning === undefined ? address : address.slice(beginning.length);
};

/** Null leaves a header out. */
const headersWith = (
  usual: readonly HeaderLine[],
  sent: readonly (readonly [name: string, value: string | null])[],
): readonly HeaderLine[] => {
  const replaced = new Set(sent.map(([name]) => name.toLowerCase()));
  const given = sent.flatMap(([name, value]): HeaderLine[] => (value === null ? [] : [[name, value]]));
  return [...usual.filter(([name]) => !replaced.has(name.toLowerCase())), ...given];
};

const bodyFor = async (
  { ask, json, with: more, without, text, base64 }: Step,
  filled: NamedValues['filled'],
): Promise<Pick<AskedRequest, 'json' | 'body'>> => {
  if (/^(GET|HEAD) /.test(ask)) return {};
  if (base64 !== undefined) return { body: Buffer.from(base64, 'base64') };
  if (text !== undefined) {
    const value = await filled(text);
    return { body: value instanceof Uint8Array ? value : String(value) };
  }
  if (json === undefined) return {};
  const value = await filled(json);
  if (!isRecord(value)) return { json: value };
  const others = Object.entries(value).filter(([name]) => !without.includes(name));
  return { json: { ...Object.fromEntries(others), ...((await filled(more)) as object) } }; // members, as the schema has it
};

/** Undefined for the visitor. Throws `CheckSkip` for an account whose credentials the run has not. */
const accountOf = (
  context: CheckContext,
  as: string,
  account: TargetAccount | undefined,
): TargetAccount | undefined => {
  if (as === 'visitor') return undefined;
  if (as === 'maker') return context.maker();
  const known = as === 'the account' ? account : context.accounts.find(({ name }) => name === as);
  if (known === undefined) throw new CheckSkip(`The run has no credentials of ${as}.`);
  return known.name === anonymousAccount.name ? undefined : known;
};

/** A cache shows other records as they were. */
const requireFresh = (answer: Answer): void => {
  const isOld = ['x-drupal-dynamic-cache', 'x-drupal-cache'].some((name) => answer.header(name) === 'HIT');
  if (isOld) throw new CheckSkip('The server answers from a cache, which shows other records as they were.');
};

type Content = { readonly status: number; readonly json: unknown; readonly digest: string };

const contentOf = ({ status, json, exchange }: Answer): Content => ({
  ...{ status, json },
  digest: json === undefined ? exchange.reply.body.sha256 : '',
});

const changesBetween = (before: Content, after: Content): readonly string[] => {
  const [one, other] = [before.json, after.json].map((json) => (isRecord(json) ? json : {}));
  return differingFields(one ?? {}, other ?? {})
    .filter((name) => !ofAnyChange.test(name))
    .sort();
};

/** The time of a change, the revision that it may make, and the alias that a site makes of a label. */
const ofAnyChange = /^(?:changed|vid|revision_.*|path)$/;

/** `body` is the whole JSON, and nothing the whole text. */
const placeIn = (answer: Answer, place: string): unknown => {
  if (place === '') return answer.text;
  if (place === 'body') return answer.json;
  const value = place.startsWith('/') ? valueAt(answer.json, readPointer(place)) : answer.header(place.toLowerCase());
  if (value !== undefined) return value;
  throw new CheckFailure(`${answer.exchange.request.path} has nothing at ${place}, but ${shown(answer.text)}.`);
};

/** The reply with the parts of its token, and the seconds that it lives, in place of the token (RFC 7519 §3). */
const opened = (reply: WireReply): WireReply => {
  const json = parsedJson(keptText(reply.body));
  if (!isRecord(json) || typeof json['token'] !== 'string') return reply;
  const [head, claims, signature] = json['token'].split('.').map(decoded);
  if (!isRecord(head) || !isRecord(claims) || signature === undefined) return reply;
  const seconds = Number(claims['exp']) - Number(claims['iat']);
  const kept = Buffer.from(JSON.stringify({ ...json, token: { head, claims, seconds } }));
  return { ...reply, body: { ...reply.body, kept, bytes: kept.length } };
};

const decoded = (part: string): unknown => parsedJson(Buffer.from(part, 'base64url').toString()) ?? '';
