/** The limits on failed logins. */
import { describe, expect, it } from '@jest/globals';
import { createLruMap } from '../../src/basics/lru-map.ts';
import { createCredentialCache } from '../../src/repository/access/credential-cache.ts';
import { createFlood } from '../../src/repository/access/flood.ts';
import { createClock, limits } from './access-fixture.ts';

const times = (count: number, act: (index: number) => void): void => {
  for (let index = 0; index < count; index += 1) act(index);
};

describe('flood counters', () => {
  it('A27: refuse the user at this address after five failures, and nobody else', () => {
    const flood = createFlood(limits, createClock());
    times(4, () => flood.register(2, '10.0.0.1'));
    expect(flood.refusal(2, '10.0.0.1')).toBeUndefined();
    flood.register(2, '10.0.0.1');
    expect(flood.refusal(2, '10.0.0.1')).toBe('flooded-user');
    expect(flood.refusal(2, '10.0.0.2')).toBeUndefined();
    expect(flood.refusal(3, '10.0.0.1')).toBeUndefined();
  });

  it('A27: refuse the address after fifty failures, whoever they were of', () => {
    const flood = createFlood(limits, createClock());
    times(50, (index) => flood.register(index + 1, '10.0.0.1'));
    expect(flood.refusal(99, '10.0.0.1')).toBe('flooded-address');
    expect(flood.refusal(99, '10.0.0.2')).toBeUndefined();
  });

  it('A27: count no user for a name without an active account, only the address', () => {
    const flood = createFlood({ ...limits, addressLimit: 7 }, createClock());
    times(6, () => flood.register(undefined, '10.0.0.1'));
    expect(flood.refusal(undefined, '10.0.0.1')).toBeUndefined();
    flood.register(undefined, '10.0.0.1');
    expect(flood.refusal(undefined, '10.0.0.1')).toBe('flooded-address');
    expect(flood.refusal(2, '10.0.0.1')).toBe('flooded-address');
  });

  it('A27: free both again after their windows', () => {
    const clock = createClock();
    const flood = createFlood({ ...limits, addressLimit: 5 }, clock);
    times(5, () => flood.register(2, '10.0.0.1'));
    expect(flood.refusal(2, '10.0.0.1')).toBe('flooded-address');
    clock.advance(3600);
    expect(flood.refusal(2, '10.0.0.1')).toBe('flooded-user');
    clock.advance(18_000);
    expect(flood.refusal(2, '10.0.0.1')).toBeUndefined();
  });

  it('A27: are idle again when all that they counted is older than their windows', () => {
    const clock = createClock();
    const flood = createFlood(limits, clock);
    expect(flood.isIdle()).toBe(true);
    flood.register(2, '10.0.0.1');
    clock.advance(limits.userWindowSeconds - 1);
    expect(flood.isIdle()).toBe(false);
    clock.advance(1);
    expect(flood.isIdle()).toBe(true);
  });

  it('A27: forget the failures of the user alone when cleared', () => {
    const flood = createFlood({ ...limits, addressLimit: 6 }, createClock());
    times(5, () => flood.register(2, '10.0.0.1'));
    flood.clear(2, '10.0.0.1');
    expect(flood.refusal(2, '10.0.0.1')).toBeUndefined();
    flood.register(2, '10.0.0.1');
    expect(flood.refusal(2, '10.0.0.1')).toBe('flooded-address');
  });

  it('take back one registration', () => {
    const flood = createFlood(limits, createClock());
    times(5, () => flood.register(2, '10.0.0.1'));
    flood.withdraw(2, '10.0.0.1');
    expect(flood.refusal(2, '10.0.0.1')).toBeUndefined();
  });

  it('count nothing when the site says off', () => {
    const flood = createFlood(undefined, createClock());
    times(100, () => flood.register(2, '10.0.0.1'));
    expect(flood.refusal(2, '10.0.0.1')).toBeUndefined();
  });
});

describe('a bounded map', () => {
  it('A29: forgets what was not used for longest', () => {
    const map = createLruMap<string, number>(2);
    map.set('a', 1);
    map.set('b', 2);
    expect(map.get('a')).toBe(1);
    map.set('c', 3);
    expect(map.size).toBe(2);
    expect([map.get('a'), map.get('b'), map.get('c')]).toEqual([1, undefined, 3]);
  });
});

describe('the credential cache', () => {
  it('holds a pair for 60 s and only against the hash it was found right by', () => {
    const clock = createClock();
    const cache = createCredentialCache('key', clock);
    const fingerprint = cache.fingerprint('editor', 'pw');
    cache.keep(fingerprint, 'hash');
    clock.advance(59);
    expect(cache.holds(fingerprint, 'hash')).toBe(true);
    expect(cache.holds(cache.fingerprint('editor', 'pW'), 'hash')).toBe(false);
    clock.advance(1);
    expect(cache.holds(fingerprint, 'hash')).toBe(false);
  });

  it('drops a pair when the hash has changed or is gone', () => {
    const cache = createCredentialCache('key', createClock());
    const fingerprint = cache.fingerprint('editor', 'pw');
    cache.keep(fingerprint, 'hash');
    expect(cache.holds(fingerprint, 'new hash')).toBe(false);
    expect(cache.holds(fingerprint, 'hash')).toBe(false);
    cache.keep(fingerprint, undefined);
    expect(cache.holds(fingerprint, undefined)).toBe(false);
  });

  it('tells a colon in the name from one in the password, and keys by process', () => {
    const cache = createCredentialCache('key', createClock());
    expect(cache.fingerprint('a\0b', 'c')).not.toBe(cache.fingerprint('a', 'b\0c'));
    expect(cache.fingerprint('a', 'b')).not.toBe(createCredentialCache('other', createClock()).fingerprint('a', 'b'));
  });
});
