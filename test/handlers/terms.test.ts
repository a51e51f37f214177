/** Terms beyond the contract: created, changed, deleted, and looked up by URI and by name. Shared refusals are in `refusals.test.ts`. */
import { beforeEach, describe, expect, it } from '@jest/globals';
import { baseUrl, createTestAtoll } from '../support/atoll.ts';
import { messageOf, type RecordBody, recordOf } from '../support/requests.ts';

const atoll = await createTestAtoll();
beforeEach(() => atoll.reset());

const idsIn = (response: { body: unknown }): unknown[] =>
  (response.body as RecordBody[]).map((term) => term['tid']?.[0]?.['value']); // a list of records, checked by the engine

const vid = [{ target_id: 'subject' }];
const post = (body: object, as = 'editor') => atoll.send('POST', '/taxonomy/term?_format=json', as).send(body);
const patch = (id: number, body: object, as = 'admin') =>
  atoll.send('PATCH', `/taxonomy/term/${id}?_format=json`, as).send(body);
const remove = (id: number, as = 'admin') => atoll.send('DELETE', `/taxonomy/term/${id}?_format=json`, as);

describe('POST /taxonomy/term', () => {
  it('answers 201 with the address and the record', async () => {
    const response = await post({ vid, name: [{ value: 'Sailmaking' }] }).expect(201);
    const term = recordOf(response);
    const tid = String(term['tid']?.[0]?.['value']);
    expect(response.headers['location']).toBe(`${baseUrl}/taxonomy/term/${tid}`);
    const now = [{ value: '2024-05-01T12:00:00+00:00', format: 'Y-m-d\\TH:i:sP' }];
    expect(term).toMatchObject({
      vid: [{ target_id: 'subject', target_type: 'taxonomy_vocabulary' }],
      langcode: [{ value: 'en' }],
      status: [{ value: true }],
      name: [{ value: 'Sailmaking' }],
      description: [],
      weight: [{ value: 0 }],
      parent: [{ target_id: null }],
      changed: now,
      default_langcode: [{ value: true }],
      content_translation_uid: [{ target_id: 2, target_type: 'user' }],
      content_translation_created: now,
    });
    // What was read has an item for the description that is not there, what was written has none.
    const noDescription = [{ value: null, format: null, processed: '' }];
    expect(recordOf(await atoll.send('GET', `/taxonomy/term/${tid}?_format=json`).expect(200))).toEqual({
      ...term,
      description: noDescription,
    });
    expect(recordOf(await patch(Number(tid), { vid, weight: [{ value: 1 }] }).expect(200))['description']).toEqual([]);
    expect(recordOf(await patch(Number(tid), { vid }).expect(200))['description']).toEqual(noDescription);
    // That item counts: no item at all is another description, a save, and then nothing to read.
    for (const [description, shown, moves] of [
      [noDescription, noDescription, false],
      [[], [], true],
      [null, [], true],
    ] as const) {
      atoll.clock.advance(60);
      const before = recordOf(await atoll.send('GET', `/taxonomy/term/${tid}?_format=json`));
      const after = recordOf(await patch(Number(tid), { vid, description }).expect(200));
      expect([after['description'], after['changed']?.[0]?.['value'] !== before['changed']?.[0]?.['value']]).toEqual([
        shown,
        moves,
      ]);
    }
    atoll.clock.advance(-180);
    const described = await patch(Number(tid), { vid, description: [{ value: 'D' }] }).expect(200);
    expect(recordOf(described)['description']).toEqual([{ value: 'D', format: null, processed: '<p>D</p>\n' }]);
  });

  it('takes what Workbench sends: status, description, weight, the root as parent, default_langcode', async () => {
    const response = await post({
      vid: [{ target_id: 'subject', target_type: 'taxonomy_vocabulary' }],
      status: [{ value: true }],
      name: [{ value: 'Rope walks' }],
      description: [{ value: 'Where ropes were made', format: null }],
      weight: [{ value: 3 }],
      parent: [{ target_type: 'taxonomy_term', target_id: null }],
      default_langcode: [{ value: true }],
    }).expect(201);
    expect(recordOf(response)).toMatchObject({ weight: [{ value: 3 }], parent: [{ target_id: null }] });
  });

  it('answers 403 with the first vocabulary, with the one of the body, and for a field that nobody may set', async () => {
    expect(messageOf(await post({ vid, name: [{ value: 'x' }] }, 'plain').expect(403))).toBe(
      "The following permissions are required: 'create terms in corporate_body' OR 'administer taxonomy'.",
    );
    expect(messageOf(await post({ vid, name: [{ value: 'x' }], changed: [{ value: 5 }] }).expect(403))).toBe(
      "Access denied on creating field 'changed'.",
    );
    const roles = new Map(atoll.site.roles);
    const editor = roles.get('editor');
    if (editor === undefined) throw new Error('The default site has no editor');
    const permissions = editor.permissions.filter((permission) => permission !== 'create terms in subject');
    roles.set('editor', { ...editor, permissions });
    const narrow = await createTestAtoll({ site: (site) => ({ ...site, roles }) });
    const refused = await narrow.send('POST', '/taxonomy/term', 'editor').send({ vid, name: [{ value: 'x' }] });
    expect([refused.status, messageOf(refused)]).toEqual([
      403,
      "The following permissions are required: 'create terms in subject' OR 'administer taxonomy'.",
    ]);
  });

  it.each([
    [{ name: [{ value: 'x' }] }, 'Could not determine entity type bundle: "vid" field is missing.'],
    [{ vid: [{ target_id: 'nope' }] }, '"nope" is not a valid bundle type for denormalization.'],
    [{ vid }, 'Unprocessable Entity: validation failed.\nname: This value should not be null.\n'],
    [
      { vid, name: [{ value: 'x' }], parent: [{ target_id: 9999 }] },
      'Unprocessable Entity: validation failed.\nparent.0.target_id: The referenced entity (taxonomy_term: 9999) does not exist.\n',
    ],
    [
      { vid, name: [{ value: 'x' }], field_external_uri: [{ uri: 'http://a.example' }] },
      'Unprocessable Entity: validation failed.\nfield_external_uri: This field does not exist on subject.\n',
    ],
  ])('answers %j with 422', async (body, text) => {
    expect(messageOf(await post(body).expect(422))).toBe(text);
  });

  it('answers 409 for a UUID that another term has', async () => {
    const uuid = recordOf(await atoll.send('GET', '/taxonomy/term/24?_format=json'))['uuid'];
    await post({ vid, name: [{ value: 'x' }], uuid }).expect(409);
  });
});

describe('PATCH and DELETE /taxonomy/term/{term_id}', () => {
  it('answers 200 with the changed record', async () => {
    const before = recordOf(await atoll.send('GET', '/taxonomy/term/27?_format=json'));
    const body = { vid, description: [{ value: 'Where ships lie', format: 'plain_text' }] };
    const patched = recordOf(await patch(27, body).expect(200));
    expect(patched).toMatchObject({
      name: before['name'],
      revision_id: before['revision_id'],
      description: [{ value: 'Where ships lie', format: 'plain_text', processed: '<p>Where ships lie</p>\n' }],
      changed: [{ value: '2024-05-01T12:00:00+00:00' }],
    });
    expect(recordOf(await atoll.send('GET', '/taxonomy/term/27?_format=json'))).toEqual(patched);
  });

  it('answers 200 for a record that is sent back as it was read', async () => {
    const before = recordOf(await atoll.send('GET', '/taxonomy/term/24?_format=json'));
    expect(recordOf(await patch(24, before).expect(200))).toEqual({ ...before, changed: expect.anything() });
  });

  it('answers 403 for protected fields, and 422 for a name that is emptied', async () => {
    const uuid = [{ value: '11111111-2222-4333-8444-555555555555' }];
    expect(messageOf(await patch(27, { vid, uuid }).expect(403))).toBe(
      "Access denied on updating field 'uuid'. The entity UUID cannot be changed.",
    );
    expect(messageOf(await patch(27, { vid, name: [] }).expect(422))).toBe(
      'Unprocessable Entity: validation failed.\nname: This value should not be null.\n',
    );
  });

  it('answers 403 with the permissions of the vocabulary', async () => {
    expect(messageOf(await patch(27, { vid }, 'editor').expect(403))).toBe(
      "The following permissions are required: 'edit terms in subject' OR 'administer taxonomy'.",
    );
    expect(messageOf(await remove(27, 'editor').expect(403))).toBe(
      "The following permissions are required: 'delete terms in subject' OR 'administer taxonomy'.",
    );
  });

  it('answers DELETE with 204, then 404, and leaves what referred to the term', async () => {
    const node = {
      type: [{ target_id: 'islandora_object' }],
      title: [{ value: 'x' }],
      field_model: [{ target_id: 24 }],
    };
    const created = await atoll
      .send('POST', '/node?_format=json', 'editor')
      .send({ ...node, field_subject: [{ target_id: 27 }] })
      .expect(201);
    await remove(27).expect(204);
    expect(messageOf(await remove(27).expect(404))).toBe(
      'The "taxonomy_term" parameter was not converted for the path "/taxonomy/term/{taxonomy_term}" (route name: "rest.entity.taxonomy_term.DELETE")',
    );
    expect(messageOf(await patch(27, { vid }).expect(404))).toContain(
      '(route name: "rest.entity.taxonomy_term.PATCH")',
    );
    const nid = String(recordOf(created)['nid']?.[0]?.['value']);
    expect(recordOf(await atoll.send('GET', `/node/${nid}?_format=json`))['field_subject']).toEqual([
      { target_id: 27 },
    ]);
  });
});

describe('PATCH and DELETE /taxonomy/term/{term_id} without _format', () => {
  const refusal = [403, 'The used authentication method is not allowed on this route.'];
  const sent = async (method: string, query: string, as?: string): Promise<readonly unknown[]> => {
    const request = atoll.send(method, `/taxonomy/term/27${query}`, as);
    const response = await (method === 'PATCH' ? request.send({ vid, weight: [{ value: 9 }] }) : request);
    return [response.status, messageOf(response)];
  };

  it.each(['PATCH', 'DELETE'])('%s answers 403, and nothing happens', async (method) => {
    for (const query of ['', '?_format=html', '?format=json'])
      expect(await sent(method, query, 'admin')).toEqual(refusal);
    expect(await sent(method, '', 'editor')).toEqual(refusal);
    expect(await sent(method, '?_format=jsonld', 'admin')).toEqual([
      406,
      'No route found for the specified format jsonld. Supported formats: json, html.',
    ]);
    expect(await sent(method, '')).toEqual([401, 'No authentication credentials provided.']);
    expect(recordOf(await atoll.send('GET', '/taxonomy/term/27?_format=json'))['weight']).not.toEqual([{ value: 9 }]);
  });

  it('answers 403 for a body of any type, and 404 for a term that is not there', async () => {
    await atoll.send('PATCH', '/taxonomy/term/27', 'admin').set('Content-Type', 'text/plain').send('x').expect(403);
    await atoll.send('PATCH', '/taxonomy/term/9999', 'admin').send({ vid }).expect(404);
    await atoll.send('DELETE', '/taxonomy/term/9999', 'admin').expect(404);
  });

  it('leaves POST of a term and writes of others as they are', async () => {
    await atoll
      .send('POST', '/taxonomy/term', 'admin')
      .send({ vid, name: [{ value: 'x' }] })
      .expect(201);
    await atoll
      .send('PATCH', '/node/2', 'admin')
      .send({ type: [{ target_id: 'islandora_object' }] })
      .expect(200);
    await atoll
      .send('PATCH', '/media/1', 'admin')
      .send({ bundle: [{ target_id: 'image' }] })
      .expect(200);
  });
});

describe('The children of a term that is deleted', () => {
  const make = async (name: string, parents: readonly number[], more: object = {}): Promise<number> => {
    const parent = parents.map((id) => ({ target_id: id }));
    const made = await post({ vid, name: [{ value: name }], parent, ...more }).expect(201);
    return Number(recordOf(made)['tid']?.[0]?.['value']);
  };
  const statusOf = async (id: number): Promise<number> =>
    (await atoll.send('GET', `/taxonomy/term/${id}?_format=json`, 'admin')).status;
  const parentsOf = async (id: number) =>
    recordOf(await atoll.send('GET', `/taxonomy/term/${id}?_format=json`, 'admin'))['parent']?.map(
      ({ target_id: parent }) => parent,
    );

  it('go with it when they have no other parent, also unpublished ones and the children of children', async () => {
    const parent = await make('P', []);
    const children = [await make('A', [parent]), await make('U', [parent], { status: [{ value: false }] })];
    const grandchild = await make('G', [children[0] ?? 0]);
    const node = await atoll
      .send('POST', '/node?_format=json', 'editor')
      .send({
        ...{ type: [{ target_id: 'islandora_object' }], title: [{ value: 'x' }], field_model: [{ target_id: 24 }] },
        field_subject: [{ target_id: grandchild }, { target_id: 27 }],
      })
      .expect(201);
    await remove(parent).expect(204);
    for (const gone of [parent, ...children, grandchild]) expect(await statusOf(gone)).toBe(404);
    const nid = String(recordOf(node)['nid']?.[0]?.['value']);
    const read = await atoll.send('GET', `/node/${nid}?_format=json`, 'editor').expect(200);
    expect(recordOf(read)['field_subject']?.map(({ url }) => url)).toEqual([undefined, '/taxonomy/term/27']);
    expect(read.headers['link']).not.toContain('title="G"');
    expect((await atoll.send('GET', '/term_from_term_name?_format=json&name=G&vocab=subject')).body).toEqual([]);
  });

  it('stay when they have another parent or are at the root too, and lose this one', async () => {
    const [parent, other] = [await make('P', []), await make('Q', [])];
    const [both, root] = [await make('B', [parent, other]), await make('R', [0, parent])];
    const before = recordOf(await atoll.send('GET', `/taxonomy/term/${both}?_format=json`));
    atoll.clock.advance(60);
    await remove(parent).expect(204);
    expect([await parentsOf(both), await parentsOf(root)]).toEqual([[other], [null]]);
    const after = recordOf(await atoll.send('GET', `/taxonomy/term/${both}?_format=json`));
    expect(after['revision_id']).toEqual(before['revision_id']);
    expect(after['changed']).not.toEqual(before['changed']);
  });

  it('go when all their parents go, in any order', async () => {
    const parent = await make('P', []);
    const first = await make('A', [parent]);
    const late = await make('L', [parent, first]);
    await remove(parent).expect(204);
    expect([await statusOf(first), await statusOf(late)]).toEqual([404, 404]);
  });

  it('go once when terms are children of each other', async () => {
    const one = await make('1', []);
    const two = await make('2', [one]);
    await patch(one, { vid, parent: [{ target_id: two }] }).expect(200);
    await remove(one).expect(204);
    expect([await statusOf(one), await statusOf(two)]).toEqual([404, 404]);
  });
});

describe('GET /term_from_uri', () => {
  const find = (query: object, as?: string) => atoll.send('GET', '/term_from_uri', as).query(query);

  it('answers 200 with a list of the term records that have the URI', async () => {
    const found = await find({ _format: 'json', uri: 'http://pcdm.org/use#OriginalFile' }).expect(200);
    const alone = await atoll.send('GET', '/taxonomy/term/16?_format=json').expect(200);
    expect(found.body).toEqual([alone.body]);
    expect(found.headers).not.toHaveProperty('link');
  });

  it('answers 200 with an empty list when no term has the URI, or none is asked for', async () => {
    expect((await find({ uri: 'http://nowhere.example' }).expect(200)).body).toEqual([]);
    expect((await find({}).expect(200)).body).toEqual([]);
  });

  it('finds a new URI at once, and an old one no longer', async () => {
    const body = { vid: [{ target_id: 'islandora_models' }], field_external_uri: [{ uri: 'http://new.example/#a' }] };
    await patch(24, body).expect(200);
    expect(idsIn(await find({ uri: 'http://new.example/#a' }))).toEqual([24]);
    expect(idsIn(await find({ uri: 'http://purl.org/coar/resource_type/c_c513' }))).toEqual([]);
    await remove(24).expect(204);
    expect(idsIn(await find({ uri: 'http://new.example/#a' }))).toEqual([]);
  });

  it('leaves out terms that the requester may not view', async () => {
    await patch(16, { vid: [{ target_id: 'islandora_media_use' }], status: [{ value: false }] }).expect(200);
    const uri = 'http://pcdm.org/use#OriginalFile';
    expect(idsIn(await find({ uri }))).toEqual([]);
    expect(idsIn(await find({ uri }, 'admin'))).toEqual([16]);
  });
});

describe('GET /term_from_term_name', () => {
  const find = (query: object) => atoll.send('GET', '/term_from_term_name').query(query);

  it('answers 200 with the terms of the vocabulary that have the name, letter case aside', async () => {
    expect(idsIn(await find({ _format: 'json', vocab: 'subject', name: 'HARBOURS' }).expect(200))).toEqual([27]);
    expect(idsIn(await find({ vocab: 'islandora_models', name: 'image' }).expect(200))).toEqual([24]);
  });

  it('looks at every vocabulary when none is named', async () => {
    await post({ vid: [{ target_id: 'person' }], name: [{ value: 'harbours' }] }).expect(201);
    const found = idsIn(await find({ name: 'Harbours' }).expect(200));
    expect(found).toHaveLength(2);
    expect(found[0]).toBe(27);
  });

  it('answers 200 with an empty list for another vocabulary, another name, or none', async () => {
    for (const query of [
      { vocab: 'person', name: 'Harbours' },
      { vocab: 'subject', name: 'Harbour' },
      { vocab: 'subject' },
    ]) {
      expect((await find(query).expect(200)).body).toEqual([]);
    }
  });
});
