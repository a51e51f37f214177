/** Every line of the table of permissions, as requests of an account that holds nothing else. */
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Role } from '../../../src/repository/repository.ts';
import { withFields } from '../../content/other-sites.ts';
import { createTestAtoll, type TestAtoll } from '../../support/atoll.ts';
import { authorizationOf, paths, prepare, sendings, type Sending } from './access-setting.ts';
import { allowingTable, heldElsewhere, idleTable, linesOf } from './permission-table.ts';
import { entityKey } from '../../../src/openapi/openapi-records.ts';

const namesIn = (list = ''): readonly string[] => (list === '' ? [] : list.split(', '));

/** A request, and the member that the answer must have for the deed to be allowed. */
type Deed = Sending & { readonly method: string; readonly path: string; readonly shows?: string };

const json = (body: object): Sending => ({
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify(body),
});
const ofObject = (more: object): Sending => json({ type: [{ target_id: 'islandora_object' }], ...more });

const of = (resource: string, method: string, state: string): Deed => ({
  ...{ method, path: paths[`${resource} ${state}`] ?? '' },
  ...(sendings[`${resource} ${method}`] ?? { headers: {} }),
});
const ownNode = of('node', 'GET', 'published').path;
const change = (more: object): Deed => ({ method: 'PATCH', path: ownNode, ...ofObject(more) });

/** Things of the account itself are `own`. */
const deeds: Readonly<Record<string, Deed>> = {
  'read a node': of('node', 'GET', 'foreign'),
  'read an own hidden node': of('node', 'GET', 'unpublished'),
  "read another's hidden node": of('node', 'GET', 'secret'),
  'make a node': of('nodes', 'POST', 'there'),
  'make a node with the custom field': {
    ...of('nodes', 'POST', 'there'),
    ...ofObject({ title: [{ value: 'A' }], field_model: [{ target_id: 24 }], field_custom: [{ value: 'x' }] }),
  },
  'change an own node': of('node', 'PATCH', 'published'),
  "change another's node": of('node', 'PATCH', 'foreign'),
  'hide an own node': change({ status: [{ value: false }] }),
  'close the comments of an own node': change({ field_comment: [{ status: 1 }] }),
  'give an own node an alias': change({ path: [{ alias: '/table/own' }] }),
  'write another text format': change({ field_text: [{ value: 'x', format: 'full_html' }] }),
  'see the private field of another': { ...of('node', 'GET', 'foreign'), shows: 'field_private' },
  'see the custom field of an own node': { ...of('node', 'GET', 'published'), shows: 'field_custom' },
  'see the custom field of another': { ...of('node', 'GET', 'foreign'), shows: 'field_custom' },
  'change the custom field of an own node': change({ field_custom: [{ value: 'y' }] }),
  'delete an own node': of('node', 'DELETE', 'published'),
  "delete another's node": of('node', 'DELETE', 'foreign'),
  'read a media': of('media', 'GET', 'foreign'),
  'read an own hidden media': of('media', 'GET', 'unpublished'),
  "read another's hidden media": of('media', 'GET', 'secret'),
  'make a media': of('media list', 'POST', 'there'),
  'upload to an own node': of('upload', 'PUT', 'published'),
  'upload a file for a media': of('standard upload', 'POST', 'there'),
  'change an own media': of('media', 'PATCH', 'published'),
  "change another's media": of('media', 'PATCH', 'foreign'),
  'replace the bytes of a media': of('source', 'PUT', 'foreign'),
  'delete an own media': of('media', 'DELETE', 'published'),
  "delete another's media": of('media', 'DELETE', 'foreign'),
  'read a public file': of('public file', 'GET', 'foreign'),
  'read a guarded file': of('external file', 'GET', 'foreign'),
  'delete an own file': of('public file', 'DELETE', 'published'),
  "delete another's file": of('public file', 'DELETE', 'foreign'),
  'read a checksum': { ...of('checksum', 'GET', 'published'), shows: '0' },
  'read a term': of('term', 'GET', 'published'),
  'read a hidden term': of('term', 'GET', 'unpublished'),
  'look a term up': { ...of('term by uri', 'GET', 'published'), shows: '0' },
  'list a vocabulary': { ...of('terms of kind', 'GET', 'published'), shows: '0' },
  'make a term': of('terms', 'POST', 'there'),
  'change a term': of('term', 'PATCH', 'published'),
  'delete a term': of('term', 'DELETE', 'published'),
  'read an account': of('user', 'GET', 'published'),
  'read a blocked account': of('user', 'GET', 'unpublished'),
  'see the address of an account': { ...of('user', 'GET', 'published'), shows: 'mail' },
  'see the roles of an account': { ...of('user', 'GET', 'published'), shows: 'roles' },
  'make an alias': of('aliases', 'POST', 'there'),
  'read an alias': of('alias', 'GET', 'published'),
  'make a redirect': of('redirects', 'POST', 'there'),
  'read a redirect': of('redirect', 'GET', 'published'),
  'read a form': of('form display', 'GET', 'published'),
  'read a field': of('field', 'GET', 'published'),
  'read a field storage': of('field storage', 'GET', 'published'),
  'read a media type': of('media type', 'GET', 'published'),
  'read a vocabulary': of('vocabulary', 'GET', 'published'),
  'read a content type': of('content type', 'GET', 'published'),
  'ask the module of Workbench': of('module version', 'GET', 'there'),
};

/** The account has one role, whose permissions each line says. */
const roles = new Map<string, Role>();
const hold = (permissions: readonly string[]): void => {
  const empty: Role = { id: 'authenticated', uuid: '', label: '', isAdmin: false, permissions: [] };
  roles.set('authenticated', empty);
  roles.set('owner', { ...empty, id: 'owner', permissions });
};

let atoll: TestAtoll;
const plain = { label: '', cardinality: 1, required: false, configured: true, translatable: false };
beforeAll(async () => {
  atoll = await createTestAtoll({
    site: (site) => ({
      ...withFields(site, 'node', 'islandora_object', [
        { ...plain, name: 'field_custom', type: 'string', access: 'custom' },
        { ...plain, name: 'field_private', type: 'string', access: 'private' },
        { ...plain, name: 'field_comment', type: 'comment' },
        { ...plain, name: 'path', type: 'path', configured: false },
        { ...plain, name: 'field_text', type: 'text_long' },
      ]),
      ...{ roles, textFormats: ['plain_text', 'full_html'] },
    }),
  });
  await prepare(await atoll.reset());
});

const isAllowed = async ({ method, path, headers, body, shows }: Deed, as: Record<string, string>) => {
  const answer = await atoll
    .send(method, path)
    .set({ ...headers, ...as })
    .send(body);
  if (answer.status >= 500) throw new Error(`${method} ${path}: ${answer.text}`);
  if (answer.status >= 300) return false;
  // A write that came through changes what the next deed finds.
  if (method !== 'GET') await prepare(await atoll.reset());
  return shows === undefined || Object.hasOwn(answer.body as object, shows);
};

const kept = new Map<string, readonly string[]>();
/** The deeds of an account that holds these. */
const allowedTo = async (permissions: readonly string[]): Promise<readonly string[]> => {
  const key = permissions.join();
  const known = kept.get(key);
  if (known !== undefined) return known;
  hold(permissions);
  // What an account may is remembered until its record changes.
  const account = entityKey('user', 6);
  await atoll.world().store.transact([account], (view) => {
    const record = view.get(account);
    return { changes: record === undefined ? [] : [{ put: { ...record } }], result: undefined };
  });
  const as = await authorizationOf(atoll.world(), 'owner');
  const found: string[] = [];
  for (const [name, deed] of Object.entries(deeds)) if (await isAllowed(deed, as)) found.push(name);
  kept.set(key, found);
  return found;
};

const allowing = linesOf(allowingTable).map(([permission = '', beside, allows]) => ({
  ...{ permission, beside: namesIn(beside), allows: namesIn(allows) },
}));
const idle = linesOf(idleTable).map(([permission = '', why = '']) => ({ permission, why }));

const elsewhere = linesOf(heldElsewhere).map(([permission = '']) => permission);

describe('A permission', () => {
  it.each(allowing)('"$permission" allows: $allows', async ({ permission, beside, allows }) => {
    const before = await allowedTo(beside);
    const after = await allowedTo([...beside, permission]);
    expect(after.filter((deed) => !before.includes(deed))).toEqual(allows);
  });

  it('of the other table allows nothing, and a reason is there', async () => {
    const beside = ['access content', 'edit own islandora_object content'];
    const all = idle.map(({ permission }) => permission);
    expect(await allowedTo([...beside, ...all])).toEqual(await allowedTo(beside));
    expect(idle.filter(({ why }) => why === '')).toEqual([]);
  });

  it('has one line', () => {
    const all = [...[...allowing, ...idle].map(({ permission }) => permission), ...elsewhere];
    expect(all.filter((name, index) => all.indexOf(name) !== index)).toEqual([]);
  });
});
