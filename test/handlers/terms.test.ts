/** The permission to make terms of a vocabulary. The rest is in `test/expected/default/terms-and-accounts.yml` and `lists.yml`. */
import { expect, it } from '@jest/globals';
import { createTestAtoll } from '../support/atoll.ts';
import { messageOf } from '../support/requests.ts';

it('POST /taxonomy/term answers 403 with the vocabulary of the body to who may make terms of others', async () => {
  const narrow = await createTestAtoll({
    site: (site) => {
      const editor = site.roles.get('editor');
      if (editor === undefined) throw new Error('The default site has no editor');
      const permissions = editor.permissions.filter((permission) => permission !== 'create terms in subject');
      return { ...site, roles: new Map([...site.roles, ['editor', { ...editor, permissions }]]) };
    },
  });
  const refused = await narrow.send('POST', '/taxonomy/term', 'editor').send({ vid: 'subject', name: ['x'] });
  expect([refused.status, messageOf(refused)]).toEqual([
    403,
    "The following permissions are required: 'create terms in subject' OR 'administer taxonomy'.",
  ]);
});
