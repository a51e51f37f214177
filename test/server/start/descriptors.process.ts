/** The program with few descriptors: more clients than it can have leave nothing broken behind. */
import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import { Agent, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { connectionsFor } from '../../../src/server/start/own-listener.ts';
import { startProgram, type RunningProgram } from '../../support/program.ts';
import { basic } from '../../support/requests.ts';
import { until } from '../../support/until.ts';

jest.setTimeout(30_000);

const openFiles = 256;
let program: RunningProgram;
beforeAll(async () => {
  program = await startProgram(['--memory'], 0, openFiles);
});
afterAll(() => program.stop());

/** One connection that was there before the others. */
const kept = new Agent({ keepAlive: true, maxSockets: 1 });
const ask = (method: string, path: string, agent: Agent, body?: string): Promise<number> =>
  new Promise((resolve, reject) => {
    const headers = { ...basic('admin').headers, 'Content-Type': 'application/json' };
    const sent = request(program.url + path, { method, agent, headers, family: 4 }, (response) => {
      response.resume().on('end', () => resolve(response.statusCode ?? 0));
    });
    sent.on('error', reject).end(body);
  });

const node = JSON.stringify({
  type: [{ target_id: 'islandora_object' }],
  title: [{ value: 'Under pressure' }],
  field_model: [{ target_id: 24 }],
  field_edtf_date_created: [{ value: '1999-12' }],
});
const needsLazyCode = (agent: Agent): Promise<number[]> =>
  Promise.all([
    ask('POST', '/node?_format=json', agent, node),
    ask('GET', '/jwt/token?_format=json', agent),
    ask('GET', '/openapi-3.0.json', agent),
    ask('GET', '/node/1?_format=json', agent).then(() => ask('GET', '/openapi.yaml', agent)),
  ]);

it('goes on for those who are connected, and for everybody when the crowd has left', async () => {
  expect(await ask('GET', '/node/1?_format=json', kept)).toBe(200);
  const { port } = new URL(program.url);
  const join = (): Socket => connect(Number(port), '127.0.0.1').on('error', () => undefined);
  const crowd = Array.from({ length: 2 * openFiles }, join);
  await until(() => crowd.every((socket) => !socket.connecting), 'everybody has tried');
  const warnings = (): string[] =>
    program
      .log()
      .split('\n')
      .filter((line) => line.includes('--max-connections'));
  const isFull = (): boolean => {
    // On a busy machine some of the crowd may have failed on this side.
    crowd.push(join());
    return warnings().length > 0;
  };
  await until(isFull, 'the log warns');
  expect(await needsLazyCode(kept)).toEqual([201, 200, 200, 200]);
  for (const socket of crowd) socket.destroy();
  const free = new Agent();
  const isFree = (): Promise<boolean> =>
    ask('GET', '/node/1?_format=json', free).then(
      (status) => status === 200,
      () => false,
    );
  await until(isFree, 'a new connection is answered');
  expect(await needsLazyCode(free)).toEqual([201, 200, 200, 200]);
  expect(warnings()).toEqual([expect.stringContaining(`There are ${connectionsFor(openFiles)} connections`)]);
  expect(program.log()).not.toContain('EMFILE');
});
