/** Knows which passwords the target takes, and gives those of Atoll's accounts in their place. */
import type { Side } from '../../compare/difference.ts';
import { basicCredentials, readBasic } from '../../../basics/formats/basic-credentials.ts';
import { headerValues, type WireExchange, type WireReply, type WireRequest } from '../../../exchange/exchange.ts';
import { claimedName } from './own-logins.ts';

export type CredentialContext = {
  readonly from: Side;
  /** The status of the target's answer. Undefined when it has not answered yet. */
  readonly status: number | undefined;
  /** The account whose credentials were sent, where a recording tells. */
  readonly account: string | undefined;
  /** Whether the target's refusal has an empty message. */
  readonly hasNoMessage?: boolean | undefined;
  /** Whether the target's answer takes the session back: it has ended. */
  readonly hasEnded?: boolean | undefined;
};

export type Passwords = ReturnType<typeof createPasswords>;

type PasswordUse = Pick<WireExchange, 'request' | 'account'> & { readonly reply: Pick<WireReply, 'status'> };

type Sent = { readonly name: string; readonly password: string };

const maxKept = 10_000;

/** `passwordOf` gives the password of Atoll's account. */
export const createPasswords = (passwordOf: (account: string) => string | undefined) => {
  const proven = new Set<string>();
  const names = new Set<string>();
  const accept = (name: string, password: string): void => {
    if (proven.size >= maxKept) return;
    proven.add(`${name}:${password}`);
    names.add(name);
  };
  /**
   * What Atoll gets in place of a password that was sent. A password that is wrong at the target must be wrong here, too. Many servers take who sends one for a visitor, so that only
   * what visitors cannot do proves a password right. Then every other one of the account is wrong.
   */
  const own = (name: string, sent: string, { from, status, hasNoMessage }: CredentialContext): string => {
    const known = from === 'target' || status === undefined ? passwordOf(name) : undefined;
    const isRefused = status === 401 || status === 400 || (status === 403 && hasNoMessage === true);
    const isWrong = !proven.has(`${name}:${sent}`) && (isRefused || names.has(name));
    return known === undefined || isWrong ? sent : known;
  };
  /** Remembers a password by the status of the target's answer. */
  const note = (request: WireRequest, { status = 0, account }: Pick<CredentialContext, 'status' | 'account'>): void => {
    const isProof = !/^(?:GET|HEAD|OPTIONS)$/.test(request.method) || request.path.startsWith('/jwt/token');
    if (status < 200 || status >= 300 || !isProof) return;
    for (const sent of passwordsIn(request, account)) accept(sent.name, sent.password);
  };
  return {
    own,
    accept,
    note,
    /** Remembers the passwords of a whole recording: those that the target takes, and where none is, the only one of an account. */
    noteAll: (exchanges: readonly PasswordUse[]): void => {
      for (const { request, reply, account } of exchanges) note(request, { status: reply.status, account });
      const used = exchanges.flatMap(({ request, reply: { status }, account }) =>
        passwordsIn(request, account).map((sent) => ({ ...sent, status })),
      );
      // Who may do next to nothing proves nothing. A wrong password is 401 at least once, or one of several.
      for (const { name, password } of used) {
        const isDoubtful = used.some(
          (other) => other.name === name && (other.password !== password || other.status === 401),
        );
        if (!names.has(name) && !isDoubtful) accept(name, password);
      }
    },
    /** The value of `Authorization: Basic …` with what Atoll gets in place of the password. */
    basic: (value: string, context: CredentialContext): string => {
      const sent = sentIn(value, context.account);
      if (sent === undefined) return value;
      const password = own(sent.name, sent.password, context);
      // A malformed value must stay so.
      return password === sent.password ? value : basicCredentials(sent.name, password);
    },
  };
};

/** The account that a request names: by its password, or in its token. Undefined for a session, and for nobody. */
export const accountIn = ({ headers }: WireRequest): string | undefined => {
  const [value] = headerValues(headers, 'authorization');
  if (value === undefined) return undefined;
  return /^basic /i.test(value) ? sentIn(value, undefined)?.name : claimedName(value.replace(/^\S+\s+/, ''));
};

const passwordsIn = ({ headers }: WireRequest, account: string | undefined): readonly Sent[] =>
  headerValues(headers, 'authorization').flatMap((value) =>
    /^basic /i.test(value) ? (sentIn(value, account) ?? []) : [],
  );

/** A recording has a placeholder for both, and tells the account. */
const sentIn = (value: string, account: string | undefined): Sent | undefined => {
  const credentials = value.slice('Basic '.length);
  if (credentials.includes('[redacted:'))
    return account === undefined ? undefined : { name: account, password: credentials };
  return readBasic(value);
};
