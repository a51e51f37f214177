/** Who a request comes from: the one question that the engine asks before everything else. Nothing is refused here. */
import type { Access, CredentialSource } from './access.ts';
import type { Identity } from './principal.ts';

/** The first provider that recognises credentials decides, for better or worse; without any the visitor is anonymous. */
export const identify = async (
  access: Pick<Access, 'anonymous' | 'providers'>,
  source: CredentialSource,
): Promise<Identity> => {
  for (const provider of access.providers) {
    const identity = await provider.recognise(source);
    if (identity !== undefined) return identity;
  }
  return { principal: access.anonymous, credentials: 'none', provider: undefined };
};
