/** What a page shows of the values of records: words for every type, nothing that runs, nothing that the reader may not see. */
import { beforeEach, describe, expect, it } from '@jest/globals';
import { createModel, type FieldDefinition, entityTypes, labelOf } from '../../src/repository/repository.ts';
import { shownValue } from '../../src/repository/pages/fields-section.ts';
import { textOfHtml } from '../../src/basics/formats/text-of-html.ts';
import { createTestAtoll } from '../support/atoll.ts';
import { anonymous, basic, visit, type Visitor } from '../support/requests.ts';
import { hangMs } from '../support/hang.ts';
import { recordsOf } from '../representations/recorded.ts';
import type { Entity, FieldItems } from '../../src/openapi/openapi-records.ts';
import type { JsonObject } from '../../src/basics/json.ts';

/** The default site, where the field of a PID is private and descriptions may be HTML. */
const atoll = await createTestAtoll({
  site: (site) => ({
    ...site,
    textFormats: ['plain_text', 'full_html'],
    htmlFormats: new Set(['full_html']),
    model: createModel(
      entityTypes.flatMap((type) =>
        site.model.bundles(type).map((bundle) => ({
          ...bundle,
          fields: new Map(
            [...bundle.fields].map(([name, field]) => [
              name,
              name === 'field_pid' ? { ...field, access: 'private' as const } : field,
            ]),
          ),
        })),
      ),
    ),
  }),
});
beforeEach(() => atoll.reset());

const page = async (path: string, visitor: Visitor = anonymous): Promise<string> =>
  (await visit(atoll, visitor, 'GET', path).set('Accept', 'text/html').expect(200)).text;

const change = async (
  key: `node:${number}` | `taxonomy_term:${number}` | `media:${number}`,
  fields: Entity['fields'],
) => {
  const { store } = atoll.world();
  const [found] = await store.getMany([key]);
  if (found === undefined) throw new Error(`The starter archive has no ${key}.`);
  const put = { ...found, fields: { ...found.fields, ...fields } };
  await store.transact([], () => ({ changes: [{ put }], result: undefined }));
};

const hostile = `"><script>alert(1)</script><svg onload='x'><img src=x onerror=y>&amp;{{7*7}}`;
const harmless =
  "&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;&lt;svg onload='x'&gt;&lt;img src=x onerror=y&gt;&amp;amp;{{7*7}}";

describe('A text of a record', () => {
  it('is escaped in titles, fields, labels of references, names of files and addresses', async () => {
    await change('node:5', {
      title: [{ value: hostile }],
      field_alternative_title: [{ value: hostile }],
      field_description: [{ value: hostile }],
      field_edtf_date: [{ value: hostile }],
    });
    await change('node:2', { title: [{ value: hostile }] });
    await change('taxonomy_term:24', { name: [{ value: hostile }] });
    const [image] = await atoll.world().store.getMany(['media:2']);
    const picture = image?.fields['field_media_image']?.[0] ?? {};
    await change('media:2', { name: [{ value: hostile }], field_media_image: [{ ...picture, alt: hostile }] });
    const text = await page('/node/5', basic('admin'));
    expect(text.split(harmless).length - 1).toBeGreaterThanOrEqual(7);
    // What stands between quotes is a value, not an attribute.
    expect(text.replace(/"[^"]*"/g, '')).not.toMatch(/<script|<svg|<img src=x|<[^>]* on\w+=/);
    expect(await page('/node/2')).toContain(`<h1 dir="auto">${harmless}</h1>`);
    const media = await page('/media/2', basic('admin'));
    expect(media).toContain(`alt="${harmless}"`);
  });

  it('makes no page that another would frame, and no header of its own', async () => {
    await change('node:5', { title: [{ value: 'a\r\nSet-Cookie: x=y\u0000' }] });
    const answer = await visit(atoll, anonymous, 'GET', '/node/5').set('Accept', 'text/html').expect(200);
    expect(answer.headers).not.toHaveProperty('set-cookie');
    expect(answer.headers['content-security-policy']).toContain("frame-ancestors 'self'");
  });
});

describe('What the reader may not see', () => {
  it('is not named where a record refers to it', async () => {
    const [hidden] = await atoll.world().store.getMany(['node:11']);
    const title = hidden === undefined ? 'no node 11' : labelOf(hidden);
    await change('node:5', { field_member_of: [{ target_id: 11 }, { target_id: 987 }] });
    const guest = await page('/node/5');
    expect(guest).toContain('node 11 <span class="note">(not shown to you)</span>');
    expect(guest).toContain('node 987 <span class="note">(does not exist)</span>');
    expect(guest).not.toContain(title);
    expect(guest).not.toContain('href="/node/11"');
    expect(await page('/node/5', basic('admin'))).toContain(`<a href="/node/11" dir="auto">${title}</a>`);
  });

  it('is not listed among the members', async () => {
    await change('node:11', { field_member_of: [{ target_id: 2 }] });
    const [guest, admin] = [await page('/node/2'), await page('/node/2', basic('admin'))];
    const countIn = (text: string): number => Number(/Members \((\d+)\)/.exec(text)?.[1]);
    expect(admin).toContain('href="/node/11"');
    expect(guest).not.toContain('href="/node/11"');
    expect(countIn(admin)).toBeGreaterThan(countIn(guest));
  });

  it('is left out where a field is private', async () => {
    expect(await page('/node/5')).not.toContain('saltmarsh:17');
    expect(await page('/node/5', basic('viewer'))).not.toContain('saltmarsh:17');
    expect(await page('/node/5', basic('editor'))).toContain('saltmarsh:17');
    expect(await page('/node/5', basic('admin'))).toContain('saltmarsh:17');
  });
});

describe('The picture of an object', () => {
  const lead = /<img class="lead" src="([^"]*)"/;

  it('is the best whose bytes the reader may read, also where the media are hidden', async () => {
    const guest = await page('/node/5');
    const source = lead.exec(guest)?.[1] ?? '';
    expect(source).toContain('Service');
    expect(guest).not.toContain('href="/media/');
    expect((await visit(atoll, anonymous, 'GET', source)).status).toBe(200);
  });

  it('is not shown to who may not read any, and an object without one has none', async () => {
    for (const media of ['media:2', 'media:3'] as const) await change(media, { field_media_image: [] });
    expect(await page('/node/5')).not.toMatch(lead);
    expect(lead.exec(await page('/node/5', basic('admin')))?.[1]).toContain('fleet-at-anchor.png');
    expect(await page('/node/1', basic('admin'))).not.toMatch(lead);
  });
});

describe('A media', () => {
  it('is shown with a player for its type, from its own host', async () => {
    const { store } = atoll.world();
    const { entities } = await store.list('media', { offset: 0, limit: 200 });
    const shown = new Set<string>();
    for (const { id, bundle } of entities) {
      const text = await page(`/media/${id}`, basic('admin'));
      const player = /<(img|audio|video) [^>]*src="(\/[^/"][^"]*)"/.exec(text)?.[1];
      shown.add(`${bundle} ${player}`);
      for (const [, src = ''] of text.matchAll(/ src="([^"]*)"/g)) {
        const bytes = await visit(atoll, basic('admin'), 'GET', src.replaceAll('&amp;', '&'));
        expect([src, bytes.status]).toEqual([src, 200]);
      }
    }
    expect([...shown].sort()).toEqual(
      expect.arrayContaining(['audio audio', 'file undefined', 'image img', 'video video']),
    );
  });

  it('without its bytes says so', async () => {
    const { store } = atoll.world();
    const [media] = await store.getMany(['media:1']);
    const file = media?.fields['field_media_image']?.[0]?.['target_id'];
    const [found] = await store.getMany([`file:${Number(file)}`]);
    if (found === undefined) throw new Error('The starter archive has no such file.');
    const { type, id, uuid, bundle, fields } = found;
    const put = { type, id, uuid, bundle, fields };
    await store.transact([], () => ({ changes: [{ put }], result: undefined }));
    expect(await page('/media/1', basic('admin'))).toContain('Its bytes are not here.');
  });
});

/** Values by type; the context is that of the default site. */
const shownAs = (type: string, item: JsonObject, definition: Partial<FieldDefinition> = {}): string => {
  const world = atoll.world();
  const field: FieldDefinition = {
    ...{ name: 'field_x', label: 'X', type, cardinality: 1, required: false, configured: true, translatable: false },
    ...definition,
  };
  const [bundle] = world.site.model.bundles('node');
  const entity: Entity = { type: 'node', id: 1, uuid: '', bundle: bundle?.id ?? '', fields: {} };
  const none = { records: recordsOf([]), targets: new Map(), visible: new Set<never>() };
  return shownValue(item, { world, viewer: world.access.anonymous, entity, ...none }, field).text;
};

describe('A value', () => {
  const rows: readonly (readonly [string, JsonObject, string, Partial<FieldDefinition>?])[] = [
    ['boolean', { value: true }, 'Yes'],
    ['boolean', { value: false }, 'No'],
    ['integer', { value: 0 }, '0'],
    ['weight', { value: -3 }, '-3'],
    ['float', { value: 1.5 }, '1.5'],
    ['decimal', { value: '1.50' }, '1.50'],
    ['edtf', { value: '19XX~/1925?' }, '19XX~/1925?'],
    ['language', { value: 'fr' }, 'French (fr)'],
    ['language', { value: 'und' }, 'not specified (und)'],
    ['language', { value: '<b>' }, '&lt;b&gt; (&lt;b&gt;)'],
    ['uuid', { value: 'a-b' }, '<code>a-b</code>'],
    [
      'timestamp',
      { value: '2020-02-29T23:30:00+00:00' },
      '<time datetime="2020-02-29T23:30:00.000Z">29 February 2020 at 23:30 UTC</time>',
    ],
    ['timestamp', { value: 'soon' }, 'soon'],
    ['datetime', { value: '2020-02-29' }, '<time datetime="2020-02-29">29 February 2020</time>'],
    [
      'daterange',
      { value: '2020-02-28', end_value: '2020-02-29' },
      '<time datetime="2020-02-28">28 February 2020</time> – <time datetime="2020-02-29">29 February 2020</time>',
    ],
    ['list_string', { value: 'oil' }, 'Oil on wood', { allowedValues: { oil: 'Oil on wood' } }],
    ['list_string', { value: 'constructor' }, 'constructor', { allowedValues: { oil: 'Oil on wood' } }],
    ['list_integer', { value: 5 }, 'High', { allowedValues: { 5: 'High' } }],
    ['email', { value: 'a@b.example' }, '<a href="mailto:a@b.example">a@b.example</a>'],
    ['telephone', { value: '+1 202 <b>' }, '+1 202 &lt;b&gt;'],
    ['geolocation', { lat: 1.5, lng: -2 }, '1.5, -2'],
    ['name', { title: null, given: 'Maren', family: 'Quellan' }, 'Maren Quellan'],
    ['comment', { status: 2, cid: 0 }, 'Open'],
    ['link', { uri: 'https://a.example/?b=1&c=2', title: 'A' }, '<a href="https://a.example/?b=1&amp;c=2">A</a>'],
    ['link', { uri: 'internal:/node/5', title: null }, '<a href="/node/5">internal:/node/5</a>'],
    ['link', { uri: 'entity:taxonomy_term/24', title: 'T' }, '<a href="/taxonomy/term/24">T</a>'],
    ['link', { uri: 'javascript:alert(1)', title: 'T' }, 'T (javascript:alert(1))'],
    ['link', { uri: ' JaVaScRiPt:alert(1)', title: null }, ' JaVaScRiPt:alert(1)'],
    ['link', { uri: 'data:text/html,x', title: null }, 'data:text/html,x'],
    ['link', { uri: 'internal://evil.example', title: null }, 'internal://evil.example'],
    ['link', { uri: 'internal:/\\evil.example', title: null }, 'internal:/\\evil.example'],
    ['link', { uri: 'internal:/\t/evil.example', title: null }, 'internal:/\t/evil.example'],
    [
      'authority_link',
      { uri: 'https://v.example/1', title: null, source: 'viaf' },
      '<a href="https://v.example/1">https://v.example/1</a> (VIAF)',
      { forms: { sources: { viaf: 'VIAF' } } },
    ],
    ['string_long', { value: 'a\nb' }, '<span class="lines">a\nb</span>'],
    [
      'text_long',
      { value: 'see https://a.example/b', format: 'plain_text' },
      '<div class="text"><p>see <a href="https://a.example/b">https://a.example/b</a></p>\n</div>',
    ],
    [
      'text_long',
      {
        value: '<p onclick="x">A <b>bold</b> &lt;i&gt; &#60;script&#62;</p><script>bad()</script>',
        format: 'full_html',
      },
      '<div class="text"><p>A bold &lt;i&gt; &lt;script&gt;</p>\n</div>',
    ],
    ['other', { value: 'x' }, '<span class="lines">x</span>'],
    ['other', { a: '<', b: [1] }, '<span>a: &lt;</span><br /><span>b: [1]</span>'],
    ['entity_reference', { target_id: 'islandora_object' }, 'Repository Item', { target: { type: 'node_type' } }],
    [
      'entity_reference_revisions',
      { target_id: 5, target_revision_id: 7 },
      'paragraph 5',
      { shown: { storageSettings: { target_type: 'paragraph' } } },
    ],
    [
      'typed_relation',
      { target_id: 7, rel_type: 'relators:pht' },
      'term 7 <span class="note">(does not exist)</span> <span class="note">(Photographer)</span>',
      { target: { type: 'taxonomy_term' }, shown: { relationLabels: { 'relators:pht': 'Photographer' } } },
    ],
  ];
  it.each(rows.map(([type, item, shown, definition = {}]) => [type, item, shown, definition] as const))(
    'of the type %s: %j',
    (type, item, expected, definition) => {
      expect(shownAs(type, item, definition)).toBe(expected);
    },
  );

  it('of a field with hundreds is cut, and the page says so', async () => {
    const many: FieldItems = Array.from({ length: 300 }, (_, at) => ({ value: `title number ${at}` }));
    await change('node:5', { field_alternative_title: many });
    const text = await page('/node/5');
    expect(text.match(/title number \d+/g)).toHaveLength(200);
    expect(text).toContain('and 100 more, in the data below');
  });
});

describe('The text of HTML', () => {
  it.each([
    ['<p>a</p><p>b</p>', 'a\n\nb'],
    ['a<br>b<br/>c', 'a\nb\nc'],
    ['<ul><li>a</li><li>b</li></ul>', 'a\n\nb'],
    ['a < b and c > d', 'a < b and c > d'],
    ['<style>p{}</style>a<script>if (a<b) x()</script>b', 'ab'],
    ['a<script>never ends', 'a'],
    ['&lt;b&gt; &amp;lt; &nbsp;&#x41;&#66;&#0;&unknown;', '<b> &lt; \u00a0AB&#0;&unknown;'],
    ['<!-- a -->b', 'b'],
  ])('%j is %j', (source, text) => {
    expect(textOfHtml(source)).toBe(text);
  });

  it('is found in one pass, whatever it is', () => {
    for (const piece of ['<', '<a', '<script>', '<script', '</', '&', '<!--', '<p>\n ', ' \n']) {
      const begun = performance.now();
      textOfHtml(piece.repeat(200_000));
      expect(performance.now() - begun).toBeLessThan(hangMs);
    }
  });
});
