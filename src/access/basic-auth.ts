/** The provider `basic_auth`: HTTP Basic (RFC 7617). How a password is checked is not known here. */
import type { Provider } from './access.ts';
import type { Accounts } from './accounts.ts';
import { isActive } from './accounts.ts';
import { createBoundedMap } from './bounded-map.ts';
import type { CredentialCache, Fingerprint } from './credential-cache.ts';
import type { Flood } from './flood.ts';
import type { Finding, LastCaller } from './last-caller.ts';
import type { Identity } from '../model/principal.ts';
import type { SignIn } from './sign-in.ts';

/** What a header says, as far as it may lie in memory. */
type Named = { readonly name: string; readonly fingerprint: Fingerprint };

const namedLimit = 1000;

export type BasicAuthParts = {
  readonly accounts: Accounts;
  readonly signIn: SignIn;
  readonly cache: CredentialCache;
  /** What `signIn` counts by. */
  readonly flood: Flood;
  readonly lastCaller: LastCaller;
};

/** Wrong, unknown, blocked and flooded are all refused alike (reference 5.1). */
export const createBasicAuth = ({ accounts, signIn, cache, flood, lastCaller }: BasicAuthParts): Provider => {
  // The same header comes with every request of a client: it is taken apart once.
  const known = createBoundedMap<Fingerprint, Named>(namedLimit);
  const named = (header: string): Named | undefined => {
    const mark = cache.fingerprint(header);
    const before = known.get(mark);
    if (before !== undefined) return before;
    const credentials = readBasic(header);
    if (credentials === undefined) return undefined;
    const { name, password } = credentials;
    const made: Named = { name, fingerprint: cache.fingerprint(name, password) };
    known.set(mark, made);
    return made;
  };
  const judge = async (header: string, { name, fingerprint }: Named, address: string): Promise<Identity | Finding> => {
    const account = await accounts.named(name);
    const active = isActive(account) ? account : undefined;
    const password = (): string => readBasic(header)?.password ?? '';
    const outcome = await signIn({ name, fingerprint, password, address, passwordHash: active?.password });
    return outcome === 'accepted' && active !== undefined
      ? { identity: accounts.accepted(active, 'basic_auth'), begins: 0, ends: cache.ends(fingerprint) }
      : accounts.refused('basic_auth');
  };
  return {
    name: 'basic_auth',
    recognise: (source) => {
      // After a failure every attempt counts, and a good one clears what was counted.
      const known = flood.isIdle() ? lastCaller.find(source) : undefined;
      if (known !== undefined) return known;
      const header = source.headers['authorization'];
      const claimed = header === undefined || !isBasic.test(header) ? undefined : named(header);
      if (header === undefined || claimed === undefined) return undefined;
      return lastCaller.look(source, () => judge(header, claimed, source.address));
    },
  };
};

const isBasic = /^basic /i;

/**
 * The name and password of an Authorization header, as UTF-8; the password begins after the first colon. Undefined where there
 * are none: another scheme, bad base64 or UTF-8, no colon, an empty part, control characters (RFC 7617 §2). The
 * reference takes such a header for no credential at all (reference 1.3).
 */
export const readBasic = (
  header: string | undefined,
): { readonly name: string; readonly password: string } | undefined => {
  const encoded = /^basic +([A-Za-z0-9+/]+={0,2})$/i.exec(header ?? '')?.[1];
  const pair = encoded === undefined ? undefined : decodeUtf8(Buffer.from(encoded, 'base64'));
  const match = /^([^:\u0000-\u001f\u007f]+):([^\u0000-\u001f\u007f]+)$/.exec(pair ?? '');
  const [, name, password] = match ?? [];
  return name === undefined || password === undefined ? undefined : { name, password };
};

const decodeUtf8 = (bytes: Uint8Array): string | undefined => {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
};
