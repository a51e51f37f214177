/** The `json` format against what was recorded. */
import { describe, expect, it } from '@jest/globals';
import { type Principal, createModel, readFrom, type Site } from '../../src/repository/repository.ts';
import { renderJson } from '../../src/repository/repository-content.ts';
import { exchange, exchanges, recording } from '../contract/recordings/exchanges.ts';
import {
  asBody,
  entityOf,
  site,
  recordsOf,
  storeOf,
  targetsOfBody,
  typeOfBody,
  without,
  type RecordedBody,
} from './recorded.ts';
import type { Entity } from '../../src/openapi/openapi-records.ts';

const baseUrl = 'http://localhost:8000';
const context = { site, baseUrl, basePath: '' };

/** The site with the uuids of bundles that the recorded server had. */
const siteOf = (body: RecordedBody): Site => {
  const names = Object.values(body).flatMap((items) =>
    items.filter((item) => /_type$|vocabulary$/.test(String(item['target_type']))),
  );
  const uuids = new Map(names.map((item) => [item['target_id'], String(item['target_uuid'])]));
  const all = (['node', 'media', 'file', 'taxonomy_term', 'user'] as const).flatMap((type) => site.model.bundles(type));
  return {
    ...site,
    model: createModel(all.map((bundle) => ({ ...bundle, uuid: uuids.get(bundle.id) ?? bundle.uuid }))),
  };
};

const renderAgain = (body: RecordedBody) =>
  renderJson(entityOf(body), { ...context, site: siteOf(body), records: recordsOf(targetsOfBody(body)) });

/** Decisions, Readings: no `path`; logs stay for every viewer and are `[]` when empty; access terms are a field of the bundle. */
const expected = (recorded: RecordedBody): RecordedBody => {
  const body = without(recorded, 'path');
  const type = typeOfBody(body);
  const log = type === 'node' ? 'revision_log' : 'revision_log_message';
  const written = body[log]?.some((item) => item['value'] !== null) ? body[log] : [];
  return {
    ...body,
    ...(type === 'file' ? {} : { [log]: written }),
    ...(type === 'node' ? { field_access_terms: body['field_access_terms'] ?? [] } : {}),
  };
};

describe('json of the documentation samples', () => {
  it.each([
    'docs-node-get-2',
    'docs-node-post-201',
    'docs-node-patch-title-200',
    'docs-node-patch-model-200',
    'docs-node-patch-memberof-200',
    'docs-media-image-get-1-fedora',
    'docs-media-image-get-2',
    'docs-file-get-2-fedora',
    'docs-file-get-3',
  ])('%s is rendered as it was, member for member', async (name) => {
    const body = asBody(recording(name));
    const entity = entityOf(body);
    const rendered = renderJson(entity, { ...context, records: recordsOf(targetsOfBody(body)) });
    expect(rendered).toEqual(body);
    expect(Object.keys(rendered)).toEqual(Object.keys(body));
  });

  it('docs-node-get-3 is rendered as it was, with the empty access terms that it left out', async () => {
    const body = asBody(recording('docs-node-get-3'));
    expect(renderAgain(body)).toEqual({ ...body, field_access_terms: [] });
  });
});

describe('json of the observed records', () => {
  const records = [
    'observed-link-headers',
    'observed-terms-login-cookie-fileupload',
    'observed-deletes-dangling-unpublished',
    'observed-media-and-file',
    'observed-upload-endpoint',
  ].flatMap((name) =>
    exchanges(name)
      .filter(({ response }) => typeOfBody(response.body) !== undefined)
      // file 1 of that set-up lay outside every storage, by a uri that was typed in
      .filter(({ response }) => !JSON.stringify(response.body).includes('8000/x/pic.png'))
      .map(({ label, response }) => ({ name, label, body: asBody(response.body) })),
  );

  it('has records of every kind to compare with', () => {
    const kinds = new Set(records.map(({ body }) => typeOfBody(body)));
    expect([...kinds].sort()).toEqual(['file', 'media', 'node', 'taxonomy_term']);
    expect(records.length).toBeGreaterThan(25);
  });

  it.each(records)('$name, "$label" is rendered as it was', async ({ body }) => {
    expect(renderAgain(body)).toEqual(expected(body));
  });

  it('a dead reference is its target_id alone, a dead image keeps its columns', async () => {
    const labels = exchanges('observed-deletes-dangling-unpublished').map(({ response }) =>
      JSON.stringify(response.body),
    );
    const dead = '"field_member_of":[{"target_id":99}]';
    expect(labels.some((text) => text.includes(dead))).toBe(true);
    const media = entityOf(asBody(recording('docs-media-image-get-1-fedora')));
    const rendered = renderJson(media, { ...context, records: recordsOf([]) });
    expect(rendered['field_media_image']).toEqual([
      { target_id: 2, alt: 'A portrait of Louis Riel', title: '', width: 800, height: 1333 },
    ]);
    expect(rendered['uid']).toEqual([{ target_id: 1 }]);
  });
});

const node = (fields: Entity['fields']): Entity => ({
  type: 'node',
  id: 7,
  uuid: 'u-7',
  bundle: 'islandora_object',
  fields,
});

describe('json in general', () => {
  it('asks the store once, whatever the record refers to', async () => {
    const body = asBody(exchange('observed-link-headers', 'media links as viewer').response.body);
    const store = storeOf(targetsOfBody(body));
    const rendered = await readFrom(store, (records) => renderJson(entityOf(body), { ...context, records }));
    expect(store.calls).toBe(1);
    expect(rendered).toEqual(renderJson(entityOf(body), { ...context, records: recordsOf(targetsOfBody(body)) }));
  });

  it('prefixes site-relative addresses with the base path of the world, and content with the base URL', async () => {
    const world = { site, baseUrl: 'http://localhost:8000/~w7', basePath: '/~w7' };
    const file = asBody(recording('docs-file-get-3'));
    const renderedFile = renderJson(entityOf(file), { ...world, records: recordsOf(targetsOfBody(file)) });
    expect(renderedFile['uri']).toEqual([
      { value: 'public://2019-03/1-Service File.jpg', url: '/~w7/sites/default/files/2019-03/1-Service%20File.jpg' },
    ]);
    const media = asBody(recording('docs-media-image-get-2'));
    const rendered = renderJson(entityOf(media), { ...world, records: recordsOf(targetsOfBody(media)) });
    expect(rendered).toMatchObject({
      field_media_of: [{ url: '/~w7/node/1' }],
      field_media_image: [{ url: 'http://localhost:8000/~w7/sites/default/files/2019-03/1-Service%20File.jpg' }],
    });
  });

  it('shows the relation of a typed relation between target_id and target_type', async () => {
    const person: Entity = { type: 'taxonomy_term', id: 34, uuid: 'u-34', bundle: 'person', fields: {} };
    const rendered = renderJson(node({ field_linked_agent: [{ target_id: 34, rel_type: 'relators:aut' }] }), {
      ...context,
      records: recordsOf([person]),
    });
    expect(rendered['field_linked_agent']).toEqual([
      {
        target_id: 34,
        rel_type: 'relators:aut',
        target_type: 'taxonomy_term',
        target_uuid: 'u-34',
        url: '/taxonomy/term/34',
      },
    ]);
  });

  it('escapes the HTML of formatted text and makes paragraphs of it', async () => {
    const term: Entity = {
      type: 'taxonomy_term',
      id: 90,
      uuid: 'u-90',
      bundle: 'person',
      fields: { description: [{ value: 'a <b> & "c"\r\nd\n\n\ne' }] },
    };
    const rendered = renderJson(term, { ...context, records: recordsOf([]) });
    expect(rendered['description']).toEqual([
      {
        value: 'a <b> & "c"\r\nd\n\n\ne',
        format: null,
        processed: '<p>a &lt;b&gt; &amp; &quot;c&quot;<br />\nd</p>\n<p>e</p>\n',
      },
    ]);
  });

  it('refuses a record whose bundle has left the site', async () => {
    const lost = { ...node({}), bundle: 'page' };
    expect(() => renderJson(lost, { ...context, records: recordsOf([]) })).toThrow('no bundle "page"');
  });
});

describe('json of an account', () => {
  const account: Entity = {
    type: 'user',
    id: 2,
    uuid: 'u-2',
    bundle: 'user',
    password: 'scrypt$secret',
    fields: {
      ...{ name: [{ value: 'editor' }], status: [{ value: true }], mail: [{ value: 'e@example.org' }] },
      roles: [{ target_id: 'viewer' }, { value: 'editor' }, { target_id: 'gone' }],
    },
  };
  const principal = (uid: number, mayEverything: boolean): Principal => ({
    uid,
    name: '',
    roles: [],
    permissions: new Set(['access user profiles']),
    mayEverything,
  });
  const open = ['uid', 'uuid', 'langcode', 'name', 'created', 'changed', 'default_langcode'];
  const own = [...open, 'preferred_langcode', 'preferred_admin_langcode', 'mail', 'timezone'];
  const all = [...own, 'status', 'access', 'login', 'init', 'roles'];
  const manager = { ...principal(9, false), permissions: new Set(['administer users']) };

  it.each([
    ['another account', principal(3, false), open],
    ['nobody in particular', undefined, open],
    ['the account itself', principal(2, false), own],
    ['who may administer accounts', manager, all],
    ['an administrator', principal(9, true), all],
  ])('shows %s the members that are meant for it, and never the password', async (_who, viewer, members) => {
    const rendered = renderJson(account, { ...context, viewer, records: recordsOf([]) });
    expect(Object.keys(rendered).sort()).toEqual([...members].sort());
    expect(JSON.stringify(rendered)).not.toContain('secret');
  });

  it('shows roles as references, also those of older records; of a role that is gone only its name', async () => {
    const { roles } = renderJson(account, { ...context, viewer: manager, records: recordsOf([]) });
    const role = (id: string) => ({
      ...{ target_id: id, target_type: 'user_role' },
      target_uuid: context.site.roles.get(id)?.uuid,
    });
    expect(roles).toEqual([role('viewer'), role('editor'), { target_id: 'gone' }]);
    expect(JSON.stringify(roles)).toMatch(/"target_uuid":"[0-9a-f-]{36}"/);
  });
});
