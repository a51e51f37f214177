/** Finds out who sent a request, by the first provider that recognises its credentials. */
import type { Identity } from '../model/principal.ts';
import type { Access, CredentialSource } from './access.ts';

/** The identity of the request. Without credentials it is the anonymous visitor. */
export const authenticate = async (source: CredentialSource, access: Access): Promise<Identity> => {
  for (const provider of access.providers) {
    const recognised = provider.recognise(source);
    // A provider without its credentials answers synchronously. Awaiting its answer would cost more than the call.
    const identity = recognised instanceof Promise ? await recognised : recognised;
    if (identity !== undefined) return identity;
  }
  return anonymousIdentity(access);
};

export const anonymousIdentity = ({ anonymous }: Pick<Access, 'anonymous'>): Identity => ({
  principal: anonymous,
  credentials: 'none',
  provider: undefined,
});
