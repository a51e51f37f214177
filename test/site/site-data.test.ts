/** The default site as data: what the contract, the recordings and the decisions ask of it. How a site is read is tested elsewhere. */
import { scryptSync } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { imageSize } from 'image-size';
import { loadSite } from '../support/site-sources.ts';

const site = await loadSite(new URL('../../data/site', import.meta.url).pathname);

const labelsOf = (mediaType: string): string[] =>
  [...(site.model.bundle('media', mediaType)?.fields.values() ?? [])]
    .filter((field) => field.configured)
    .map((field) => `${field.name} ${field.label}`);

describe('the default site', () => {
  it('has the terms of the documented installation under their ids, uuids and URIs', () => {
    const documented = [
      [16, 'Original File', '08e01ff9-eb72-42f5-ae3a-8b21ba0c0bc3', 'http://pcdm.org/use#OriginalFile'],
      [18, 'Service File', 'e8c698a7-8c15-47c4-8567-1c27f8f0c19e', 'http://pcdm.org/use#ServiceFile'],
      [22, 'Binary', 'e1f167e1-124d-4db4-96ab-30641ca4e21b', 'http://purl.org/coar/resource_type/c_1843'],
      [23, 'Collection', '6a3b293d-4617-417b-99d2-23d75b57f7c2', 'http://purl.org/dc/dcmitype/Collection'],
      [24, 'Image', 'e7560b68-e95a-4e76-9671-2a3041cd9800', 'http://purl.org/coar/resource_type/c_c513'],
    ];
    const found = site.terms.map((term) => [
      term.tid,
      term.fields['name']?.[0]?.['value'],
      term.uuid,
      term.fields['field_external_uri']?.[0]?.['uri'],
    ]);
    expect(found).toEqual(expect.arrayContaining(documented));
  });

  it('numbers its terms from 1 without gaps and gives every uuid once', () => {
    const ids = site.terms.map((term) => term.tid).sort((a, b) => a - b);
    expect(ids).toEqual(Array.from({ length: ids.length }, (_, index) => index + 1));
    const uuids = [...site.terms.map((term) => term.uuid), ...site.accounts.map((account) => account.uuid)];
    expect(new Set(uuids).size).toBe(uuids.length);
    for (const uuid of uuids)
      expect(uuid).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  });

  it('gives external URIs to models, media uses and display hints only', () => {
    const withUri = new Set(site.terms.filter((term) => 'field_external_uri' in term.fields).map((t) => t.vocabulary));
    expect([...withUri].sort()).toEqual(['islandora_display', 'islandora_media_use', 'islandora_models']);
    for (const vocabulary of site.model.bundles('taxonomy_term')) {
      expect([vocabulary.id, vocabulary.fields.has('field_external_uri')]).toEqual([
        vocabulary.id,
        withUri.has(vocabulary.id),
      ]);
    }
  });

  it('labels the fields of image media as the reference does', () => {
    expect(labelsOf('image')).toEqual([
      'field_access_terms Access terms',
      'field_file_size File size',
      'field_height Height',
      'field_media_image Image',
      'field_media_of Media of',
      'field_media_use Media Use',
      'field_mime_type MIME type',
      'field_width Width',
    ]);
  });

  it('maps only fields that a bundle has, the base fields first', () => {
    const mapped = (['node', 'media', 'taxonomy_term'] as const).flatMap((type) => site.model.bundles(type));
    for (const bundle of mapped) {
      const names = [...(bundle.rdf?.fields.keys() ?? [])];
      expect(names.filter((name) => !bundle.fields.has(name))).toEqual([]);
      const configured = names.filter((name) => bundle.fields.get(name)?.configured === true);
      expect(names.slice(names.length - configured.length)).toEqual([...configured].sort());
    }
  });

  it('keeps each media type a source field with extensions and a scheme that is mounted', () => {
    const schemes = site.storages.map((mount) => mount.scheme);
    for (const bundle of site.model.bundles('media')) {
      const source = bundle.fields.get(bundle.source?.field ?? '');
      expect(source?.required).toBe(true);
      expect(source?.extensions?.length).toBeGreaterThan(0);
      expect(schemes).toContain(source?.scheme);
    }
  });

  it.each([...site.accounts])(
    'lets $name in with the printed demo password',
    ({ passwordHash, demoPassword, roles }) => {
      const [, cost, blockSize, parallelism, salt = '', hash] = passwordHash.split('$');
      const parameters = { N: Number(cost), r: Number(blockSize), p: Number(parallelism) };
      expect(scryptSync(demoPassword ?? '', Buffer.from(salt, 'base64'), 32, parameters).toString('base64')).toBe(hash);
      for (const role of roles) expect(site.roles.has(role)).toBe(true);
    },
  );

  it('gives the editor every right of the demo table and no administrator its own', () => {
    const editor = site.roles.get('editor')?.permissions ?? [];
    for (const vocabulary of site.model.bundles('taxonomy_term')) {
      expect(editor).toContain(`create terms in ${vocabulary.id}`);
    }
    expect(editor).not.toContain('administer nodes');
    expect(editor).not.toContain('administer media');
    expect([...site.roles.values()].filter((role) => role.isAdmin).map((role) => role.id)).toEqual(['administrator']);
  });

  it('has an icon of 180 by 180 pixels for every media type', () => {
    for (const bundle of site.model.bundles('media')) {
      const size = imageSize(readFileSync(join(site.iconDirectory, bundle.source?.icon ?? '')));
      expect([size.width, size.height, size.type]).toEqual([180, 180, 'png']);
    }
  });
});
