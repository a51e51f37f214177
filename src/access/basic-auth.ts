/** The provider `basic_auth`: HTTP Basic (RFC 7617). How a password is checked is not known here. */
import type { Provider } from './access.ts';
import type { Accounts } from './accounts.ts';
import { isActive } from './accounts.ts';
import type { SignIn } from './sign-in.ts';

/** Wrong, unknown, blocked and flooded are all refused alike (reference 5.1). */
export const createBasicAuth = (accounts: Accounts, signIn: SignIn): Provider => ({
  name: 'basic_auth',
  recognise: async ({ headers, address }) => {
    const credentials = readBasic(headers['authorization']);
    if (credentials === undefined) return undefined;
    const { name, password } = credentials;
    const account = await accounts.named(name);
    const active = isActive(account) ? account : undefined;
    const outcome = await signIn({ name, password, address, passwordHash: active?.password });
    return outcome === 'accepted' && active !== undefined
      ? accounts.accepted(active, 'basic_auth')
      : accounts.refused('basic_auth');
  },
});

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
