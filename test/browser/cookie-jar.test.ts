/** The cookies that a page's engine keeps itself: sent by path, by mode of credentials, until they end. */
import { describe, expect, it } from '@jest/globals';
import { createCookieJar } from '../../src/browser/cookie-jar.ts';

const asked = (path: string, credentials: RequestCredentials = 'same-origin'): Request =>
  new Request(`http://localhost${path}`, { credentials });

describe('A jar of cookies', () => {
  it('sends each cookie at its path and below, and nothing with credentials omitted', () => {
    const jar = createCookieJar(() => 0);
    jar.keep(asked('/repo/user/login'), ['SESSa=1; path=/repo; HttpOnly', 'SESSb=2; path=/repo/~w']);
    const sent = (path: string, credentials?: RequestCredentials) => jar.valueFor(asked(path, credentials));
    expect([sent('/repo'), sent('/repo/node/1'), sent('/repository'), sent('/')]).toEqual([
      ...['SESSa=1', 'SESSa=1', undefined, undefined],
    ]);
    expect(sent('/repo/~w/node/1')).toBe('SESSa=1; SESSb=2');
    expect([sent('/repo/node/1', 'omit'), sent('/repo/node/1', 'include')]).toEqual([undefined, 'SESSa=1']);
    jar.keep(asked('/repo/user/login', 'omit'), ['SESSa=3; path=/repo']);
    expect(sent('/repo')).toBe('SESSa=1');
  });

  it('takes the longer path of one name, and the folder of the address where none is said', () => {
    const jar = createCookieJar(() => 0);
    jar.keep(asked('/repo/~w/login'), ['a=long; path=/repo/~w', 'a=short; path=/repo', 'own=1']);
    expect(jar.valueFor(asked('/repo/~w/node'))).toBe('a=long; own=1');
    expect(jar.valueFor(asked('/repo/node'))).toBe('a=short');
  });

  it('forgets a cookie that is taken back, and one whose time is over; Max-Age goes before expires', () => {
    let now = Date.parse('2026-01-01T00:00:00Z');
    const jar = createCookieJar(() => now);
    const past = 'Thu, 01 Jan 1970 00:00:01 GMT';
    jar.keep(asked('/'), [`a=1; expires=${past}; Max-Age=60; path=/`, 'b=2; path=/', 'c=3; path=/']);
    expect(jar.valueFor(asked('/x'))).toBe('a=1; b=2; c=3');
    jar.keep(asked('/'), [`b=deleted; expires=${past}; Max-Age=0; path=/`, `c=deleted; expires=${past}; path=/`]);
    expect(jar.valueFor(asked('/x'))).toBe('a=1');
    now += 60_000;
    expect(jar.valueFor(asked('/x'))).toBeUndefined();
  });
});
