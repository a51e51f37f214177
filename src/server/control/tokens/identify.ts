/** Finds out who asks the control interface: this machine, the server's own token, or a named token. */
import { isSameSecret } from '../../../basics/secrets/digest.ts';
import type { PlainRequest } from '../../../core/engine/exchange.ts';
import {
  controlRefusal,
  pageRefusal,
  refusedElsewhere,
  tokenNeeded,
  wrongToken,
  type ControlAccess,
} from '../control-access.ts';
import { isExpired, isNamedSecret, type NamedTokens } from './named-tokens.ts';
import type { ControlCaller } from './rights.ts';

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

/** Where there are named tokens, another machine is told that it needs one. */
const inWordsOfTokens = async (refusal: string, { tokens }: Known): Promise<string> =>
  refusal === refusedElsewhere && (await tokens.areThere()) ? tokenNeeded : refusal;
