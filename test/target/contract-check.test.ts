/** An exchange with any server, judged by the document in both directions. */
import { beforeAll, describe, expect, it } from '@jest/globals';
import { createContractCheck, type ContractCheck } from '../../src/checks/target/contract-check.ts';
import { readTargetContract } from '../../src/checks/target/contract-source.ts';
import { keepBytes } from '../../src/exchange/exchange-target.ts';
import type { HeaderLine, WireBody, WireExchange } from '../../src/exchange/exchange.ts';
import { preparedFile, root } from '../support/atoll.ts';

let judge: ContractCheck;
beforeAll(async () => {
  const locations = { root, prepared: await preparedFile(), site: undefined };
  const { document, slowPatterns, lines } = await readTargetContract(locations, 'http://target');
  judge = createContractCheck({ document, slowPatterns, lines, baseUrl: 'http://target' });
});

const bodyOf = (text: string, keptBytes = 100_000): WireBody => {
  const body = keepBytes(keptBytes, true);
  body.add(Buffer.from(text));
  return body.body(true);
};

type Reply = { readonly status: number; readonly headers?: readonly HeaderLine[]; readonly body?: WireBody };

const noBytes = keepBytes(0, false).body(true);

const exchange = (method: string, path: string, { status, headers = [], body = noBytes }: Reply): WireExchange => ({
  ...{ at: 0, durationMs: 1, account: undefined },
  request: { method, path, headers: [], body: noBytes },
  reply: { status, reason: '', headers, trailers: [], body },
});
const json: HeaderLine = ['content-type', 'application/json'];

describe('An answer', () => {
  it('that keeps the document has no violation', () => {
    const body = bodyOf('{"message":"The \\"node\\" parameter was not converted."}');
    const verdict = judge.check(exchange('GET', '/node/9?_format=json', { status: 404, headers: [json], body }));
    expect([verdict.operation?.id, verdict.reply]).toEqual(['getNode', []]);
  });

  it('that breaks a schema is told with rule, pointer and line', () => {
    const body = bodyOf('{"error":1}');
    const { reply } = judge.check(exchange('GET', '/node/9?_format=json', { status: 404, headers: [json], body }));
    expect(reply[0]).toMatchObject({ rule: 'required' });
    expect(reply[0]?.document?.line).toBeGreaterThan(1);
  });

  it.each([
    ['a status that the document has not', { status: 418, headers: [json], body: bodyOf('{"message":"x"}') }],
    ['another media type', { status: 404, headers: [['Content-Type', 'text/html'] as const], body: bodyOf('<p>') }],
    ['JSON that is none', { status: 404, headers: [json], body: bodyOf('{"message":') }],
    ['a header that is missing', { status: 201, headers: [json], body: bodyOf('{}') }],
  ])('with %s breaks it', (_name, reply) => {
    const [method, path] =
      reply.status === 201 ? (['POST', '/node?_format=json'] as const) : (['GET', '/node/9?_format=json'] as const);
    expect(judge.check(exchange(method, path, reply)).reply).not.toEqual([]);
  });

  it('of which only the beginning was kept is not judged by its body', () => {
    const body = bodyOf(`{"error":"${'x'.repeat(500)}"}`, 20);
    const { reply } = judge.check(exchange('GET', '/node/9?_format=json', { status: 404, headers: [json], body }));
    expect(reply).toEqual([]);
  });

  it('to HEAD, and 304, need no body', () => {
    const head = judge.check(exchange('HEAD', '/node/9?_format=json', { status: 404 }));
    expect([head.operation?.id, head.reply]).toEqual(['headNode', []]);
    expect(judge.check(exchange('GET', '/node/9?_format=json', { status: 304 })).reply).toEqual([]);
  });

  it('for no operation of the document is not judged', () => {
    expect(judge.check(exchange('GET', '/nothing/here', { status: 200 }))).toMatchObject({
      operation: undefined,
      reply: [],
    });
  });
});
