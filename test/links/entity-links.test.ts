/** The links of entities against what was recorded, and who sees which. */
import { describe, expect, it } from '@jest/globals';
import { readFrom } from '../../src/repository/repository.ts';
import { linksOf, linkHeader } from '../../src/repository/repository-content.ts';
import type { LinkContext } from '../../src/repository/links/link-context.ts';
import { exchange, recording } from '../contract/recordings/exchanges.ts';
import { asBody, entityOf, recordsOf, seededTerm, site, storeOf, targetsOfBody } from '../representations/recorded.ts';
import { keyOf, type Entity } from '../../src/openapi/openapi-records.ts';

const nodeBody = asBody(exchange('observed-link-headers', 'node links as anonymous').response.body);
const mediaBody = asBody(exchange('observed-link-headers', 'media links as viewer').response.body);
const termBody = asBody(exchange('observed-terms-login-cookie-fileupload', 'term json anon').response.body);
const node65 = entityOf(nodeBody);
const media26 = entityOf(mediaBody);

/** A media of node 65 like the recorded one. */
const sibling = (id: number, ...uses: number[]): Entity => ({
  ...media26,
  id,
  uuid: `media-${id}`,
  fields: { ...media26.fields, field_media_use: uses.map((tid) => ({ target_id: tid })) },
});
const world = [
  ...targetsOfBody(nodeBody),
  ...targetsOfBody(mediaBody),
  node65,
  media26,
  ...[16, 17, 18, 19].map((tid) => seededTerm(tid)),
  sibling(25, 16),
  sibling(27, 18),
  sibling(28, 19),
];

const contextOf = (entities: readonly Entity[], more: Partial<LinkContext> = {}) => ({
  site,
  records: recordsOf(entities),
  baseUrl: 'http://localhost:8000',
  canView: () => true,
  mayEditSource: () => false,
  format: 'json' as const,
  formats: ['jsonld', 'json'] as const,
  ...more,
});
const lines = (entity: Entity, context: LinkContext) => linksOf(entity, context).map(linkHeader);

/** Decisions: translation and revision-form relations are left out. */
const recorded = (file: string, label: string): string[] =>
  (exchange(file, label).response.headers['Link'] as string[]) // recorded Link headers are lists
    .filter((line) => !/drupal-content-translation|revision-(delete|revert)-form/.test(line));

describe('links of a node to its media', () => {
  it.each([
    ['every', 'every', ['Original File', 'Image']],
    ['pcdm_use', 'those whose use is one of PCDM', ['Original File']],
  ] as const)('with %s are %s', (mediaLinks, _which, titles) => {
    const media = [sibling(25, 16), sibling(26, 24)];
    const entities = [...media, seededTerm(16), seededTerm(24)];
    const found = linksOf(node65, contextOf(entities, { site: { ...site, mediaLinks } }));
    expect(found.filter(({ kind }) => kind === 'media').map(({ title }) => title)).toEqual(titles);
  });
});

describe('links of a node', () => {
  it('load what they miss in two rounds: references and media, then what the media are for', async () => {
    const store = storeOf(world);
    const links = await readFrom(store, (records) => linksOf(node65, { ...contextOf([]), records }));
    expect(links).toEqual(linksOf(node65, contextOf(world)));
    // Keys and look-ups, then keys.
    expect(store.calls).toBe(3);
  });

  it.each(['media:26', 'node:1', 'taxonomy_term:24', 'taxonomy_term:11'])(
    'to %s are the same, hidden or never made',
    async (key) => {
      const hidden = lines(node65, contextOf(world, { canView: (entity) => keyOf(entity) !== key }));
      const absent = lines(node65, contextOf(world.filter((entity) => keyOf(entity) !== key)));
      expect(hidden).toEqual(absent);
      expect(hidden).toHaveLength(lines(node65, contextOf(world)).length - 1);
    },
  );

  it('name a media once for each of its uses, and not at all without one', async () => {
    const context = contextOf([node65, sibling(30, 16, 18), sibling(31), seededTerm(16), seededTerm(18)]);
    expect(lines(node65, context).filter((line) => line.includes('/media/'))).toEqual([
      '<http://localhost:8000/media/30>; rel="related"; title="Original File"',
      '<http://localhost:8000/media/30>; rel="related"; title="Service File"',
    ]);
  });
});

describe('links of a media', () => {
  it('load what they miss in one round', async () => {
    const store = storeOf(world);
    const links = await readFrom(store, (records) => linksOf(media26, { ...contextOf([]), records }));
    expect(links).toEqual(linksOf(media26, contextOf(world)));
    expect(store.calls).toBe(1);
  });

  it('keep edit-media but have no describes when the file may not be viewed', () => {
    const canView = ({ type }: Entity): boolean => type !== 'file';
    const relations = linksOf(media26, contextOf(world, { mayEditSource: () => true, canView })).map(({ rel }) => rel);
    expect(relations).toContain('edit-media');
    expect(relations).not.toContain('describes');
  });
});

describe('links of other records', () => {
  it('of a term are the recorded ones in the recorded order', async () => {
    expect(lines(entityOf(termBody), contextOf([]))).toEqual(
      recorded('observed-terms-login-cookie-fileupload', 'term json anon'),
    );
  });

  it('of a file are its delete form, of an account its pages', async () => {
    const file = entityOf(asBody(recording('docs-file-get-3')));
    expect(lines(file, contextOf([]))).toEqual([
      '<http://localhost:8000/file/3/delete>; rel="https://drupal.org/link-relations/delete-form"',
    ]);
    expect(lines({ ...file, type: 'user' }, contextOf([]))).toEqual([
      '<http://localhost:8000/user/3>; rel="canonical"',
      '<http://localhost:8000/user/3/edit>; rel="edit-form"',
      '<http://localhost:8000/user/3/cancel>; rel="https://drupal.org/link-relations/cancel-form"',
      '<http://localhost:8000/admin/people>; rel="collection"',
    ]);
  });

  it('are canonical alone from the platform when the site says so', async () => {
    const quiet = { site: { ...site, platformLinks: false } };
    const relations = linksOf(node65, contextOf([node65], quiet)).map(({ rel }) => rel);
    expect(relations).toEqual(['canonical', 'alternate']);
  });
});
