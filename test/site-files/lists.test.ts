/** Which lists a site has by its files and by the switches of older sites. */
import { describe, expect, it } from '@jest/globals';
import * as v from 'valibot';
import { listFile, listsOfSite } from '../../src/repository/site-files/list-files.ts';

describe('The lists of a site', () => {
  const list = v.parse(listFile, {
    path: '/node/{node}/media',
    label: 'A',
    entity_type: 'media',
    page_size: 3,
    arguments: { node: 'mid' },
  });
  const pathsOf = (...parameters: Parameters<typeof listsOfSite>): string[] =>
    listsOfSite(...parameters).map(({ path, pageSize }) => `${path} ${pageSize ?? 'all'}`);

  it('are those of its files; switches of older sites add the ones that were built in, or take them away', () => {
    expect(pathsOf([list], {})).toEqual(['/node/{node}/media 3']);
    expect(pathsOf([list], { node_lists: true })).toEqual(['/node/{node}/media 3', '/node/{node}/members 50']);
    expect(pathsOf([list], { node_lists: false, term_lookup: true })).toEqual([
      ...['/term_from_uri 50', '/term_from_term_name 50'],
    ]);
  });
});
