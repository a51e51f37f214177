/** What an import makes of contexts and actions: which messages the site sends. */
import { describe, expect, it } from '@jest/globals';
import { createConfiguration } from '../../src/sites/drupal/configuration.ts';
import { derivativesOf } from '../../src/sites/drupal/living/derivatives.ts';
import type { JsonObject } from '../../src/basics/json.ts';
import { createReporter } from '../../src/sites/drupal/report.ts';
import { loadLiving } from '../../src/repository/repository-content.ts';
import { loadSite } from '../support/site-sources.ts';
import { siteFolder } from './built-in-site.ts';

const thumbnail = {
  configuration: {
    ...{ queue: 'islandora-connector-houdini', event: 'Generate Derivative', mimetype: 'image/jpeg', args: null },
    source_term_uri: 'http://pcdm.org/use#OriginalFile',
    derivative_term_uri: 'http://pcdm.org/use#ThumbnailImage',
    ...{ destination_media_type: 'image', scheme: 'public', path: '[node:nid].jpg' },
  },
};
const index = { configuration: { queue: 'index', event: 'Update' } };

const context = (condition: object, others: object = {}) => ({
  ...{ disabled: false, weight: '-3', requireAllConditions: false, conditions: { one: { negate: 0, ...condition } } },
  reactions: { derivative: { id: 'derivative', actions: { thumbnail: 'thumbnail', unused: 0 } } },
  ...others,
});

const imported = (objects: Readonly<Record<string, object>>) => {
  const reporter = createReporter();
  const configuration = createConfiguration({
    objects: new Map(
      Object.entries(objects).map(([name, data]) => [name, { file: `${name}.yml`, text: JSON.stringify(data) }]),
    ),
    ...{ translations: new Map(), patches: new Map(), tables: new Map(), versions: new Map(), notRead: new Map() },
  });
  const section = derivativesOf(configuration, { schemes: new Set(['fedora']), reporter });
  return { section, report: reporter.report(new Map()) };
};

const withActions = (condition: object, others: object = {}) =>
  imported({
    'context.context.a': context(condition, others),
    'system.action.thumbnail': thumbnail,
    'system.action.index': index,
  });

const builtIn = await loadSite(siteFolder);

describe('A context', () => {
  it.each([
    ['by use', { id: 'media_has_term', uri: 'http://a,http://b', logic: 'and' }, { is: 'media_has_term', uris: ['http://a', 'http://b'], every: true }], // prettier-ignore
    ['by either use', { id: 'media_has_term', uri: 'http://a,http://b', logic: 'or' }, { is: 'media_has_term', uris: ['http://a', 'http://b'] }], // prettier-ignore
    ['by bundle', { id: 'islandora_entity_bundle', bundles: { image: 'image' }, context_mapping: { media: '@m' } }, { is: 'islandora_entity_bundle', of: ['media'], bundles: ['image'] }], // prettier-ignore
    ['by content type', { id: 'node_type', negate: '1', bundles: { page: 'page' } }, { is: 'entity_bundle', negate: true, of: ['node'], bundles: ['page'] }], // prettier-ignore
    ['by type', { id: 'content_entity_type', types: { taxonomy_term: 'taxonomy_term' } }, { is: 'content_entity_type', of: ['taxonomy_term'] }], // prettier-ignore
    ['by storage', { id: 'file_uses_filesystem', filesystems: { public: 'public', private: '0' } }, { is: 'file_uses_filesystem', filesystems: ['public'] }], // prettier-ignore
    ['by type of file', { id: 'media_source_mimetype', mimetype: 'application/pdf' }, { is: 'media_source_mimetype', mimetype: 'application/pdf' }], // prettier-ignore
  ])('%s is taken with its actions', async (_name, condition, taken) => {
    const { section, report } = withActions(condition);
    expect(section).toEqual({
      target: 'http://localhost:8080/fcrepo/rest/',
      contexts: [{ id: 'a', weight: -3, conditions: [taken], derivative: ['thumbnail'] }],
      actions: { thumbnail: thumbnail.configuration },
    });
    await expect(loadLiving({ ...builtIn, living: { derivatives: section as JsonObject } })).resolves.toBeDefined();
    expect(report.taken).toEqual({ 'contexts that send messages': 1, actions: 1 });
  });

  it('with a condition that nobody knows is named, and left out', () => {
    const { section, report } = withActions({ id: 'node_had_namespace' });
    expect(section).toBeUndefined();
    expect(report.partly).toMatchObject([{ lost: true, where: ['context.context.a'] }]);
  });

  it.each([
    ['that is off', { disabled: true }],
    ['whose actions are not there', { reactions: { index: { id: 'index', actions: { gone: 'gone' } } } }],
    ['without reactions that send', { reactions: { blocks: { id: 'blocks' } } }],
  ])('%s sends nothing', (_name, others) => {
    expect(withActions({ id: 'node_is_islandora_object' }, others).section).toBeUndefined();
  });
});

describe('An action', () => {
  it('that writes to a field of the media is named, and left out', () => {
    const file = { configuration: { ...thumbnail.configuration, destination_field_name: 'field_derivative' } };
    const { section, report } = imported({
      'context.context.a': context({ id: 'media_has_term', uri: 'http://a' }),
      'system.action.thumbnail': file,
    });
    expect(section).toBeUndefined();
    expect(report.partly).toMatchObject([{ lost: true, where: ['system.action.thumbnail'] }]);
  });
});
