/** The mocks of the backend with compiled validators are those of the server's, for every operation, status, media type and example. */
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { compiledBackend } from '../../src/browser/compiled-backend.ts';
import { dereference, resolveReferences } from '../../src/openapi/openapi-parts.ts';
import { rawOperation } from '../../src/openapi/openapi-terms.ts';
import { readContract } from '../support/site-sources.ts';
import { readDocument } from '../../src/server/server-application.ts';
import { createBackend, type Backend } from '../../src/repository/repository-engine.ts';
import { root } from '../support/atoll.ts';

describe.each([
  ['openapi.yaml', readContract],
  ['src/server/control/openapi.yaml', readDocument],
])('the mocks of %s', (file, read) => {
  it('are equal, and so is what is refused', async () => {
    const document = await read(join(root, file));
    const ours = dereference(document);
    const compiled = compiledBackend({})(ours, []);
    const server = createBackend(resolveReferences(await read(join(root, file))), []);
    expect(compiled.operations).toEqual(server.operations);
    const wishes = server.operations.flatMap((operation) =>
      [...wishesFor(operation, rawOperation(ours, operation)?.responses ?? {})].map((wish) => ({ operation, wish })),
    );
    expect(wishes.length).toBeGreaterThan(server.operations.length * 4);
    for (const { operation, wish } of wishes) {
      const [expected, found] = await Promise.all([made(server, operation, wish), made(compiled, operation, wish)]);
      expect({ id: operation.id, wish, ...found }).toEqual({ id: operation.id, wish, ...expected });
    }
  }, 60_000);
});

type Operation = Backend['operations'][number];
type Responses = NonNullable<ReturnType<typeof rawOperation>>['responses'];

type MockPreference = Parameters<Backend['mock']>[1];

/** Each status, media type and example of the operation, alone and together, and names that nobody has given. */
const wishesFor = function* ({ responses }: Operation, raw: Responses): Generator<MockPreference> {
  yield {};
  yield { dynamic: true };
  yield { code: '799' };
  yield { example: '__proto__' };
  for (const [status, mediaTypes] of responses) {
    const code = String(status);
    yield { code };
    yield { code, dynamic: true };
    for (const mediaType of mediaTypes) {
      yield { code, mediaType };
      const names = Object.keys(raw[code]?.content?.[mediaType]?.examples ?? {});
      for (const example of [...names, 'constructor', 'no such example']) yield { code, mediaType, example };
    }
  }
};

/** The mock, or why there is none. */
const made = async (backend: Backend, operation: Operation, wish: MockPreference): Promise<object> => {
  try {
    return { mock: await backend.mock(operation, wish) };
  } catch (error) {
    return { error: String(error) };
  }
};
