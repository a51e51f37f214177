/** `mint_token`: a JSON Web Token of an account, for the agent's own client. */
import { valueAt } from '../../basics/json-pointer.ts';
import { parsedJson } from '../../basics/json.ts';
import { accountsOf, passwordOf } from '../session/accounts.ts';
import { optional, structure, text } from '../shape.ts';
import { defineTool } from '../tool.ts';
import { worldName } from '../sandbox/sandbox-request.ts';

export const mintToken = defineTool({
  name: 'mint_token',
  title: 'Mint a token',
  description:
    'A token of an account, for a client of yours to send as "Authorization: Bearer …". try_request needs none.',
  hints: { readOnly: true },
  input: structure({ world: optional(worldName), account: text('The name of the account.', { maxLength: 100 }) }),
  output: structure({
    world: text('The world. The token is good there.'),
    account: text('Whose token it is.'),
    token: text('The token. It is a secret: keep it out of files that are shared.'),
    header: text('How to send it.'),
    expires: optional(text('Until when it is good, by the clock of the world.')),
  }),
  run: async ({ world: name, account }, call) => {
    const world = await call.world(name);
    const token = await world.token(account, passwordOf(await accountsOf(call, world), account));
    const until = expiryOf(token);
    return {
      ...{ world: world.name, account, token, header: 'Authorization: Bearer <token>' },
      expires: until,
    };
  },
});

/** RFC 7519 §4.1.4. */
const expiryOf = (token: string): string | undefined => {
  const claims = Buffer.from(token.split('.')[1] ?? '', 'base64url').toString();
  const exp = valueAt(parsedJson(claims), ['exp']);
  return typeof exp === 'number' ? new Date(exp * 1000).toISOString() : undefined;
};
