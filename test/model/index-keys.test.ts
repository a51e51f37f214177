/** The keys that records are found by, which stores keep beside their records. */
import { describe, expect, it } from '@jest/globals';
import { createHash } from 'node:crypto';
import { indexKeys, entityTypes } from '../../src/repository/repository.ts';
import { keysVersion } from '../../src/repository/model/index-keys.ts';
import type { Entity, Fields } from '../../src/openapi/openapi-records.ts';

const entity = (type: string, id: number, fields: Fields, bundle: string = type): Entity => ({
  ...{ type, id, bundle, fields },
  uuid: `00000000-0000-4000-8000-${String(id).padStart(12, '0')}`,
});

const path = [{ alias: '/Letters/5/', langcode: 'en' }];
const linked = [{ uri: 'http://id.example/5', title: '', options: [] }];

/** Each kind of record with everything that a key is made of, and once without. */
const records: readonly Entity[] = [
  entity('node', 5, { vid: [{ value: 5 }], field_member_of: [{ target_id: 1 }, { target_id: 2 }], path }, 'page'),
  entity('node', 6, { vid: [{ value: 9 }], path: [{ alias: '/a', pid: 3 }] }, 'page'),
  entity(
    'media',
    7,
    {
      field_media_of: [{ target_id: 5 }, { target_id: 6 }],
      field_media_use: [{ target_id: 17 }],
      field_access_terms: [{ target_id: 18 }],
      field_media_document: [{ target_id: 3 }],
      field_scan: [{ target_id: 4, alt: 'a scan' }],
      field_track: [{ target_id: 5, srclang: 'en' }],
      field_more: [{ target_id: 6, description: '' }, { target_id: 8 }],
      thumbnail: [{ target_id: 9, alt: '' }],
      path,
    },
    'document',
  ),
  entity('file', 3, { uri: [{ value: 'public://A b.txt' }] }),
  entity('file', 4, { uri: [{ value: 'public://b' }], sha1: [{ value: 'a1' }], original_sha1: [{ value: 'b2' }] }),
  entity('taxonomy_term', 4, { name: [{ value: 'Ärger' }], field_external_uri: linked, path }, 'subject'),
  entity('taxonomy_term', 5, { name: [{ value: 'x' }], field_authority_link: linked }, 'subject'),
  entity('user', 2, { name: [{ value: 'Ann' }] }),
  entity('path_alias', 1, { path: [{ value: '/node/5' }], alias: [{ value: '/Five/' }], status: [{ value: true }] }),
  entity('path_alias', 2, { path: [{ value: '/node/5' }], alias: [{ value: '/six' }], status: [{ value: false }] }),
  entity('redirect', 1, { redirect_source: [{ path: '/Old/', query: [] }] }),
  ...entityTypes.map((type) => entity(type, 99, {})),
];

describe('indexKeys', () => {
  /**
   * A start takes stored keys for those of this function when the version is the same. So when this test fails, raise
   * `keysVersion`, and put version and hash of now here.
   */
  it('has another version when any record gets other keys', () => {
    const keys = JSON.stringify(records.map(indexKeys));
    expect({ version: keysVersion, hash: createHash('sha256').update(keys).digest('hex').slice(0, 16) }).toEqual({
      version: 3,
      hash: '121a2d76acdf5f5f',
    });
  });
});
