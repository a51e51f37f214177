/** What the page "Coverage" makes of a coverage record, and how it sends the requests of the server. */
import { describe, expect, it } from '@jest/globals';
import { filtered, rowsOf } from '../../console/src/coverage/coverage-rows.ts';
import {
  isChanging,
  obstacleOf,
  sendSteps,
  type CoverageRequest,
  type PreparedStep,
} from '../../console/src/coverage/coverage-steps.ts';

const record = {
  version: 1 as const,
  offered: [
    {
      operation: 'getNode',
      method: 'GET',
      path: '/node/{node_id}',
      answers: { 200: ['application/json', 'application/ld+json'], 404: ['application/json'] },
      identities: ['anonymous'],
      relations: ['collection', 'describedby'],
      isExtra: false,
    },
    {
      operation: 'createNode',
      method: 'POST',
      path: '/node',
      answers: { 201: [] },
      identities: [],
      relations: [],
      isExtra: false,
    },
  ],
  answers: [
    { operation: 'getNode', status: 200, mediaType: 'application/json', identities: ['anonymous'], count: 2 },
    {
      operation: 'getNode',
      status: 200,
      mediaType: 'application/ld+json',
      identities: ['authenticated', 'editor'],
      count: 1,
    },
    { operation: 'createNode', status: 201, mediaType: null, identities: ['authenticated', 'editor'], count: 4 },
  ],
  relations: [{ operation: 'getNode', relation: 'collection', seen: 3, followed: 1 }],
  advice: [{ operation: 'createNode', pointer: '/requestBody/uuid', reason: 'It is ignored.', count: 1 }],
  figures: [],
};

describe('The rows of the coverage', () => {
  const rows = rowsOf(record);

  it('add the counts of a status, and name who has met it', () => {
    expect(rows.map(({ operation, met, statuses }) => ({ operation, met, statuses }))).toEqual([
      {
        operation: 'getNode',
        met: 1,
        statuses: [
          { status: '200', count: 3, identities: ['anonymous', 'authenticated', 'editor'] },
          { status: '404', count: 0, identities: [] },
        ],
      },
      {
        operation: 'createNode',
        met: 1,
        statuses: [{ status: '201', count: 4, identities: ['authenticated', 'editor'] }],
      },
    ]);
  });

  it('show relations that nobody has seen, and the advice of their operation', () => {
    expect(rows[0]?.relations).toEqual([
      { relation: 'collection', seen: 3, followed: 1 },
      { relation: 'describedby', seen: 0, followed: 0 },
    ]);
    expect(rows.map(({ advice }) => advice.length)).toEqual([0, 1]);
  });

  it('are filtered by text of any case, and by what is unmet', () => {
    const names = (text: string, isUnmetOnly: boolean): string[] =>
      filtered(rows, { text, isUnmetOnly }).map(({ operation }) => operation);
    expect(names('', false)).toEqual(['getNode', 'createNode']);
    expect(names(' POST /node', false)).toEqual(['createNode']);
    expect(names('GETNODE', false)).toEqual(['getNode']);
    expect(names('', true)).toEqual(['getNode']);
  });
});

const requestOf = (...steps: CoverageRequest['steps']): CoverageRequest => ({
  operation: 'getNode',
  status: 200,
  count: 0,
  explanation: '',
  curl: '',
  steps,
});

describe('The steps of a request', () => {
  it('are sent in order, with what answers said before', async () => {
    const sent: PreparedStep[] = [];
    const answer = await sendSteps(
      [
        {
          method: 'POST',
          path: '/node',
          headers: { A: 'b' },
          body: '{}',
          keeps: { id: '/nid/0/value', name: '/a~1b' },
        },
        { method: 'GET', path: '/node/{{id}}', headers: { 'X-Name': '{{name}} {{other}}' } },
        { method: 'PUT', path: '/file', headers: {}, zeros: 3 },
      ],
      async (step) => {
        sent.push(step);
        return { status: 200 + sent.length, text: '{"nid":[{"value":7}],"a/b":"x"}' };
      },
    );
    expect(sent).toEqual([
      { method: 'POST', path: '/node', headers: { A: 'b' }, body: '{}' },
      { method: 'GET', path: '/node/7', headers: { 'X-Name': 'x {{other}}' } },
      { method: 'PUT', path: '/file', headers: {}, body: '\0\0\0' },
    ]);
    expect(answer.status).toBe(203);
  });

  it('end when an answer lacks what a later step needs', async () => {
    const keeps = { token: '/token', unused: '/unused' };
    const steps = [
      { method: 'GET', path: '/jwt/token', headers: {}, keeps },
      { method: 'GET', path: '/node/1', headers: { Authorization: 'Bearer {{token}}' } },
    ];
    await expect(sendSteps(steps, async () => ({ status: 403, text: 'no' }))).rejects.toThrow(
      'An earlier response has no “token”, which /node/1 needs.',
    );
    const answer = await sendSteps(steps, async () => ({ status: 200, text: '{"token":"t"}' }));
    expect(answer.status).toBe(200);
  });

  it('are not offered where a browser cannot send them, or would lose its session', () => {
    const step = { method: 'GET', path: '/node/1', headers: { Accept: 'a' } };
    expect(obstacleOf(requestOf(step))).toBeUndefined();
    expect(obstacleOf(requestOf({ ...step, headers: { Origin: 'http://a' } }))).toContain('the header Origin');
    expect(obstacleOf(requestOf({ ...step, path: '/user/login?_format=json' }))).toContain('a session of its own');
    expect(obstacleOf(requestOf({ ...step, zeros: 1e9 }))).toContain('too large');
    expect(obstacleOf(requestOf({ ...step, method: 'TRACE' }))).toContain('method');
    expect([isChanging(requestOf(step)), isChanging(requestOf(step, { ...step, method: 'PATCH' }))]).toEqual([
      false,
      true,
    ]);
  });
});
