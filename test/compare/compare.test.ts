/** What the twin takes for the same, and what it does not. */
import { describe, expect, it } from '@jest/globals';
import { compareReplies } from '../../src/checks/compare/compare.ts';
import type { JsonComparison } from '../../src/checks/compare/compare-json.ts';
import { createHosts, noteTimes, sameText } from '../../src/checks/compare/equal-values.ts';
import { wholeBody } from '../../src/exchange/exchange-target.ts';
import type { WireReply } from '../../src/exchange/exchange.ts';
import { reply } from '../twin/exchanges.ts';
import { atoll, compared, comparison, node, target } from './compared.ts';

const term = (tid: number, name: string, more: object = {}) => ({
  ...{ tid: [{ value: tid }], name: [{ value: name }], ...more },
});

describe('Two lists that a site gives in no order', () => {
  const unordered = (theirs: object, ours: object, common = comparison()) =>
    compareReplies('GET', { target: reply(200, theirs), atoll: reply(200, ours) }, { ...common, isUnordered: true });

  it('differ in their order alone when their records are the same', () => {
    const theirs = [term(894, 'Extracted Text'), term(892, 'FITS File')];
    const ours = [term(1, 'FITS File'), term(3, 'Extracted Text')];
    expect(unordered(theirs, ours)).toEqual([
      { place: '/order', target: 'Extracted Text, FITS File', atoll: 'FITS File, Extracted Text' },
    ]);
    expect(unordered(theirs, [...ours].reverse())).toEqual([]);
    expect(compared(theirs, ours)).toContain('/body/0/name/0/value');
  });

  it('pair their records as those known before, whatever their names are', () => {
    const common = comparison();
    expect(compared(term(894, 'A'), term(3, 'A'), common)).toEqual([]);
    const places = unordered([term(894, 'B')], [term(3, 'A')], common).map(({ place }) => place);
    expect(places).toEqual(['/body/0/name/0/value']);
    expect(unordered([term(895, 'A')], [term(3, 'A')], common).map(({ place }) => place)).toEqual([
      '/body/0',
      '/body/-',
    ]);
  });

  it('differ in a record that one of them lacks, and in the values of the others', () => {
    const theirs = [term(7, 'Hidden'), term(8, 'B', { weight: [{ value: 1 }] })];
    expect(unordered(theirs, [term(2, 'B', { weight: [{ value: 2 }] })])).toEqual([
      { place: '/body/0/weight/0/value', target: 1, atoll: 2 },
      { place: '/body/0', target: theirs[0], atoll: undefined },
    ]);
  });

  it('are compared as they are when they are not lists of records', () => {
    expect(unordered([{ label: 'A' }], [{ label: 'B' }]).map(({ place }) => place)).toEqual(['/body/0/label']);
  });
});

describe('Two records', () => {
  it('are the same when ids, uuids and times are of each server', () => {
    const theirs = node(90, {
      uuid: [{ value: '25691fe4-a685-48d4-8b13-275fc6530c27' }],
      changed: [{ value: '2026-01-01T00:00:00+00:00' }],
    });
    const ours = node(31, {
      uuid: [{ value: 'bda79a1f-49d5-41c2-b63d-e77534fca9e8' }],
      changed: [{ value: '2026-02-02T00:00:00+00:00' }],
    });
    expect(compared(theirs, ours)).toEqual([]);
  });

  it('differ in a value, with its place', () => {
    expect(compared(node(1), node(1, { title: [{ value: 'B' }] }))).toEqual(['/body/title/0/value']);
  });

  it('differ in a member that one of them does not have', () => {
    expect(compared(node(1, { sticky: [] }), node(1))).toEqual(['/body/sticky']);
  });

  it('differ when an id stands for two others', () => {
    const common = comparison();
    expect(compared(node(90), node(31), common)).toEqual([]);
    expect(compared(node(90), node(32), common)).toEqual(['/body/nid/0/value']);
    expect(compared(node(91), node(31), common)).toEqual(['/body/nid/0/value']);
  });

  it('differ in a time that a client has sent', () => {
    const common = comparison();
    noteTimes('{"created":[{"value":"2019-01-01T00:00:00+00:00"}]}', common);
    const at = (value: string) => node(1, { created: [{ value }] });
    expect(compared(at('2019-01-01T00:00:00+00:00'), at('2026-01-01T00:00:00+00:00'), common)).toEqual([
      '/body/created/0/value',
    ]);
    expect(compared(at('2025-01-01T00:00:00+00:00'), at('2026-01-01T00:00:00Z'), common)).toEqual([
      '/body/created/0/value',
    ]);
  });

  it('are the same when the servers name this machine in different ways', () => {
    const hosts = createHosts({ target: ['http://[::1]:9000'], atoll: ['http://127.0.0.1:8000'] });
    const at = (address: string) => node(1, { field_rights: [{ value: `See ${address}/rights.` }] });
    for (const name of ['localhost', '127.0.0.1', '[::1]']) {
      const [theirs, ours] = [at(`http://${name}:9000`), at(`http://${name}:8000`)];
      expect(compared(theirs, at('http://localhost:8000'), { ...comparison(), hosts })).toEqual([]);
      expect(compared(at('http://localhost:9000'), ours, { ...comparison(), hosts })).toEqual([]);
    }
  });

  it('tell of a reference to another record once', () => {
    const common = comparison();
    const to = (id: number) =>
      node(1, { field_member_of: [{ target_id: id, target_type: 'node', url: `/node/${id}` }] });
    expect(compared(to(5), to(7), common)).toEqual([]);
    expect(compared(to(5), to(8), common)).toEqual(['/body/field_member_of/0/target_id']);
  });
});

describe('A text that is a secret', () => {
  const answer = (text: string): WireReply => ({
    ...reply(200, undefined, [['Content-Type', 'text/plain']]),
    body: wholeBody(Buffer.from(text)),
  });
  const places = (secret: string, ours: string, common = comparison()): string[] =>
    compareReplies('GET', { target: answer(secret), atoll: answer(ours) }, common).map(({ place }) => place);

  it('is that of the other server wherever it comes back, and not an empty one', () => {
    const common = comparison();
    expect(places('[redacted:token:1]', 'abc', common)).toEqual([]);
    expect(places('[redacted:token:1]', 'abc', common)).toEqual([]);
    expect(places('[redacted:token:2]', '')).toEqual(['/body']);
  });
});

describe('A message that names a record', () => {
  const message = (id: number, type = 'taxonomy_term') => ({
    message: `parent.0.target_id: The referenced entity (${type}: ${id}) does not exist.`,
  });

  it('is the same as one that names the record that it is paired with, and no other', () => {
    const common = comparison();
    expect(compared(message(954), message(936), common)).toEqual([]);
    expect(compared(message(954), message(937), common)).toEqual(['/body/message']);
    expect(compared(message(1), message(1, 'node'), common)).toEqual(['/body/message']);
  });
});

describe('An alias that the target gives a record by itself', () => {
  const alias = '/islandora/d-x-34';
  const withAlias = (id: number, own: string | null) => node(id, { path: [{ alias: own }] });
  const known = () => {
    const common = comparison();
    common.aliases.learnRecords(withAlias(4, alias));
    return common;
  };
  const url = (id: number, path: string) => ({ field_member_of: [{ target_id: id, target_type: 'node', url: path }] });

  it('stands for the path of its record, in links and addresses', () => {
    const common = known();
    expect(compared(url(4, alias), url(21, '/node/21'), common)).toEqual([]);
    const link = (to: string) => [['Link', `<${to}>; rel="canonical"`]] as const;
    const theirs = reply(200, {}, link(`${target}${alias}?_format=json`));
    const ours = (id: number) => reply(200, {}, link(`${atoll}/node/${id}?_format=json`));
    expect(compareReplies('GET', { target: theirs, atoll: ours(21) }, common)).toEqual([]);
    expect(compareReplies('GET', { target: theirs, atoll: ours(22) }, common)).not.toEqual([]);
  });

  it('is learnt from lists, too, and only as a whole address', () => {
    const common = comparison();
    common.aliases.learnRecords([withAlias(4, alias), withAlias(5, '/islandora/other'), withAlias(6, null), 'text']);
    expect(
      [alias, `{base}${alias}`, '/islandora/other', '/islandora/third'].map((text) => common.aliases.resolved(text)),
    ).toEqual(['/node/4', '{base}/node/4', '/node/5', '/islandora/third']);
  });

  it('is learnt from links where two name it, beside the form of the record', () => {
    const links = (canonical: string, revision: string) => [
      { rel: 'canonical', target: `${target}${canonical}` },
      { rel: 'https://drupal.org/link-relations/revision', target: `${target}${revision}` },
      { rel: 'edit-form', target: `${target}/node/4/edit` },
    ];
    const learnt = (canonical: string, revision: string): string => {
      const { aliases } = comparison();
      aliases.learnLinks(links(canonical, revision));
      return aliases.resolved(canonical);
    };
    expect([learnt(alias, alias), learnt(alias, '/node/4'), learnt('/node/4', '/node/4')]).toEqual([
      '/node/4',
      alias,
      '/node/4',
    ]);
  });

  it('is learnt from the address of a new record', () => {
    const { aliases } = comparison();
    aliases.learnLocation(`http://target.test${alias}`, node(4, { path: [{ alias: null }] }));
    aliases.learnLocation('http://target.test/node/5', node(4));
    aliases.learnLocation('http://target.test/elsewhere', node(6));
    aliases.learnLocation(undefined, node(7));
    aliases.learnLocation('http://target.test/islandora/none', undefined);
    const texts = [alias, '/node/5', '/elsewhere', '/islandora/none'];
    expect(texts.map((text) => aliases.resolved(text))).toEqual(['/node/4', ...texts.slice(1)]);
  });

  it('is none of those that a client has sent: Atoll must show them too', () => {
    const common = comparison();
    common.aliases.noteSent({ path: [{ alias }] });
    common.aliases.learnRecords(withAlias(4, alias));
    expect(compared(url(4, alias), url(21, '/node/21'), common)).toEqual(['/body/field_member_of/0/url']);
    expect(compared(url(4, alias), url(21, alias), common)).toEqual([]);
  });
});

describe('Two answers', () => {
  it('of two statuses differ in nothing else', () => {
    const two = { target: reply(403, { message: 'no' }), atoll: reply(200, node(1)) };
    expect(compareReplies('GET', two, comparison())).toMatchObject([{ place: '/status', target: 403, atoll: 200 }]);
  });

  it('may have their links in any order, and name their own hosts', () => {
    const link = (base: string, id: number, rel: string) => ['Link', `<${base}/node/${id}>; rel="${rel}"`] as const;
    const theirs = reply(200, node(5), [link(target, 5, 'canonical'), link(target, 6, 'collection')]);
    const ours = reply(200, node(7), [link(atoll, 8, 'collection'), link(atoll, 7, 'canonical')]);
    const without = reply(200, node(7), [link(atoll, 7, 'canonical')]);
    expect(compareReplies('GET', { target: theirs, atoll: ours }, comparison())).toEqual([]);
    expect(compareReplies('GET', { target: theirs, atoll: without }, comparison())).toEqual([
      { place: '/headers/Link', target: `<${target}/node/6>; rel="collection"`, atoll: undefined },
    ]);
  });

  it('in JSON-LD are graphs, whose order does not count', () => {
    const type = [['Content-Type', 'application/ld+json']] as const;
    const graph = (base: string, id: number, subjects: readonly string[]) => [
      {
        '@id': `${base}/node/${id}?_format=jsonld`,
        'http://schema.org/about': subjects.map((one) => ({ '@value': one })),
      },
      { '@id': `${base}/user/1?_format=jsonld`, '@type': ['http://schema.org/Person'] },
    ];
    const body = (nodes: readonly object[]) => ({ ...reply(200, { '@graph': nodes }), headers: type });
    const theirs = body(graph(target, 5, ['a', 'b']));
    expect(
      compareReplies('GET', { target: theirs, atoll: body(graph(atoll, 7, ['b', 'a']).reverse()) }, comparison()),
    ).toEqual([]);
    const other = compareReplies('GET', { target: theirs, atoll: body(graph(atoll, 7, ['b', 'c'])) }, comparison());
    expect(other.map(({ place }) => place)).toEqual(
      [
        '/body/@graph/0/http:~1~1schema.org~1about/0/@value',
        '/body/@graph/0/http:~1~1schema.org~1about/1/@value',
      ].slice(0, other.length),
    );
    expect(other.length).toBeGreaterThan(0);
  });
});

describe('An identifier of OAI-PMH', () => {
  const body = (host: string, port: string, node: number) =>
    `<baseURL>http://${host}${port}/oai/request</baseURL><repositoryIdentifier>${host}${port}</repositoryIdentifier>` +
    `<sampleIdentifier>oai:${host}${port}:node-1</sampleIdentifier><identifier>oai:${host}:node-${node}</identifier>`;
  const common = (): JsonComparison => ({
    ...comparison(),
    hosts: createHosts({
      target: ['http://127.0.0.1:8080', 'http://localhost:8102'],
      atoll: ['http://localhost:4711'],
    }),
  });

  it('has the host of its server, with the port or without, and the id of its record', () => {
    const [theirs, own] = [body('127.0.0.1', ':8080', 343), body('localhost', ':4711', 2)];
    const known = common();
    expect(sameText(theirs, own, known)).toBe(true);
    expect(sameText(theirs, body('localhost', ':4711', 3), known)).toBe(false);
    expect(sameText(theirs, body('localhost', '', 2), known)).toBe(false);
  });
});
