/** Checking passwords against their hashes. */
import { describe, expect, it } from '@jest/globals';
import { hashPassword } from '../../src/repository/repository-engine.ts';
import { passwordMatches } from '../../src/repository/access/passwords.ts';
import { scryptCallsIn } from '../support/scrypt-count.ts';

const salt = Buffer.alloc(16, 1);

describe('passwords', () => {
  it('are hashed as scrypt$16384$8$1$salt$hash and found again', async () => {
    const hash = await hashPassword('pässword', salt);
    expect(hash).toMatch(/^scrypt\$16384\$8\$1\$AQEBAQEBAQEBAQEBAQEBAQ==\$[A-Za-z0-9+/]{43}=$/);
    expect(await passwordMatches('pässword', hash)).toBe(true);
    expect(await passwordMatches('passwort', hash)).toBe(false);
  });

  it('A32: count in full up to 128 characters and are refused beyond', async () => {
    const longest = await hashPassword('x'.repeat(128), salt);
    expect(await passwordMatches('x'.repeat(128), longest)).toBe(true);
    expect(await passwordMatches('x'.repeat(127), longest)).toBe(false);
    const tooLong = await hashPassword('x'.repeat(129), salt);
    expect(await passwordMatches('x'.repeat(129), tooLong)).toBe(false);
  });

  it('A31: are hashed for unknown users too, and never match there', async () => {
    expect(await passwordMatches('wrong', await hashPassword('right', salt))).toBe(false);
    const calls = await scryptCallsIn(async () => {
      expect(await passwordMatches('anything', undefined)).toBe(false);
      expect(await passwordMatches('anything', 'no hash at all')).toBe(false);
    });
    expect(calls).toBe(2);
  });

  it('cost for an unknown user what they last cost for a known one', async () => {
    const cheap = `scrypt$2$1$1$${salt.toString('base64')}$${'A'.repeat(43)}=`;
    expect(await passwordMatches('wrong', cheap)).toBe(false);
    const tried = process.cpuUsage();
    for (let times = 0; times < 200; times += 1) await passwordMatches(`wrong ${times}`, undefined);
    // With N = 16384, 200 of them take more than ten times as long.
    expect(process.cpuUsage(tried).user).toBeLessThan(1_000_000);
  });

  it('that have matched once are known without scrypt; another password or hash is not', async () => {
    const hash = await hashPassword('known', salt);
    const changed = await hashPassword('changed', salt);
    expect(await passwordMatches('known', hash)).toBe(true);
    const calls = await scryptCallsIn(async () => {
      for (let times = 0; times < 20; times += 1) expect(await passwordMatches('known', hash)).toBe(true);
    });
    expect(calls).toBe(0);
    expect(await passwordMatches('known', changed)).toBe(false);
    expect(await passwordMatches('changed', hash)).toBe(false);
    expect(await passwordMatches('known', undefined)).toBe(false);
  });

  it('match the demo accounts of the site', async () => {
    const hash = 'scrypt$16384$8$1$FVPMYv8kYETGg6YeID5lVA==$XM7OJGaoMQTs/OuA/H6mKAtcpPhgxNOEltWRAuowj5A=';
    expect(await passwordMatches('editor', hash)).toBe(true);
  });
});
