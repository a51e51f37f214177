/** The patterns of places that rows of deliberate differences and of accepted ones name. */
import { describe, expect, it } from '@jest/globals';
import { matchesPlace, patternOfPlace } from '../../src/checks/compare/json-paths.ts';

describe('A pattern of places', () => {
  it('has * for a step and ** for all that follow', () => {
    expect(matchesPlace('/body/*/0', '/body/title/0')).toBe(true);
    expect(matchesPlace('/body/*', '/body/title/0')).toBe(false);
    expect(matchesPlace('/body/**', '/body/title/0')).toBe(true);
    expect(matchesPlace('/headers/Link', '/headers/Allow')).toBe(false);
  });

  it('is made of a place without its indexes', () => {
    expect(patternOfPlace('/body/title/0/value')).toBe('/body/title/*/value');
  });
});
