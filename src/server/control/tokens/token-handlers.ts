/** Lists, makes and revokes named control tokens. */
import type { components } from '../../../client/generated/control.ts';
import { type StoredControlToken, jsonReply } from '../../../openapi/openapi-host.ts';
import type { ControlHandlers } from '../control-handlers.ts';
import { isoTime } from '../world-handlers.ts';
import type { NamedTokens } from './named-tokens.ts';
import { notFound } from '../../../openapi/openapi-terms.ts';

type Schemas = components['schemas'];

export const tokenHandlers = (
  tokens: NamedTokens,
): Pick<ControlHandlers, 'listTokens' | 'createToken' | 'revokeToken'> => ({
  listTokens: async () => async () => jsonReply({ tokens: (await tokens.list()).map(tokenBody) }),
  createToken:
    async () =>
    async ({ json }) => {
      const { token, secret } = await tokens.create(json);
      return jsonReply({ ...tokenBody(token), secret }, 201);
    },
  revokeToken:
    async ({ path }) =>
    async () => {
      if (await tokens.revoke(path.token_name)) return { status: 204 };
      throw notFound(`There is no control token "${path.token_name}".`);
    },
});

const tokenBody = ({
  created,
  expires,
  name,
  right,
  prefix,
  lastUsed,
}: StoredControlToken): Schemas['ControlToken'] => ({
  ...{ name, right, prefix, lastUsed, created: isoTime(created) },
  expires: expires === null ? null : isoTime(expires),
});
