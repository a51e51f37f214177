/** Makes, finds and revokes named control tokens. Their store has the hash of a secret, never the secret. */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { components } from '../../../client/generated/control.ts';
import type { ControlTokenStore, StoredControlToken } from '../../../openapi/openapi-host.ts';
import { isExpired } from '../../../storage/storage.ts';
import { conflict, unavailable, unprocessable } from '../../../openapi/openapi-terms.ts';

/** With what every secret begins, so that scanners of secrets find one in a repository. */
const secretPrefix = 'atoll_';

/** The most tokens of a server. */
const tokenLimit = 500;

/** `ttl` is in seconds. */
type TokenOrder = components['schemas']['ControlTokenCreate'];

export type NamedTokens = {
  /** Those that have not expired, in the order of their names. */
  list(): Promise<readonly StoredControlToken[]>;
  /** Throws a Problem: 409 for a name in use, 422 for what cannot be, 503 when there are too many or it cannot be written. */
  create(order: TokenOrder): Promise<{ readonly token: StoredControlToken; readonly secret: string }>;
  /** False when there is no such token. */
  revoke(name: string): Promise<boolean>;
  /** The token of a secret, expired or not. Undefined for a text that is not a secret of a token. */
  find(secret: string): Promise<StoredControlToken | undefined>;
  /** Whether there is a token that has not expired. */
  areThere(): Promise<boolean>;
};

/** Whether a text has the form of a secret of a named token. */
export const isNamedSecret = (text: string): boolean => text.startsWith(secretPrefix);

/** `now` is in milliseconds since 1970. `onError` gets what could not be noted: it concerns no client. */
export const createNamedTokens = (
  store: ControlTokenStore,
  { now, onError }: { readonly now: () => number; readonly onError: (error: unknown) => void },
): NamedTokens => {
  const list = async (): Promise<readonly StoredControlToken[]> => {
    const at = now();
    return (await store.load()).filter((token) => !isExpired(token, at));
  };
  const noteUse = createUseNotes(store, onError);
  return {
    list,
    areThere: async () => (await list()).length > 0,
    create: async (order) => {
      refuseOrder(order);
      const secret = secretPrefix + randomBytes(32).toString('base64url');
      const token = tokenOf(order, hashOf(secret), now());
      const put = await store.put(token, { now: now(), most: tokenLimit });
      if (put === 'taken') throw conflict(`There is a control token "${token.name}" already. Revoke it first.`);
      if (put === 'full') throw unavailable(`There are ${tokenLimit} control tokens already. Revoke some.`);
      return { token, secret };
    },
    revoke: (name) => store.remove(name),
    find: async (secret) => {
      if (!isNamedSecret(secret)) return undefined;
      const found = withHash(await store.load(), hashOf(secret));
      if (found !== undefined) await noteUse(found, dayOf(now()));
      return found;
    },
  };
};

const refuseOrder = ({ name, right, prefix }: TokenOrder): void => {
  if (['anonymous', 'loopback'].includes(name)) {
    throw unprocessable(`"${name}" cannot be the name of a control token: the log calls callers without a token so.`);
  }
  if (right === 'worlds' && prefix === undefined) {
    throw unprocessable('The right "worlds" needs a prefix: with what the names of its worlds begin.');
  }
  if (right !== 'worlds' && prefix !== undefined) {
    throw unprocessable(`A prefix goes with the right "worlds". The right "${right}" has none.`);
  }
};

const tokenOf = (
  { name, right, prefix, ttl }: TokenOrder,
  secretHash: string,
  created: number,
): StoredControlToken => ({
  ...{ name, right, prefix: prefix ?? null, secretHash, created },
  expires: ttl === undefined ? null : created + Math.ceil(ttl * 1000),
  lastUsed: null,
});

/** Without a salt: nobody can try 256 random bits. */
const hashOf = (secret: string): string => createHash('sha256').update(secret).digest('hex');

/** Compares with every token, each in the same time, so that the time tells neither which one nor how much of it was right. */
const withHash = (tokens: readonly StoredControlToken[], secretHash: string): StoredControlToken | undefined => {
  const wanted = Buffer.from(secretHash, 'hex');
  return tokens.filter((token) => timingSafeEqual(Buffer.from(token.secretHash, 'hex'), wanted))[0];
};

const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/** Notes each use of a new day once in this process. A full disk refuses no request here. */
const createUseNotes = (store: ControlTokenStore, onError: (error: unknown) => void) => {
  const noted = new Map<string, string>();
  return async ({ name, secretHash, lastUsed }: StoredControlToken, day: string): Promise<void> => {
    if (lastUsed === day || noted.get(secretHash) === day) return;
    if (noted.size > tokenLimit) noted.clear();
    noted.set(secretHash, day);
    await store.markUsed(name, day).catch(onError);
  };
};
