/** Finds out who asks the control interface: this machine, the server's own token, or a named token. Knows the right that each operation needs. */
import { isSameSecret } from '../../../basics/secrets/digest.ts';
import type { DocumentObject } from '../../../openapi/openapi-terms.ts';
import { type PlainRequest, type StoredControlToken, mainName } from '../../../openapi/openapi-host.ts';
import {
  type ControlAccess,
  controlRefusal,
  pageRefusal,
  refusedElsewhere,
  tokenNeeded,
  wrongToken,
} from '../control-access.ts';
import { isExpired } from '../../../storage/storage.ts';
import { isNamedSecret, type NamedTokens } from './named-tokens.ts';

/** What an operation needs. `this-world` is the world of the request, `named-world` that of the path, `new-world` that of the body. */
const needs = ['none', 'read', 'this-world', 'named-world', 'new-world', 'everything'] as const;
/** Knows which right each control operation needs (`x-right` in the document), and refuses a token that lacks it. */
export type Need = (typeof needs)[number];

/** What a caller may do, and under which name the log knows the caller. */
export type ControlCaller = Pick<StoredControlToken, 'name' | 'right' | 'prefix'>;

/** What each operation needs, by its id. What the document says nothing of needs everything. */
export const readNeeds = ({ paths }: DocumentObject): ((operationId: string) => Need) => {
  const said = new Map<unknown, Need>();
  for (const item of Object.values(paths)) {
    for (const operation of Object.values(item)) {
      const { operationId, 'x-right': right } = Object(operation) as Readonly<Record<string, unknown>>;
      const need = needs.find((each) => each === right);
      if (need !== undefined) said.set(operationId, need);
    }
  }
  return (operationId) => said.get(operationId) ?? 'everything';
};

/**
 * The name of the member of the body, or of the parameter of the path, that names what an operation copies: a world, a snapshot or
 * a fixture (`x-copies` in the document).
 */
export const readCopies = ({ paths }: DocumentObject): ((operationId: string) => string | undefined) => {
  const said = new Map<unknown, string>();
  for (const operation of Object.values(paths).flatMap((item) => Object.values(item))) {
    const { operationId, 'x-copies': member } = Object(operation) as Readonly<Record<string, unknown>>;
    if (typeof member === 'string') said.set(operationId, member);
  }
  return (operationId) => said.get(operationId);
};

/** The message of the refusal when no right of this kind would do, before a world is known. Undefined when one may. */
export const missingRight = ({ name, right }: ControlCaller, need: Need): string | undefined => {
  const has = `The control token "${name}" has the right "${right}".`;
  if (right === 'everything' || need === 'none' || need === 'read') return undefined;
  if (need === 'everything') return `${has} This needs the right "everything".`;
  return right === 'worlds' ? undefined : `${has} This needs the right "worlds" or "everything".`;
};

/** The message of the refusal for a world that the token may not act on. Undefined when it may. */
export const missingWorld = ({ name, right, prefix }: ControlCaller, world: string): string | undefined => {
  if (right === 'everything') return undefined;
  // The prefix "m" would otherwise reach what everybody shares.
  if (prefix !== null && world.startsWith(prefix) && world !== mainName) return undefined;
  return (
    `The control token "${name}" has the right to worlds whose names begin with "${prefix ?? ''}", and ` +
    `"${world.slice(0, 80)}" is none of them. That needs the right "everything", or this one with another prefix.`
  );
};

/** A caller, or the message of the refusal (403). `isToken`: the caller is known by a token, which counts its requests. */
type Identified =
  | { readonly refusal: string; readonly caller?: undefined }
  | { readonly refusal?: undefined; readonly caller: ControlCaller; readonly isToken: boolean };

/** The name of the token of `--control-token` in the log. No named token can have it. */
const ownTokenName = '--control-token';

const loopback: ControlCaller = { name: 'loopback', right: 'everything', prefix: null };
const anonymous: ControlCaller = { name: 'anonymous', right: 'read', prefix: null };
const ownToken: ControlCaller = { name: ownTokenName, right: 'everything', prefix: null };

type Known = { readonly access: ControlAccess; readonly tokens: NamedTokens; readonly now: () => number };

/** Who asks. `isOpen`: for what everybody may ask, such as the health. */
export const identify = async (request: PlainRequest, isOpen: boolean, known: Known): Promise<Identified> => {
  const { access, tokens, now } = known;
  if (isOpen) return { caller: anonymous, isToken: false };
  if (access.isPrivate === true) return { caller: loopback, isToken: false };
  const sent = request.headers['atoll-control'];
  const isOwn = sent !== undefined && access.controlToken !== undefined && isSameSecret(sent, access.controlToken);
  if (isOwn) return { caller: ownToken, isToken: true };
  if (sent !== undefined && isNamedSecret(sent)) {
    const found = await tokens.find(sent);
    if (found === undefined) return { refusal: wrongToken };
    if (isExpired(found, now())) return { refusal: `The control token "${found.name}" has expired.` };
    return { caller: found, isToken: true };
  }
  const refusal = controlRefusal(request, access);
  if (refusal === undefined) return { caller: loopback, isToken: false };
  return { refusal: await inWordsOfTokens(refusal, known) };
};

/** The refusal of a file of a page. Where there are named tokens, other machines get the page, which then asks for one. */
export const refusedPage = async (request: PlainRequest, { access, tokens }: Known): Promise<string | undefined> => {
  const refusal = pageRefusal(request, access);
  // On this machine, a page of another server must not embed one that needs no token.
  const needsToken = refusal === refusedElsewhere || access.isControlClosed === true;
  return needsToken && (await tokens.areThere()) ? undefined : refusal;
};

/** Where there are named tokens, another machine learns that it needs one. */
const inWordsOfTokens = async (refusal: string, { tokens }: Known): Promise<string> =>
  refusal === refusedElsewhere && (await tokens.areThere()) ? tokenNeeded : refusal;
