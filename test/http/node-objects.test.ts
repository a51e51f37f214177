/** What Express may not do to Node's requests and responses: see docs/inside/performance.md. */
import { createServer, IncomingMessage, ServerResponse } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import express from 'express';
import request from 'supertest';
import { createTestAtoll, type TestAtoll } from '../support/atoll.ts';

describe('The application', () => {
  let atoll: TestAtoll;
  beforeAll(async () => {
    atoll = await createTestAtoll();
  });
  afterAll(() => atoll.reset());

  it('answers 200 and leaves the prototypes of request and response alone, which would make every answer slow', async () => {
    const seen: unknown[] = [];
    const server = createServer((incoming, response) => {
      atoll.app(incoming, response);
      seen.push(Object.getPrototypeOf(incoming), Object.getPrototypeOf(response));
    });
    await request(server).get('/node/1?_format=json').expect(200);
    expect(seen[0]).toBe(IncomingMessage.prototype);
    expect(seen[1]).toBe(ServerResponse.prototype);
  });

  it('answers 200 within another Express application, whose own methods stay', async () => {
    const outer = express();
    outer.use('/repository', atoll.app);
    outer.get('/own', (incoming, response) => {
      response.json({ host: incoming.get('Host') });
    });
    await request(outer).get('/repository/node/1?_format=json').expect(200);
    const own = await request(outer).get('/own').expect(200);
    expect(own.body).toEqual({ host: expect.stringContaining('127.0.0.1') });
  });

  it('answers 200 and leaves requests of another application the methods that those who wait for the end use', async () => {
    const outer = express();
    const ended: (string | undefined)[] = [];
    outer.use((incoming, response, next) => {
      response.on('finish', () => ended.push(incoming.get('X-Name'), response.get('Content-Type')));
      next();
    });
    outer.use('/repository', (incoming, response) => {
      atoll.app(incoming, response);
    });
    await request(outer).get('/repository/node/1?_format=json').set('X-Name', 'outer').expect(200);
    expect(ended).toEqual(['outer', 'application/json']);
  });
});
