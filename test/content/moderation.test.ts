/**
 * Records under a workflow: states, transitions, permissions, drafts. The answers are those of a real site with the core's editorial
 * workflow; `contract/recordings/living.test.ts` has the recorded ones.
 */
import { beforeEach, describe, expect, it } from '@jest/globals';
import { createTestAtoll } from '../support/atoll.ts';
import { pngBytes } from '../support/png.ts';
import { editorial } from '../support/invented-sites.ts';
import { messageOf, recordOf } from '../support/requests.ts';
import { add, atollWith, create, documentOf, linksOf, node, patch, read } from '../site/changed-sites.ts';

const bundles = { node: ['islandora_object'], media: ['image'], taxonomy_term: ['person'] };
const living = { workflows: { editorial: { ...editorial, bundles } } };
const rights = (...transitions: readonly string[]): string =>
  transitions.map((name) => `  - ${name.includes(' ') ? name : `use editorial transition ${name}`}`).join('\n');

/** The editor may make drafts and publish them, the owner may make drafts, the viewer sees them. */
const made = atollWith({
  'living.yml': add(JSON.stringify(living)),
  'roles/editor.yml': add(rights('create_new_draft', 'publish')),
  'roles/owner.yml': add(rights('create_new_draft')),
  'roles/viewer.yml': add(rights('view any unpublished content', 'edit any islandora_object content')),
});
beforeEach(async () => {
  await (await made).reset();
});

const state = (value: unknown) => ({ moderation_state: [{ value }] });
const refusal = (words: string): string => `Unprocessable Entity: validation failed.\nmoderation_state: ${words}\n`;
const short = (record: ReturnType<typeof recordOf>) => {
  const value = (name: string) => record[name]?.[0]?.['value'];
  return [value('moderation_state'), value('status'), value('vid')];
};
const person = (more: object = {}) => ({ vid: [{ target_id: 'person' }], name: [{ value: 'Ada' }], ...more });

/** A record in a state, made by the administrator. */
const nodeIn = async (name: string): Promise<void> => {
  const atoll = await made;
  await create(atoll, node(state(name === 'archived' ? 'published' : name))).expect(201);
  if (name === 'archived') await patch(atoll, '/node/1', state('archived')).expect(200);
};

type Traffic = { readonly entries: readonly { readonly advice: readonly { readonly pointer: string }[] }[] };

const noDraft = 'You do not have access to transition from';

describe('A new record', () => {
  it.each([
    ['admin', undefined, 201, 'draft', false],
    ['admin', 'draft', 201, 'draft', false],
    ['admin', 'published', 201, 'published', true],
    ['editor', 'published', 201, 'published', true],
    ['owner', undefined, 201, 'draft', false],
  ] as const)('of %s in the state %s is a %s: %s, published %s', async (who, sent, status, is, published) => {
    const answer = await create(await made, node(sent === undefined ? {} : state(sent)), who).expect(status);
    expect(short(recordOf(answer))).toEqual([is, published, 1]);
    expect(short(recordOf(await read(await made, '/node/1', 'admin').expect(200)))).toEqual([is, published, 1]);
  });

  it.each([
    ['admin', 'archived', 'Invalid state transition from Draft to Archived'],
    ['admin', 'nope', 'State nope does not exist on Editorial workflow'],
    ['admin', 5, 'State 5 does not exist on Editorial workflow'],
    ['admin', null, 'This value should not be null.'],
    ['admin', '', 'This value should not be null.'],
    ['owner', 'published', `${noDraft} Draft to Published`],
  ] as const)('of %s in the state %s is a 422: %s', async (who, sent, words) => {
    expect(messageOf(await create(await made, node(state(sent)), who).expect(422))).toBe(refusal(words));
  });

  it('in no state at all, or in more than one, is a 422', async () => {
    const answers = [[], null, [{ value: 'draft' }, { value: 'published' }]].map(async (sent) =>
      messageOf(await create(await made, node({ moderation_state: sent })).expect(422)),
    );
    expect(await Promise.all(answers)).toEqual(
      [
        'This value should not be null.',
        'This value should not be null.',
        'Moderation state: this field cannot hold more than 1 values.',
      ].map(refusal),
    );
    expect(messageOf(await create(await made, node({ moderation_state: 'draft' })).expect(422))).toBe(
      'Field values for "moderation_state" must use an array structure',
    );
    expect(messageOf(await create(await made, node(state({ a: 1 }))).expect(422))).toMatch(/primitive type/);
  });

  it('is a 422 with all its faults, in the order of the fields', async () => {
    const answer = await create(await made, node({ ...state('nope'), title: [] })).expect(422);
    expect(messageOf(answer).split('\n').slice(1, 3)).toEqual([
      'title: This value should not be null.',
      'moderation_state: State nope does not exist on Editorial workflow',
    ]);
  });

  it('that says whether it is published is a 403, for everybody and whatever it says', async () => {
    for (const who of ['admin', 'editor']) {
      const answer = await create(await made, node({ status: [{ value: true }], ...state('nope') }), who).expect(403);
      expect(messageOf(answer)).toBe("Access denied on creating field 'status'.");
    }
  });
});

describe('A change of the state', () => {
  it.each([
    ['draft', 'admin', 'draft', [200, 'draft', false]],
    ['draft', 'admin', 'published', [200, 'published', true]],
    ['draft', 'editor', 'published', [200, 'published', true]],
    ['draft', 'admin', 'archived', [422, 'Invalid state transition from Draft to Archived']],
    ['draft', 'admin', 'nope', [422, 'State nope does not exist on Editorial workflow']],
    ['published', 'admin', 'archived', [200, 'archived', false]],
    ['published', 'editor', 'archived', [422, `${noDraft} Published to Archived`]],
    ['archived', 'admin', 'draft', [200, 'draft', false]],
    ['archived', 'admin', 'published', [200, 'published', true]],
  ] as const)('from %s by %s to %s: %j', async (before, who, after, [status, ...expected]) => {
    await nodeIn(before);
    const answer = await patch(await made, '/node/1', state(after), who).expect(status);
    if (status === 422) expect(messageOf(answer)).toBe(refusal(expected[0]));
    else expect(short(recordOf(await read(await made, '/node/1', 'admin'))).slice(0, 2)).toEqual(expected);
  });

  it.each(['archived', 'draft'])(
    'of %s is a 403 for who has no transition from there, whatever is sent',
    async (name) => {
      await nodeIn(name);
      const who = name === 'archived' ? 'editor' : 'viewer';
      for (const body of [{}, { title: [{ value: 'B' }] }, state('draft')]) {
        const answer = await patch(await made, '/node/1', body, who).expect(403);
        expect(messageOf(answer)).toBe('No valid transitions exist for given account.');
      }
      await (await made).send('PATCH', '/node/1?_format=json').send(node()).expect(401);
    },
  );

  it('that empties it is a 422; one that says whether it is published is a 403, unless it says what is', async () => {
    await nodeIn('published');
    const atoll = await made;
    expect(messageOf(await patch(atoll, '/node/1', { moderation_state: [] }).expect(422))).toBe(
      refusal('This value should not be null.'),
    );
    expect(messageOf(await patch(atoll, '/node/1', { status: [{ value: false }] }).expect(403))).toBe(
      "Access denied on updating field 'status'. Cannot edit the published field of moderated entities.",
    );
    expect(short(recordOf(await patch(atoll, '/node/1', { status: [{ value: true }] }).expect(200)))).toEqual([
      ...['published', true, 1],
    ]);
  });

  it('to the state that it has changes nothing, and every other change is a revision', async () => {
    await nodeIn('published');
    const atoll = await made;
    expect(short(recordOf(await patch(atoll, '/node/1', state('published')).expect(200)))[2]).toBe(1);
    expect(short(recordOf(await patch(atoll, '/node/1', { title: [{ value: 'B' }] }).expect(200)))[2]).toBe(2);
  });

  it('counts as one that affects no translation where nothing else changes', async () => {
    await nodeIn('archived');
    const { revision_translation_affected: affected } = recordOf(await patch(await made, '/node/1', state('draft')));
    expect(affected).toEqual([]);
  });
});

describe('A draft of a published record', () => {
  it('is answered with 200, and every read and the next change have the published one', async () => {
    await nodeIn('published');
    const atoll = await made;
    const draft = { ...state('draft'), title: [{ value: 'Draft' }] };
    expect(short(recordOf(await patch(atoll, '/node/1', draft, 'editor').expect(200)))).toEqual(['draft', false, 2]);
    for (const who of ['admin', 'viewer', undefined]) {
      const record = recordOf(await read(atoll, '/node/1', who).expect(200));
      expect([...short(record), record['title']]).toEqual(['published', true, 1, [{ value: 'A letter' }]]);
    }
    const traffic = (await atoll.send('get', '/_atoll/traffic?limit=20')).body as Traffic; // as documented
    expect(traffic.entries.flatMap(({ advice }) => advice.map(({ pointer }) => pointer))).toContain(
      '/requestBody/moderation_state',
    );
    await atoll.send('HEAD', '/node/1?_format=json').expect(200);
    const changed = recordOf(
      await patch(atoll, '/node/1', { field_description: [{ value: 'C' }] }, 'editor').expect(200),
    );
    expect([...short(changed), changed['title']]).toEqual(['published', true, 3, [{ value: 'A letter' }]]);
    expect(short(recordOf(await patch(atoll, '/node/1', state('published')).expect(200)))[2]).toBe(3);
  });
});

describe('A draft that was never published', () => {
  const reason = "The 'view any unpublished content' permission is required.";

  it('is read by its owner and by who may see drafts; 403 with the permission for others, 401 without an account', async () => {
    const atoll = await made;
    await create(atoll, node(), 'owner').expect(201);
    for (const who of ['owner', 'viewer', 'admin']) await read(atoll, '/node/1', who).expect(200);
    expect(messageOf(await read(atoll, '/node/1', 'editor').expect(403))).toBe(reason);
    await read(atoll, '/node/1').expect(401);
    await atoll.send('HEAD', '/node/1?_format=json').expect(401);
    await atoll.send('GET', '/node/1?_format=jsonld', 'editor').expect(403);
  });

  it('is among the members of a node only for who may see it', async () => {
    const atoll = await made;
    await create(atoll, node(state('published'))).expect(201);
    await create(atoll, node({ field_member_of: [{ target_id: 1 }] })).expect(201);
    const members = async (who?: string) => ((await read(atoll, '/node/1/members', who).expect(200)).body as []).length;
    expect([await members(), await members('editor'), await members('viewer'), await members('admin')]).toEqual([
      ...[0, 0, 1, 1],
    ]);
    await patch(atoll, '/node/2', state('published')).expect(200);
    expect(await members()).toBe(1);
  });
});

describe('Media and terms', () => {
  const upload = async (who: string) =>
    (await made)
      .send('PUT', '/node/1/media/image/16', who)
      .set({ 'Content-Type': 'image/png', 'Content-Location': 'public://a.png' })
      .send(pngBytes());

  it('follow it too: an upload makes a draft, and new bytes are a revision', async () => {
    await nodeIn('published');
    await upload('editor');
    const atoll = await made;
    expect(short(recordOf(await read(atoll, '/media/1', 'admin').expect(200)))).toEqual(['draft', false, 1]);
    const publish = { bundle: [{ target_id: 'image' }], ...state('published') };
    expect(short(recordOf(await patch(atoll, '/media/1', publish).expect(200)))).toEqual(['published', true, 2]);
    await upload('editor');
    expect(short(recordOf(await read(atoll, '/media/1', 'viewer').expect(200)))).toEqual(['published', true, 3]);
    const answer = await patch(atoll, '/media/1', { ...publish, ...state('archived') }, 'plain').expect(403);
    expect(messageOf(answer)).toBe('No valid transitions exist for given account.');
  });

  it('an upload to a node that its account has no transition of is a 403', async () => {
    await nodeIn('archived');
    expect((await upload('editor')).status).toBe(403);
  });

  it('of a term each change is a revision', async () => {
    const atoll = await made;
    const term = recordOf(await create(atoll, person(), 'admin', '/taxonomy/term?_format=json').expect(201));
    const [id, revision] = ['tid', 'revision_id'].map((name) => Number(term[name]?.[0]?.['value']));
    expect(term['status']).toEqual([{ value: false }]);
    const change = { vid: [{ target_id: 'person' }], ...state('published') };
    const changed = recordOf(await patch(atoll, `/taxonomy/term/${id}`, change).expect(200));
    expect([changed['status'], changed['revision_id']]).toEqual([[{ value: true }], [{ value: Number(revision) + 1 }]]);
  });
});

describe('A bundle without a workflow', () => {
  it('shows an empty state, and repeats one that is sent: 201 and 200 without an effect', async () => {
    const atoll = await made;
    const body = { vid: [{ target_id: 'family' }], name: [{ value: 'B' }], ...state('nope') };
    const term = recordOf(await create(atoll, body, 'admin', '/taxonomy/term?_format=json').expect(201));
    expect([term['moderation_state'], term['status']]).toEqual([[{ value: 'nope' }], [{ value: true }]]);
    const path = `/taxonomy/term/${Number(term['tid']?.[0]?.['value'])}`;
    expect(recordOf(await read(atoll, path).expect(200))['moderation_state']).toEqual([]);
    const change = { vid: body.vid, ...state('draft') };
    expect(recordOf(await patch(atoll, path, change).expect(200))['moderation_state']).toEqual([{ value: 'draft' }]);
    expect(recordOf(await read(atoll, path).expect(200))['moderation_state']).toEqual([]);
  });
});

describe('The document and the links of such a site', () => {
  it('have the member, the states that may be sent, and the page of the last draft', async () => {
    const atoll = await made;
    const { components } = await documentOf(atoll);
    const { NodeRecord, NodeCreate, NodeModerationStateChoice: choice } = components.schemas;
    expect(NodeRecord?.required).toContain('moderation_state');
    expect(NodeCreate?.required).not.toContain('moderation_state');
    expect(choice?.properties['value']).toMatchObject({ enum: ['draft', 'published', 'archived'] });
    await nodeIn('published');
    expect(linksOf(await read(atoll, '/node/1'))).toMatch(/<[^>]*\/node\/1\/latest>; rel="latest-version"/);
  });

  it('have none of it by default', async () => {
    const atoll = await atollWith({});
    await create(atoll, node()).expect(201);
    const record = recordOf(await read(atoll, '/node/1').expect(200));
    expect(record).not.toHaveProperty('moderation_state');
    expect(linksOf(await read(atoll, '/node/1'))).not.toContain('latest');
    await create(atoll, node(state('draft'))).expect(422);
  });
});

describe('The packaged fixture', () => {
  it('has its records published on such a site, and drafts where it says that they are not', async () => {
    const { site } = await made;
    const atoll = await createTestAtoll({ site: () => site, fixture: 'starter' });
    const record = recordOf(await read(atoll, '/node/5').expect(200));
    expect(record['moderation_state']).toEqual([{ value: 'published' }]);
    expect(linksOf(await read(atoll, '/node/5', 'viewer'))).toContain('title="Original File"');
  });
});

describe('A file that names a workflow', () => {
  it.each([
    ['a bundle that is not there', { bundles: { node: ['letter'] } }, /bundles.node: there is no "letter"/],
    ['a state that it does not have', { default_state: 'review' }, /a state that it does not have/],
    ['no state "draft"', { states: { published: { label: 'P' } }, transitions: {} }, /"draft" and "published"/],
  ])('with %s is refused', async (_what, change, words) => {
    const text = JSON.stringify({ workflows: { editorial: { ...editorial, bundles, ...change } } });
    await expect(atollWith({ 'living.yml': add(text) })).rejects.toThrow(words);
  });
});
