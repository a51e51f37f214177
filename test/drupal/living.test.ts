/** What an import makes of the patterns of aliases and of the hashes of files. */
import { describe, expect, it } from '@jest/globals';
import { imported, smallSite } from './imported.ts';

const modules = (...names: readonly string[]) => ({
  'core.extension': {
    module: Object.fromEntries(['node', 'media', 'taxonomy', 'islandora', 'path', ...names].map((name) => [name, 0])),
  },
});

const settings = {
  separator: '-',
  max_length: 90,
  max_component_length: 100,
  transliterate: true,
  reduce_ascii: false,
  case: true,
  ignore_words: 'a, the',
  update_action: 1,
  punctuation: { hyphen: 1, period: 2, comma: 0 },
};

const pattern = {
  id: 'items',
  type: 'canonical_entities:node',
  pattern: '/items/[node:title]',
  selection_criteria: { one: { id: 'entity_bundle:node', negate: false, bundles: { article: 'article' } } },
  weight: -5,
};

const hashes = { algorithms: { md5: false, sha1: true, blake2b_128: true }, original: true, rehash: '1', dedupe: 0 };

describe('An import', () => {
  it('takes patterns with their settings, and hashes with those that the program has', async () => {
    const { site, report } = await imported({
      ...smallSite,
      ...modules('pathauto', 'filehash'),
      ...{ 'pathauto.settings': settings, 'pathauto.pattern.items': pattern, 'filehash.settings': hashes },
    });
    expect(site.living).toEqual({
      aliasPatterns: {
        settings: {
          ...{ separator: '-', max_length: 90, max_component_length: 100, lowercase: true, transliterate: true },
          ...{ reduce_ascii: false, update: 'add', punctuation: { hyphen: 'separator', period: 'keep' } },
          ignore_words: ['a', 'the'],
        },
        patterns: [
          ...[{ id: 'items', entity_type: 'node', pattern: '/items/[node:title]', weight: -5, languages: [] }].map(
            (each) => ({ ...each, bundles: ['article'] }),
          ),
        ],
      },
      fileHashes: { algorithms: ['sha1', 'blake2b_128'], original: true, rehash: true },
    });
    expect(site.modules).toMatchObject({
      automaticPaths: true,
      hashes: ['sha1', 'original_sha1', 'blake2b_128', 'original_blake2b_128'],
    });
    expect(report.taken['patterns of aliases']).toBe(1);
    expect(report.partly.map(({ why }) => why)).toContain('files have no hash by blake2b_128 here');
  });

  it.each([
    ['0', {}],
    [1, { dedupe: 1 }],
    ['2', { dedupe: 2 }],
    [true, { dedupe: 1 }],
  ])('takes which files may not be uploaded twice: %j', async (dedupe, taken) => {
    const settings = { ...hashes, algorithms: { sha1: true }, dedupe, dedupe_original: '0' };
    const { site } = await imported({ ...smallSite, ...modules('filehash'), 'filehash.settings': settings });
    expect(site.living).toEqual({ fileHashes: { algorithms: ['sha1'], original: true, rehash: true, ...taken } });
  });

  it('leaves the file out where the modules are off', async () => {
    const { site } = await imported({ ...smallSite, 'pathauto.settings': settings, 'filehash.settings': hashes });
    expect(site.living).toEqual({});
  });

  it('takes workflows for the bundles that the site has, with their states by weight', async () => {
    const settings = {
      states: {
        archived: { label: 'Archived', weight: 5, published: false, default_revision: true },
        draft: { label: 'Draft', weight: -5, published: '0', default_revision: false },
        published: { label: 'Published', weight: 0, published: true, default_revision: true },
      },
      transitions: {
        archive: { label: 'Archive', from: ['published'], to: 'archived', weight: 2 },
        publish: { label: 'Publish', from: ['draft', 'published'], to: 'published', weight: 1 },
      },
      entity_types: { node: ['ledger', 'gone'], block_content: ['basic'] },
      default_moderation_state: 'draft',
    };
    const workflow = { id: 'editorial', label: 'Editorial', type: 'content_moderation', type_settings: settings };
    const other = { ...workflow, type_settings: { ...settings, entity_types: { block_content: ['basic'] } } };
    const { site, report } = await imported({
      ...smallSite,
      ...modules('content_moderation', 'workflows'),
      ...{ 'workflows.workflow.editorial': workflow, 'workflows.workflow.blocks': other },
    });
    expect(site.living.workflows).toEqual({
      editorial: {
        ...{ label: 'Editorial', default_state: 'draft' },
        states: {
          draft: { label: 'Draft', published: false, default_revision: false },
          published: { label: 'Published', published: true, default_revision: true },
          archived: { label: 'Archived', published: false, default_revision: true },
        },
        transitions: {
          publish: { label: 'Publish', from: ['draft', 'published'], to: 'published' },
          archive: { label: 'Archive', from: ['published'], to: 'archived' },
        },
        bundles: { node: ['ledger'] },
      },
    });
    expect(Object.keys(site.living.workflows?.['editorial']?.states ?? {})).toEqual(['draft', 'published', 'archived']);
    expect(site.modules).toMatchObject({ contentModeration: true, moderated: ['node'] });
    expect(report.taken['workflows']).toBe(1);
    expect(report.partly).toContainEqual(
      expect.objectContaining({ lost: false, why: expect.stringMatching(/that the site has/) }),
    );
  });
});
