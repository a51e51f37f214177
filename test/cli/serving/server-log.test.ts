/** The log of a server: its formats, where a request belongs, and no secret. */
import { describe, expect, it } from '@jest/globals';
import { pino } from 'pino';
import type { CommandContext } from '../../../src/cli/command-context.ts';
import { createLog, logEvent } from '../../../src/cli/serving/server-log.ts';
import type { EngineEvent } from '../../../src/openapi/openapi-host.ts';
import { runHere } from '../../support/command.ts';
import { readServe } from '../options/option-rows.ts';

const logContext = {
  ...{ operation: 'getNode', world: 'w7', isReported: true },
  trace: { traceId: '4bf92f3577b34da6a3ce929d0e0e4736', spanId: '00f067aa0ba902b7' },
};
const place = { world: 'w7', trace_id: logContext.trace.traceId, span_id: logContext.trace.spanId };

/** What is logged of an event, with the serializers of the program. */
const logged = (event: EngineEvent, level: 'info' | 'debug' = 'info'): Record<string, unknown> | undefined => {
  const pieces: string[] = [];
  const make = Object.assign(
    (options: object) => pino(options, { write: (text: string) => void pieces.push(text) }),
    pino,
  ) as unknown as typeof pino; // lines go here instead of to standard error
  const context = { environment: {}, isTerminal: false, writeLog: () => undefined } as unknown as CommandContext; // all that a log uses
  logEvent(createLog(make, { logLevel: level, logFormat: 'auto' }, context), event);
  const [line] = pieces;
  return line === undefined ? undefined : (JSON.parse(line) as Record<string, unknown>);
};

describe('A line', () => {
  it('says of a failed request its operation, status, world and trace', () => {
    const error = new Error('broken');
    expect(logged({ kind: 'failed', operation: 'getNode', error, logContext })).toMatchObject({
      ...{ level: 50, operation: 'getNode', status: 500, ...place },
      err: { type: 'Error', message: 'broken', stack: expect.stringContaining('server-log.test') },
    });
    expect(
      logged({ kind: 'answered-with-failure', operation: 'getNode', status: 503, message: undefined, logContext }),
    ).toMatchObject({
      ...{ level: 40, operation: 'getNode', status: 503, ...place },
    });
    const cause = new Error('no space');
    expect(
      logged({ kind: 'write-refused', operation: 'createNode', status: 507, message: 'full', cause, logContext }),
    ).toMatchObject({ status: 507, cause: 'no space', ...place });
  });

  it('says of a 422 in one line what was refused, and is cut where that is long', () => {
    const refused = (message: string) => logged({ kind: 'refused-body', operation: 'createNode', message, logContext });
    const message = 'Unprocessable Entity: validation failed.\ntitle: One fault.\nfield_model: Another.\n';
    expect(refused(message)).toMatchObject({
      ...{ level: 30, operation: 'createNode', status: 422, ...place },
      msg: 'refused: Unprocessable Entity: validation failed. title: One fault.; field_model: Another.',
    });
    expect(String(refused('x'.repeat(1000))?.['msg'])).toHaveLength('refused: '.length + 300);
  });

  it('of each answer is for debug alone', () => {
    const event: EngineEvent = { kind: 'answered', operation: 'getNode', status: 200, logContext };
    expect(logged(event)).toBeUndefined();
    expect(logged(event, 'debug')).toMatchObject({ operation: 'getNode', status: 200, ...place });
  });

  it('has no password of an address, and nothing of an error but its words', () => {
    const error = Object.assign(
      new Error('connect postgres://atoll:geheim@db:5432/x failed', {
        cause: new Error('s3://key:geheim@bucket'),
      }),
      { code: 'ECONNREFUSED', config: { password: 'geheim' } },
    );
    const line = logged({ kind: 'failed', operation: undefined, error });
    expect(JSON.stringify(line)).not.toContain('geheim');
    expect(line).toMatchObject({ err: { code: 'ECONNREFUSED', message: expect.stringContaining('//atoll:***@db') } });
  });
});

const read = (args: readonly string[], environment: Record<string, string>) => readServe(args, environment).values;

describe('The format', () => {
  const first = (logFormat: string | undefined, environment: Record<string, string>, isTerminal: boolean): string => {
    let text = '';
    const context = {
      environment,
      isTerminal,
      writeLog: (line: string) => void (text += line),
    } as unknown as CommandContext; // all that a log uses
    const make = Object.assign(
      (options: object, destination: { write: (line: string) => void }) => pino(options, destination),
      { ...pino, destination: () => ({ write: (line: string) => void (text += line) }) },
    ) as unknown as typeof pino; // the lines for programs go here too
    createLog(make, read(logFormat === undefined ? [] : ['--log-format', logFormat], environment), context).info(
      'begun',
    );
    return text.startsWith('{') ? 'json' : 'pretty';
  };

  it.each([
    [undefined, {}, true, 'pretty'],
    [undefined, {}, false, 'json'],
    ['auto', { ATOLL_LOG_FORMAT: 'json' }, true, 'pretty'],
    [undefined, { ATOLL_LOG_FORMAT: 'json' }, true, 'json'],
    ['pretty', { ATOLL_LOG_FORMAT: 'json' }, false, 'pretty'],
    ['json', {}, true, 'json'],
  ])('%s with %j, on a terminal: %s, is %s', (option, environment, isTerminal, wanted) => {
    expect(first(option, environment, isTerminal)).toBe(wanted);
  });

  it('that does not exist is refused', async () => {
    expect(() => first(undefined, { ATOLL_LOG_FORMAT: 'xml' }, false)).toThrow(
      'ATOLL_LOG_FORMAT is one of auto, json, pretty.',
    );
    expect(await runHere(['serve', '--memory', '--log-format', 'xml'])).toMatchObject({ code: 2 });
  });
});

it('A notice before the end is a number of seconds', () => {
  expect([read([], {}).drainNotice, read([], { ATOLL_DRAIN_NOTICE: '5' }).drainNotice]).toEqual([0, 5]);
  expect(read(['--drain-notice', '7'], { ATOLL_DRAIN_NOTICE: '5' }).drainNotice).toBe(7);
  expect(() => read(['--drain-notice', 'soon'], {})).toThrow('--drain-notice');
  expect(() => read([], { ATOLL_DRAIN_NOTICE: '-1' })).toThrow('ATOLL_DRAIN_NOTICE');
});
