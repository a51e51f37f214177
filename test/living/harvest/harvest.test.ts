/** OAI-PMH as a harvester uses it: every public object, in parts, in sets, in time; and what is refused. */
import { describe, expect, it } from '@jest/globals';
import { baseUrl, createTestAtoll, type TestAtoll } from '../../support/atoll.ts';
import { cookie, messageOf, visit } from '../../support/requests.ts';
import { elementsOf, readXml, textIn, type XmlElement } from '../../support/xml.ts';
import { starterSite } from '../starter-site.ts';
import { createStarter, nodeOf, put, target } from '../recorded-site.ts';

const starter = await starterSite();
const path = '/oai/request';

const ask = async (atoll: TestAtoll, query: string): Promise<string> => {
  const response = await atoll.send('GET', `${path}?${query}`).expect(200);
  expect(response.get('Content-Type')).toBe('text/xml; charset=UTF-8');
  return response.text;
};

const all = (xml: string, pattern: RegExp): readonly string[] =>
  [...xml.matchAll(pattern)].map(([, text = '']) => text);
const identifiersIn = (xml: string) => all(xml, /<identifier>oai:localhost:node-(\d+)<\/identifier>/g).map(Number);
const errorsIn = (xml: string) => all(xml, /<error code="(\w+)">/g);
const tokenIn = (xml: string): string | undefined => /<resumptionToken [^>]*>([^<]+)</.exec(xml)?.[1];

/** Every part of a list, as a harvester that knows nothing but the protocol gets it. */
const harvest = async (atoll: TestAtoll, verb: string, query = ''): Promise<readonly string[]> => {
  const parts: string[] = [];
  let next = `metadataPrefix=oai_dc${query}`;
  for (;;) {
    const part = await ask(atoll, `verb=${verb}&${next}`);
    parts.push(part);
    const token = tokenIn(part);
    if (token === undefined) return parts;
    next = `resumptionToken=${encodeURIComponent(token)}`;
  }
};

describe('A harvest', () => {
  it('gets every public object but collections once, in parts of ten', async () => {
    const atoll = await createTestAtoll({ fixture: 'sample:150', site: () => starter });
    const { store } = atoll.world();
    const { entities } = await store.list('node', { offset: 0, limit: 1000 });
    const collection = starter.terms.find(
      ({ fields }) => fields['field_external_uri']?.[0]?.['uri'] === 'http://purl.org/dc/dcmitype/Collection',
    )?.tid;
    const wanted = entities.filter(
      ({ bundle, fields }) =>
        bundle === 'islandora_object' &&
        fields['status']?.[0]?.['value'] === true &&
        fields['field_model']?.[0]?.['target_id'] !== collection,
    );
    expect(wanted.length).toBeGreaterThan(20);
    for (const verb of ['ListIdentifiers', 'ListRecords']) {
      const parts = await harvest(atoll, verb);
      expect(parts.flatMap(identifiersIn)).toEqual(wanted.map(({ id }) => id));
      expect(parts.slice(0, -1).map((part) => identifiersIn(part).length)).toEqual(parts.slice(0, -1).map(() => 10));
      expect(parts[0]).toContain(`completeListSize="${wanted.length}" cursor="0"`);
    }
    const sets = all(await ask(atoll, 'verb=ListSets'), /<setSpec>([^<]*)<\/setSpec>/g);
    const bySet = await Promise.all(
      sets.map((set) => harvest(atoll, 'ListIdentifiers', `&set=${encodeURIComponent(set)}`)),
    );
    expect(bySet[sets.indexOf('oai_pmh:all_repository_items')]?.flatMap(identifiersIn)).toEqual(
      wanted.map(({ id }) => id),
    );
    expect(bySet.every((parts) => parts.flatMap(identifiersIn).length > 0)).toBe(true);
    for (const id of wanted.slice(0, 5).map((node) => node.id))
      expect(await ask(atoll, `verb=GetRecord&metadataPrefix=oai_dc&identifier=oai:localhost:node-${id}`)).toContain(
        '<dc:title>',
      );
  });
});

const atoll = await createStarter();
const many = (count: number) =>
  Array.from({ length: count }, (_, at) => nodeOf(at + 1, `Record ${at + 1}`, { field_model: target(13) }));

describe('A token', () => {
  it('leads on to what is there then, may be used again, and is of one verb and for an hour', async () => {
    await atoll.reset();
    atoll.clock.set('2026-11-26T12:00:00Z');
    await put(atoll, many(25));
    const first = await ask(atoll, 'verb=ListIdentifiers&metadataPrefix=oai_dc');
    const token = tokenIn(first) ?? '';
    expect(first).toContain('completeListSize="25" cursor="0" expirationDate="2026-11-26T13:00:00Z"');
    const next = `verb=ListIdentifiers&resumptionToken=${token}`;
    expect(identifiersIn(await ask(atoll, next))).toEqual([11, 12, 13, 14, 15, 16, 17, 18, 19, 20]);
    expect(identifiersIn(await ask(atoll, `${next}&set=none&metadataPrefix=none`))).toHaveLength(10);
    expect(errorsIn(await ask(atoll, next.replace('Identifiers', 'Records')))).toEqual([
      'badResumptionToken',
      'badArgument',
      'noRecordsMatch',
    ]);
    atoll.clock.advance(3599);
    expect(errorsIn(await ask(atoll, next))).toEqual([]);
    atoll.clock.advance(1);
    expect(errorsIn(await ask(atoll, next))).toEqual(['badResumptionToken', 'badArgument', 'noRecordsMatch']);
  });

  it.each([
    'bad',
    '%00',
    'W10',
    Buffer.from('["ListIdentifiers","oai_dc",null,null,null,-1,9e12]').toString('base64url'),
    'x'.repeat(2000),
  ])('of another making is an error of the protocol: %.40s', async (token) => {
    expect(errorsIn(await ask(atoll, `verb=ListIdentifiers&resumptionToken=${token}`))).toEqual([
      'badResumptionToken',
      'badArgument',
      'noRecordsMatch',
    ]);
  });
});

describe('A list', () => {
  it('is of a time: a day means its beginning', async () => {
    await atoll.reset();
    const at = (id: number, changed: string) => nodeOf(id, `At ${changed}`, { field_model: target(13) }, { changed });
    await put(atoll, [at(1, '2026-01-01T00:00:00Z'), at(2, '2026-01-01T12:00:00Z'), at(3, '2026-01-02T00:00:00Z')]);
    const idsOf = async (query: string) =>
      identifiersIn(await ask(atoll, `verb=ListIdentifiers&metadataPrefix=oai_dc&${query}`));
    expect(await idsOf('from=2026-01-01T00:00:01Z')).toEqual([2, 3]);
    expect(await idsOf('until=2026-01-02')).toEqual([1, 2, 3]);
    expect(await idsOf('until=2026-01-01')).toEqual([1]);
    expect(await idsOf('from=2026-01-01T06:00:00Z&until=2026-01-01T18:00:00Z')).toEqual([2]);
  });

  it('is judged again after a change of a node, and of a term', async () => {
    await atoll.reset();
    await put(atoll, many(3));
    const ids = async () => identifiersIn(await ask(atoll, 'verb=ListIdentifiers&metadataPrefix=oai_dc'));
    expect(await ids()).toEqual([1, 2, 3]);
    const { store } = atoll.world();
    const [node, term] = await store.getMany(['node:2', 'taxonomy_term:13']);
    if (node === undefined || term === undefined) throw new Error('The site has neither.');
    await put(atoll, [{ ...node, fields: { ...node.fields, status: [{ value: false }] } }]);
    expect(await ids()).toEqual([1, 3]);
    const uri = [{ uri: 'http://purl.org/dc/dcmitype/Collection' }];
    await put(atoll, [{ ...term, fields: { ...term.fields, field_external_uri: uri } }]);
    expect(await ids()).toEqual([]);
  });

  it('of a site without sets has none', async () => {
    const without = await createStarter((living) => ({ harvest: { ...living.harvest, has_sets: false } }));
    await put(without, many(1));
    expect(errorsIn(await ask(without, 'verb=ListSets'))).toEqual(['noSetHierarchy']);
    expect(errorsIn(await ask(without, 'verb=ListIdentifiers&metadataPrefix=oai_dc&set=x'))).toEqual([
      'noSetHierarchy',
      'noRecordsMatch',
    ]);
    expect(await ask(without, 'verb=ListIdentifiers&metadataPrefix=oai_dc')).not.toContain('setSpec');
  });

  it('has no title of a set whose node the harvester may not view', async () => {
    await atoll.reset();
    const hidden = nodeOf(1, 'A secret name', { status: [{ value: false }] });
    await put(atoll, [hidden, nodeOf(2, 'Child', { field_model: target(13), field_member_of: target(1) })]);
    const sets = await ask(atoll, 'verb=ListSets');
    expect(sets).toContain('<setSpec>node:1</setSpec><setName>node:1</setName>');
  });

  it('has text that means something in XML in a form that means nothing', async () => {
    await atoll.reset();
    const model = target(13);
    await put(atoll, [
      nodeOf(1, `A]]>B \u0001 & "C" <d> 'e'`, { field_model: model }),
      nodeOf(2, 'Child', { field_model: model, field_member_of: target(1) }),
    ]);
    expect(await ask(atoll, 'verb=ListRecords&metadataPrefix=oai_dc')).toContain(
      '<dc:title>A]]&gt;B \ufffd &amp; &quot;C&quot; &lt;d&gt; &#039;e&#039;</dc:title>',
    );
    expect(await ask(atoll, 'verb=ListSets')).toContain(
      `<setName><![CDATA[A]]]]><![CDATA[>B \ufffd & "C" <d> 'e']]></setName>`,
    );
  });
});

/** Texts with what XML has no character for, or what a reader would not give back as it was. */
const oddTexts = [
  '\ufffe',
  '\uffff',
  '\u0000',
  '\u000b',
  '\u001f',
  'A\r\nB\tC',
  ']]>\r<',
  '\u{1fffe} &#xffff;',
  '\u0085\u2028',
];
const readable = (text: string): string => text.replace(/[\0\u000b\u001f\ufffe\uffff]/g, '\ufffd');

describe('Every verb', () => {
  it.each(oddTexts)('answers 200 with a document that a strict reader reads: %j', async (odd) => {
    await atoll.reset();
    const title = `Odd ${odd} title`;
    const model = target(13);
    const described = { field_description: [{ value: title }], field_identifier: [{ value: title }] };
    await put(atoll, [
      nodeOf(1, title, { field_model: model, ...described }),
      nodeOf(2, 'Child', { field_model: model, field_member_of: target(1) }),
    ]);
    const text = encodeURIComponent(odd);
    const queries = [
      ...[
        'verb=Identify',
        'verb=ListMetadataFormats',
        'verb=ListSets',
        `verb=${text}`,
        `verb=ListSets&x${text}=${text}`,
      ],
      ...['verb=ListRecords&metadataPrefix=oai_dc', 'verb=ListRecords&metadataPrefix=mods'],
      `verb=GetRecord&metadataPrefix=oai_dc&identifier=oai:localhost:node-1`,
      `verb=GetRecord&metadataPrefix=${text}&identifier=${text}`,
      ...['from', 'until', 'set', 'resumptionToken', 'metadataPrefix'].map(
        (name) => `verb=ListIdentifiers&metadataPrefix=oai_dc&${name}=${text}`,
      ),
    ];
    const documents: XmlElement[] = [];
    for (const query of queries) documents.push(readXml(await ask(atoll, query)));
    const texts = (name: string): readonly string[] =>
      documents.flatMap((document) => elementsOf(document, name).map(textIn));
    expect(texts('setName')).toContain(readable(title));
    expect(texts('dc:title').filter((each) => each !== 'Child')).toEqual([readable(title), readable(title)]);
    expect(texts('dc:identifier')).toContain(readable(title));
    const asked = documents.flatMap((document) => elementsOf(document, 'request').map(({ attributes }) => attributes));
    expect(asked).toContainEqual(expect.objectContaining({ from: readable(odd) }));
  });

  it('answers 200 with a document that a strict reader reads where the settings have such texts', async () => {
    const other = await createStarter((living) => ({
      harvest: {
        ...living.harvest,
        ...{ name: 'A \uffff <name>', email: '\ud800@example.org' },
        sets: [{ id: 'odd:\ufffe', label: 'B \udfff & \r', bundles: ['islandora_object'] }],
      },
    }));
    await put(other, many(1));
    const [identity, sets] = [await ask(other, 'verb=Identify'), await ask(other, 'verb=ListSets')].map(readXml);
    const texts = (root: XmlElement | undefined, name: string) => elementsOf(root ?? '', name).map(textIn);
    expect(texts(identity, 'repositoryName')).toEqual(['A \ufffd <name>']);
    expect(texts(identity, 'adminEmail')).toEqual(['\ufffd@example.org']);
    expect([texts(sets, 'setSpec'), texts(sets, 'setName')]).toEqual([['odd:\ufffd'], ['B \ufffd & \r']]);
  });
});

describe('A request', () => {
  it.each(['json', 'xml', 'nope'])(
    'for the format %s is refused with 406, and a link to the format that there is',
    async (format) => {
      const response = await atoll.send('GET', `${path}?verb=Identify&_format=${format}`).expect(406);
      expect(messageOf(response)).toBe(`No route found for the specified format ${format}. Supported formats: oai_dc.`);
      expect(response.get('Link')).toBe(`<${baseUrl}${path}?_format=oai_dc>; rel="alternate"; type="text/xml"`);
      await atoll.send('HEAD', `${path}?verb=Identify&_format=${format}`).expect(406);
    },
  );

  it('with Basic is refused with 403, a session is accepted, POST is 405', async () => {
    await atoll.send('GET', `${path}?verb=Identify`, 'admin').expect(403);
    await visit(atoll, await cookie(atoll, 'admin'), 'GET', `${path}?verb=Identify`).expect(200);
    await atoll.send('POST', `${path}?verb=Identify`).expect(405);
    await atoll.send('HEAD', `${path}?verb=Identify`).expect(200);
  });

  it('needs the permission of the resource: 403 without', async () => {
    const closed = await createTestAtoll({
      fixture: 'empty',
      site: () => ({
        ...starter,
        roles: new Map(
          [...starter.roles].map(([id, role]) => [
            id,
            { ...role, permissions: role.permissions.filter((name) => name !== 'restful get oai_pmh') },
          ]),
        ),
      }),
    });
    expect(messageOf(await closed.send('GET', path).expect(403))).toBe(
      `The 'restful get oai_pmh' permission is required.`,
    );
  });

  it.each(['dynamic=true', 'code=200', 'example=badVerb'])(
    'for a mock (Prefer: %s) is answered 200 with XML',
    async (prefer) => {
      const { text } = await atoll.send('GET', `${path}?verb=Identify`).set('Prefer', prefer).expect(200);
      expect(readXml(text).name).toBe('OAI-PMH');
    },
  );

  it('in a world has the address of the world', async () => {
    await visit(atoll, { label: '', name: undefined, headers: {} }, 'POST', '/_atoll/worlds')
      .set('Content-Type', 'application/json')
      .send('{"name":"oai"}')
      .expect(201);
    const { text } = await atoll.send('GET', '/~oai/oai/request?verb=Identify').expect(200);
    expect(text).toContain(`<baseURL>${baseUrl}/~oai/oai/request</baseURL>`);
  });

  it('finds nothing at a site that is not harvested: 404', async () => {
    const plain = await createTestAtoll();
    await plain.send('GET', `${path}?verb=Identify`).expect(404);
    await plain.send('GET', '/node/1/manifest').expect(404);
  });
});
