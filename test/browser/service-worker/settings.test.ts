/** The settings of a service worker, which are in the address of its script, and the paths that it answers. */
import { describe, expect, it } from '@jest/globals';
import { settingsOf } from '../../../src/browser/service-worker/read-settings.ts';
import {
  isOwnScript,
  isServed,
  scriptWith,
  type WorkerSettings,
} from '../../../src/browser/service-worker/settings.ts';

const script = new URL('https://host.test/app/sw.js?own=1');

describe('The settings of a worker', () => {
  it.each<WorkerSettings>([
    { prefix: '', except: [] },
    {
      prefix: '/app/repo',
      except: ['/app/repo/x', '/app/repo/ä?&*'],
      fixture: 'a b&c',
      seed: '1',
      pages: false,
      traffic: 0,
    },
    {
      prefix: '/r',
      except: [],
      persist: 'name',
      caches: 'reference',
      advice: 'header',
      pages: true,
      traffic: 20,
      reactionsDelay: 0.5,
      console: '/c/',
    },
  ])('come back from the address of the script: %j', (settings) => {
    const address = scriptWith(script, settings, '1.2.3');
    expect(settingsOf(address.href)).toMatchObject(settings);
    const given = Object.values(settingsOf(address.href)).filter((value) => value !== undefined);
    expect(given).toHaveLength(Object.keys(settings).length);
    expect(address.searchParams.get('own')).toBe('1');
    expect([isOwnScript(address.href), isOwnScript(script.href)]).toEqual([true, false]);
  });

  it('are others for another version, so that the browser loads the script anew', () => {
    const settings = { prefix: '', except: [] };
    expect(scriptWith(script, settings, '1').href).not.toBe(scriptWith(script, settings, '2').href);
  });
});

describe('The paths of the repository', () => {
  it.each([
    ['/repo', true],
    ['/repo/', true],
    ['/repo/node/1', true],
    ['/repo/~world/node/1', true],
    ['/repository', false],
    ['/', false],
    ['/repo/static', false],
    ['/repo/static/x', true],
    ['/repo/assets/x/y.js', false],
  ])('begin with the prefix, without exceptions: %s', (path, isAnswered) => {
    expect(isServed(path, { prefix: '/repo', except: ['/repo/static', '/repo/assets/*'] })).toBe(isAnswered);
  });

  it('are all paths of the origin for an empty prefix', () => {
    const served = ['/', '/node/1', '/page.js'].filter((path) => isServed(path, { prefix: '', except: ['/'] }));
    expect(served).toEqual(['/node/1', '/page.js']);
  });
});
