/** The sites of the package: how one is named, and what a new repository of it is filled with. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { packagedSites } from '../../src/application/application-disk.ts';
import { firstContent, siteDirectory } from '../../src/application/sources/packaged-sites.ts';
import { root } from '../support/atoll.ts';

describe('The sites of the package', () => {
  it('are the folders beside the default one', async () => {
    expect(packagedSites.slice(1)).toEqual(await readdir(join(root, 'data/sites')));
  });

  it('are chosen by name; any other text is a path, and so is a name with ./ before it', () => {
    expect(siteDirectory('/atoll', undefined)).toBe(join('/atoll', 'data/site'));
    expect(siteDirectory('/atoll', 'starter-site')).toBe(join('/atoll', 'data/sites/starter-site'));
    for (const path of ['./starter-site', 'my-site', '/srv/starter-site', 'starter', 'toString', '']) {
      expect(siteDirectory('/atoll', path)).toBe(path);
    }
  });

  it('begin with a sample, but for the default one; a folder with the starter fixture where it fits, unless one is named', () => {
    const begun = [undefined, 'starter-site', './starter-site', 'my-site'].map((folder) =>
      firstContent(undefined, { site: folder }),
    );
    const folder = { fixture: 'starter', otherFixture: 'sample' };
    expect(begun).toEqual([{ fixture: 'starter' }, { fixture: 'sample' }, folder, folder]);
    expect(firstContent(undefined, { site: undefined, isImported: true })).toEqual({ fixture: 'sample' });
    expect(firstContent('starter', { site: 'my-site' })).toEqual({ fixture: 'starter' });
  });
});
