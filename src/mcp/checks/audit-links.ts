/** `audit_links`: follows the links of a world and says which do not hold. */
import { accountsOf, anonymousName, passwordOf } from '../session/accounts.ts';
import { list, optional, structure, text, whole } from '../shape.ts';
import { dataNotice, notice, defineTool } from '../tool.ts';
import { addressIn, worldName } from '../sandbox/sandbox-request.ts';

export const auditLinks = defineTool({
  name: 'audit_links',
  title: 'Audit links',
  description:
    'Follows the links of a world from some entities on, as each account, and reports those that are dead, hidden, of a wrong type, or lead one way only.',
  hints: { readOnly: true },
  input: structure({
    world: optional(worldName),
    accounts: optional(
      list(text('A name.'), 'The accounts that send; anonymous when left out.', { minItems: 1, maxItems: 5 }),
    ),
    from: optional(
      list(text('A path.', { pattern: '^/' }), 'Where to begin; /node/1 when left out.', { minItems: 1, maxItems: 20 }),
    ),
  }),
  output: structure({
    world: text('The world.'),
    walks: list(
      structure({
        account: text('The account.'),
        entities: whole('How many it saw.'),
        links: whole('How many it met.'),
      }),
      'What was walked.',
    ),
    notice,
    data: list(
      structure({
        rule: text('What does not hold.'),
        account: text('The account that met it.'),
        address: text('Where.'),
        text: text('What is wrong.'),
      }),
      'The findings.',
    ),
  }),
  long: 'data',
  run: async ({ world: name, accounts = [anonymousName], from = ['/node/1'] }, call) => {
    const world = await call.world(name);
    const known = await accountsOf(call, world);
    const as = accounts.map((name) => ({
      name,
      password: name === anonymousName ? undefined : passwordOf(known, name),
    }));
    // Loaded here, because few other tools need the checks.
    const checks = await import('../../checks/checks.ts');
    const { walks, findings } = await checks.auditLinks({
      ...{ base: world.url, from: from.map((path) => addressIn(world, path)), as, signal: call.signal },
    });
    return {
      world: world.name,
      walks: walks.map(({ visitor, pages }) => ({
        account: visitor.name,
        entities: pages.size,
        links: [...pages.values()].reduce((sum, links) => sum + links.length, 0),
      })),
      notice: dataNotice('data'),
      data: findings.map(({ rule, visitor, address, text: found }) => ({
        rule,
        account: visitor,
        address,
        text: found,
      })),
    };
  },
});
