import { describe, expect, it } from '@jest/globals';
import { hasBody } from '../../src/openapi/openapi-host.ts';

describe('a request has a body', () => {
  it.each([
    [{}, false],
    [{ 'content-length': '0' }, false],
    [{ 'content-length': '00' }, false],
    [{ 'content-length': '1' }, true],
    [{ 'content-length': 'ten' }, true],
    [{ 'transfer-encoding': 'chunked' }, true],
    [{ 'transfer-encoding': 'chunked', 'content-length': '0' }, true],
  ])('%j: %s', (headers, expected) => {
    expect(hasBody(headers)).toBe(expected);
  });
});
