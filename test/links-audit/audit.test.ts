/** The audit finds each fault that is planted between it and the server. That it finds nothing else: `crawl/`. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { audit, auditJunit, auditTable } from '../../src/checks/links-audit/audit.ts';
import type { Finding, Visitor } from '../../src/checks/links-audit/walk.ts';
import { createTestAtoll } from '../support/atoll.ts';
import { inOneWorld } from '../support/one-world.ts';
import { basic } from '../support/requests.ts';
import { mediaRecord, nodeRecord, withRecords } from '../links/records.ts';
import type { World } from '../../src/repository/repository.ts';
import { alterLinks, openProxy, truth, type AlteringProxy, type Lie } from './altering-proxy.ts';

let proxy: AlteringProxy;
let world: World;
let starter: World;

beforeAll(async () => {
  proxy = await openProxy();
  const atoll = await createTestAtoll({
    around: (opened) => ({ ...opened, baseUrl: proxy.url }),
    app: { locate: inOneWorld(() => world) },
  });
  starter = atoll.world();
  await proxy.serve(atoll.app);
});
beforeEach(() => {
  world = starter;
  proxy.tell(truth);
});
afterAll(() => proxy.close());

const nobody: Visitor = { name: 'anonymous', headers: {} };
const account = (name: string): Visitor => ({ name, headers: basic(name).headers });
const auditAs = async (identities: readonly Visitor[], from: readonly number[]) =>
  audit({ base: proxy.url, from: from.map((id) => `${proxy.url}/node/${id}`), visitors: identities });

describe('a node with more media than a header holds', () => {
  it('has 0 findings: the linkset is followed and compared', async () => {
    world = withRecords(starter, [nodeRecord(1), ...Array.from({ length: 80 }, (_, at) => mediaRecord(at + 1, 1))]);
    const result = await auditAs([nobody, account('viewer')], [1]);
    expect(result.findings).toEqual([]);
    expect(result.walks[1]?.pages.get(`${proxy.url}/node/1`)?.length).toBeGreaterThan(80);
  });
});

const link = (path: string, rest: string): string => `<${proxy.url}${path}>; ${rest}`;
const onNode5 =
  (change: (value: string) => string | undefined): Lie =>
  (asked, lines) =>
    asked.url === '/node/5?_format=json' ? alterLinks(lines, change) : lines;
/** Adds a link to node 5, beside its own link to itself. */
const adding = (value: () => string): Lie => {
  return (asked, lines) => (asked.url === '/node/5?_format=json' ? [...lines, 'Link', value()] : lines);
};

type Planted = readonly [what: string, lie: Lie, as: Visitor[], rule: Finding['rule'], text: RegExp];

const planted: readonly Planted[] = [
  [
    'a hidden link shown',
    adding(() => link('/media/1', 'rel="related"; title="Original File"')),
    [nobody],
    'hidden',
    /media\/1 answers 401/,
  ],
  [
    'a wrong type',
    onNode5((value) => value.replace('application/ld+json', 'text/turtle')),
    [nobody],
    'type',
    /is announced as text\/turtle and is application\/ld\+json/,
  ],
  [
    'a dead target',
    adding(() => link('/node/9999', 'rel="related"; title="Member of"')),
    [nobody],
    'dead',
    /node\/9999 answers 404/,
  ],
  [
    'a HEAD that differs',
    (asked, lines) =>
      asked.method === 'HEAD' && asked.url === '/node/5?_format=json'
        ? alterLinks(lines, (value) => (value.includes('edit-form') ? undefined : value))
        : lines,
    [nobody],
    'head',
    /^link differs between GET and HEAD$/,
  ],
  [
    'a malformed title',
    onNode5((value) => value.replace('"Open Seadragon"', '"Open "Sea" dragon"')),
    [nobody],
    'syntax',
    /is not RFC 8288: .*Open "Sea" dragon/,
  ],
  [
    'a relative target',
    onNode5((value) => value.replace(/<http[^>]*\/node\/2>/, '</node/2>')),
    [nobody],
    'syntax',
    /has no absolute http target/,
  ],
  [
    'a media that does not lead back',
    (asked, lines) =>
      asked.url === '/media/1?_format=json'
        ? alterLinks(lines, (value) => (value.includes('Media of') ? undefined : value))
        : lines,
    [account('viewer')],
    'reciprocity',
    /leads to .*media\/1, which does not lead back/,
  ],
  [
    'a node that does not lead to its media',
    onNode5((value) => (/\/media\/1>/.test(value) ? undefined : value)),
    [account('viewer')],
    'reciprocity',
    /leads to .*node\/5, which does not lead back/,
  ],
  [
    'less for an editor than for anybody',
    (asked, lines) =>
      asked.headers.authorization !== undefined && asked.url === '/node/5?_format=json'
        ? alterLinks(lines, (value) => (value.includes('Harbours') ? undefined : value))
        : lines,
    [nobody, account('editor')],
    'subset',
    /lacks tag .*term\/27 Harbours, which anonymous visitors see/,
  ],
  [
    'other links in JSON-LD',
    (asked, lines) =>
      asked.url === '/node/5?_format=jsonld'
        ? alterLinks(lines, (value) => (value.includes('Harbours') ? undefined : value))
        : lines,
    [nobody],
    'formats',
    /has other links in another format/,
  ],
  [
    'an edit-media that takes no PUT',
    (asked, lines) => (asked.method === 'OPTIONS' ? lines.map((value) => (value === 'PUT' ? 'GET' : value)) : lines),
    [account('editor')],
    'edit',
    /OPTIONS answers 200 and allows GET/,
  ],
];

describe('the audit finds', () => {
  it.each(planted)('%s, and nothing else', async (_what, lie, identities, rule, text) => {
    proxy.tell(lie);
    // Node 5 alone, its media, and what stands above it; whoever sees media starts at the media too.
    const from = [`${proxy.url}/node/5`, ...(rule === 'reciprocity' ? [`${proxy.url}/media/1`] : [])];
    const { findings } = await audit({ base: proxy.url, from, visitors: identities });
    expect(
      [...new Set(findings.map((finding) => finding.rule))].filter((found) => !expected(rule).includes(found)),
    ).toEqual([]);
    const found = findings.filter((finding) => finding.rule === rule);
    expect(found.map((finding) => finding.text)).toEqual(expect.arrayContaining([expect.stringMatching(text)]));
  });
});

/** A link that only one format has is also a difference between the formats. */
const expected = (rule: Finding['rule']): readonly Finding['rule'][] => [rule, 'formats'];

describe('the report', () => {
  it('says what is wrong, in a table and in JUnit', async () => {
    proxy.tell(onNode5((value) => value.replace('"Open Seadragon"', '"Open <"Sea" & dragon"')));
    const result = await auditAs([nobody], [5]);
    expect(auditTable(result)).toMatch(/^syntax +anonymous +http:\S+\/node\/5 +is not RFC 8288/m);
    const junit = auditJunit(result);
    expect(junit).toContain('<failure type="syntax" message="is not RFC 8288: ');
    expect(junit).toContain('&quot;Open &lt;&quot;Sea&quot; &amp; dragon&quot;');
    expect(junit).toMatch(/<testsuite name="links as anonymous" tests="\d+" failures="1">/);
  });
});

describe('a server that puts the credentials of a visitor into links', () => {
  const password = 'planted-password-1';
  const pair = Buffer.from(`editor:${password}`).toString('base64');
  const visitors: Visitor[] = [{ name: 'editor', headers: { Authorization: `Basic ${pair}` } }];

  it('gets them into no report', async () => {
    proxy.tell(adding(() => link(`/node/9999?as=${pair}&with=${password}`, `rel="related"; title="${password}"`)));
    const result = await auditAs(visitors, [5]);
    const texts = [auditTable(result), auditJunit(result), JSON.stringify(result.findings)];
    expect(result.findings.some(({ text }) => text.includes('/node/9999?as='))).toBe(true);
    expect(texts.filter((text) => text.includes(password) || text.includes(pair))).toEqual([]);
  });

  it('keeps a word that is a password, too', async () => {
    proxy.tell(adding(() => link('/node/9999?model=islandora_object', 'rel="related"; title="Member of"')));
    const result = await auditAs([account('admin')], [5]);
    expect(auditTable(result)).toContain('model=islandora_object');
  });
});
