/** What the address of the page "Traffic" asks of the control interface. */
import { describe, expect, it } from '@jest/globals';
import { isStatusFilter, queryOf, queryText } from '../../console/src/traffic/traffic-filter.ts';

describe('The filter of the traffic', () => {
  it('is empty for an empty address, and leaves the selected entry out', () => {
    expect(queryOf({})).toEqual({});
    expect(queryOf({ entry: '5' })).toEqual({});
  });

  it('asks for what the address says', () => {
    const values = { status: '4xx', method: 'POST', operation: 'createNode', account: 'editor', verdict: 'broken' };
    expect(queryOf({ ...values, advice: 'some', path: '/node' })).toEqual({
      status: '4xx',
      method: 'POST',
      operation: 'createNode',
      identity: 'editor',
      verdict: 'broken',
      advice: 'some',
      path: '*/node*',
    });
  });

  it('takes a path with a star as it is', () => {
    expect(queryOf({ path: '/node/*/members' })).toEqual({ path: '/node/*/members' });
  });

  it('leaves out what the server would refuse', () => {
    expect(queryOf({ status: '40', method: 'a b', verdict: 'good', advice: 'any' })).toEqual({});
    expect(['404', '4xx', '600', '4x', 'xx'].map(isStatusFilter)).toEqual([true, true, false, false, false]);
  });

  it('is written as a query', () => {
    expect(queryText({})).toBe('');
    expect(queryText({ path: '*a b*', status: undefined, method: 'GET' })).toBe('?path=*a+b*&method=GET');
  });
});
