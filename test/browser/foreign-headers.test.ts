/** The repository where `Headers` are not those of the standard: happy-dom leaves the case of names as it was given. */
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { startAtoll } from '../../src/cli/entries/atoll.ts';

const { Request: StandardRequest } = globalThis;

/** A request whose headers tell their names in capitals. */
class LoudRequest extends StandardRequest {
  override get headers(): Headers {
    const own = super.headers;
    const loud = Array.from(own, ([name, value]): [string, string] => [name.toUpperCase(), value]);
    return new Proxy(own, {
      get: (target, name) =>
        name === Symbol.iterator
          ? () => loud[Symbol.iterator]()
          : (Reflect.get(target, name, target) as () => void).bind(target),
    });
  }
}

beforeAll(() => {
  globalThis.Request = LoudRequest;
});
afterAll(() => {
  globalThis.Request = StandardRequest;
});

it('makes a world, and takes JSON and credentials: 201', async () => {
  const atoll = await startAtoll({ port: false });
  const world = await atoll.world();
  const answer = await world.fetch('/node?_format=json', {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${await world.token('admin')}` },
    body: JSON.stringify({
      ...{ type: [{ target_id: 'islandora_object' }], title: [{ value: 'Harbour' }] },
      field_model: [{ target_id: 23 }],
    }),
  });
  expect(answer.status).toBe(201);
  await atoll.close();
});
