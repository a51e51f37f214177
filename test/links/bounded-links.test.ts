/** That a header never has too many links, and that nothing is lost then. */
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { linkHeadersOf } from '../../src/repository/links/entity-links.ts';
import type { LinkContext } from '../../src/repository/links/link-context.ts';
import { boundedLinks, type EntityLink, maxLinkBytes, maxLinkLines } from '../../src/repository/links/typed-link.ts';
import { linkHeader, linksetOf } from '../../src/repository/repository-content.ts';
import { seededTerm, site, recordsOf } from '../representations/recorded.ts';
import { hangMs } from '../support/hang.ts';
import type { Entity } from '../../src/openapi/openapi-records.ts';

const node: Entity = {
  type: 'node',
  id: 1,
  uuid: 'node-1',
  bundle: 'islandora_object',
  fields: { title: [{ value: 'Many' }], field_model: [{ target_id: 24 }], field_member_of: [{ target_id: 2 }] },
};
const collection: Entity = { ...node, id: 2, uuid: 'node-2', fields: {} };
const media = (count: number): Entity[] =>
  Array.from({ length: count }, (_, at) => ({
    type: 'media',
    id: at + 1,
    uuid: `media-${at}`,
    bundle: 'image',
    fields: { field_media_of: [{ target_id: 1 }], field_media_use: [{ target_id: 16 }] },
  }));
const contextOf = (count: number): LinkContext => ({
  site,
  records: recordsOf([node, collection, seededTerm(16), seededTerm(24), ...media(count)]),
  baseUrl: 'http://localhost:8000',
  canView: () => true,
  mayEditSource: () => false,
  format: 'json',
  formats: ['jsonld', 'json'],
});
const linksetLine = '<http://localhost:8000/node/1/linkset>; rel="linkset"; type="application/linkset+json"';
const bytes = (lines: readonly string[]): number => lines.reduce((sum, line) => sum + Buffer.byteLength(line) + 8, 0);

describe('link headers of a node with many media', () => {
  it.each([0, 1, 50])('are complete, without linkset, with %i media', async (count) => {
    const lines = linkHeadersOf(node, contextOf(count));
    expect(lines.filter((line) => line.includes('Original File'))).toHaveLength(count);
    expect(lines).toHaveLength(10 + count);
    expect(lines.join()).not.toContain('linkset');
  });

  it.each([51, 60, 200, 1000, 10000])('are 60 lines and end with the linkset with %i media', async (count) => {
    const lines = linkHeadersOf(node, contextOf(count));
    expect(lines).toHaveLength(60);
    expect(lines.at(-1)).toBe(linksetLine);
    expect(lines.join('\n')).toMatch(/canonical.*rel="related"; title="Member of".*rel="tag".*alternate/s);
    expect(bytes(lines)).toBeLessThanOrEqual(14 * 1024);
  });

  it('find the media whose use shows behind many whose use does not', async () => {
    const useless = media(200).map((one) => ({
      ...one,
      fields: { ...one.fields, field_media_use: [{ target_id: one.id > 150 ? 16 : 999 }] },
    }));
    const records = recordsOf([node, seededTerm(16), seededTerm(24), ...useless]);
    const lines = linkHeadersOf(node, { ...contextOf(0), records });
    expect(lines.filter((line) => line.includes('Original File'))).toHaveLength(50);
  });

  it('give up page relations from the last on, then media from the last on', async () => {
    const relations = async (count: number) => linkHeadersOf(node, contextOf(count)).join('\n');
    expect(await relations(51)).toContain('edit-form');
    expect(await relations(51)).not.toContain('link-relations/create');
    const many = await relations(60);
    expect(many).not.toMatch(/edit-form|version-history|link-relations/);
    expect(many).toContain('/media/55>');
    expect(many).not.toContain('/media/56>');
  });

  it.each([true, false])('are worked out in little time with 10,000 media (viewable: %s)', async (seen) => {
    const context = { ...contextOf(10000), canView: () => seen };
    const started = performance.now();
    for (let run = 0; run < 20; run += 1) linkHeadersOf(node, context);
    expect(performance.now() - started).toBeLessThan(hangMs);
  });
});

describe('bounded links', () => {
  const link = fc.record({
    kind: fc.constantFrom('page' as const, 'media' as const, 'tag' as const, 'related' as const),
    target: fc.nat(1e6).map((id) => `http://localhost:8000/${id}`),
    rel: fc.constantFrom('related', 'tag'),
    title: fc.string({ unit: 'grapheme', maxLength: 400 }),
  });
  const kept: EntityLink = { kind: 'kept', target: 'http://localhost:8000/node/1', rel: 'canonical' };
  const linkset = { target: 'http://localhost:8000/node/1/linkset', rel: 'linkset', type: 'application/linkset+json' };

  it('fit whatever they are given, keep what must be kept, and name the linkset exactly when something is missing', () => {
    fc.assert(
      fc.property(fc.array(link, { maxLength: 120, size: 'max' }), (links: EntityLink[]) => {
        const lines = boundedLinks([kept, ...links], linkset);
        expect(lines.length).toBeLessThanOrEqual(maxLinkLines);
        expect(bytes(lines)).toBeLessThanOrEqual(maxLinkBytes);
        expect(lines[0]).toContain('canonical');
        const complete = links.every((one) => lines.includes(linkHeader(one)));
        expect(lines.includes(linksetLine)).toBe(!complete);
      }),
    );
  });

  it('give up tags before related links', () => {
    const long = (kind: 'tag' | 'related', at: number): EntityLink => ({
      kind,
      target: `http://x/${at}`,
      rel: kind,
      title: 'x'.repeat(1000),
    });
    const lines = boundedLinks(
      [...Array(10).keys()].flatMap((at) => [long('tag', at), long('related', at)]),
      linkset,
    );
    expect(lines.filter((line) => line.includes('rel="related"'))).toHaveLength(10);
    expect(lines.filter((line) => line.includes('rel="tag"'))).toHaveLength(2);
  });
});

describe('the linkset of a node', () => {
  it('holds every link of the requester, anchored at the canonical URL, with every format', async () => {
    const set = linksetOf(node, contextOf(70));
    const [links] = set['linkset'] as [Record<string, unknown[]>]; // RFC 9264: a list of link context objects
    expect(links['anchor']).toBe('http://localhost:8000/node/1');
    expect(links['canonical']).toEqual([{ href: 'http://localhost:8000/node/1' }]);
    expect(links['alternate']).toEqual([
      { href: 'http://localhost:8000/node/1?_format=jsonld', type: 'application/ld+json' },
      { href: 'http://localhost:8000/node/1?_format=json', type: 'application/json' },
    ]);
    expect(links['related']).toHaveLength(71);
    expect(links['related']?.at(-1)).toEqual({ href: 'http://localhost:8000/media/70', title: 'Original File' });
    expect(links['tag']).toEqual([{ href: 'http://purl.org/coar/resource_type/c_c513', title: 'Image' }]);
    expect(Object.keys(links)).toContain('https://drupal.org/link-relations/create');
  });

  it('leaves out what the requester may not view', async () => {
    const set = linksetOf(node, { ...contextOf(70), canView: (entity) => entity.type !== 'media' });
    expect(JSON.stringify(set)).not.toContain('/media/');
    expect(JSON.stringify(set)).toContain('Member of');
  });
});
