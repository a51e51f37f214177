import { describe, expect, it } from '@jest/globals';
import { createParallelLimit } from '../../src/access/parallel-limit.ts';
import { hashPassword, passwordMatches } from '../../src/access/passwords.ts';

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
    const started = performance.now();
    expect(await passwordMatches('anything', undefined)).toBe(false);
    expect(await passwordMatches('anything', 'no hash at all')).toBe(false);
    // Two scrypt calls; a refusal without hashing takes microseconds.
    expect(performance.now() - started).toBeGreaterThan(10);
  });

  it('match the demo accounts of the site', async () => {
    const hash = 'scrypt$16384$8$1$FVPMYv8kYETGg6YeID5lVA==$XM7OJGaoMQTs/OuA/H6mKAtcpPhgxNOEltWRAuowj5A=';
    expect(await passwordMatches('editor', hash)).toBe(true);
  });
});

describe('the gate in front of hashing', () => {
  it('A30: lets two run, lets the next wait in order, and refuses the surplus', async () => {
    const gate = createParallelLimit(2, 1, () => new Error('full'));
    const log: string[] = [];
    const finish = new Map<string, () => void>();
    const task = (name: string): Promise<void> =>
      gate(() => {
        log.push(name);
        return new Promise((resolve) => finish.set(name, resolve));
      });
    const first = task('a');
    const rest = [task('b'), task('c')];
    await expect(task('d')).rejects.toThrow('full');
    expect(log).toEqual(['a', 'b']);
    finish.get('a')?.();
    await first;
    await Promise.resolve();
    expect(log).toEqual(['a', 'b', 'c']);
    finish.get('b')?.();
    finish.get('c')?.();
    await Promise.all(rest);
  });

  it('frees the place of a task that fails', async () => {
    const gate = createParallelLimit(1, 0, () => new Error('full'));
    await expect(gate(() => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
    expect(await gate(() => Promise.resolve('next'))).toBe('next');
  });
});
