/** Writes the log of a server: one line for each event that somebody should know of. */
import type { Level, Logger, pino } from 'pino';
import { flawText } from '../../basics/configuration-error.ts';
import type { EngineEvent, LogContext } from '../../openapi/openapi-host.ts';
import type { Reload } from '../../server/server.ts';
import type { CommandContext } from '../command-context.ts';
import type { ReadOptions } from '../options/start-options.ts';

/** Writes log lines for people on a terminal. Elsewhere a log is JSON lines, as pino writes them. */
const levels: Readonly<Record<number, string>> = { 20: 'debug', 30: 'info', 40: 'WARN', 50: 'ERROR', 60: 'FATAL' };

type LogLine = {
  readonly level: number;
  readonly time: number;
  readonly msg?: string;
  readonly err?: { readonly stack?: string; readonly message?: string };
};

/** `08:15:30 WARN the message  name=value`, and the stack of an error below it. The time is local. */
export const readableLine = (json: string): string => {
  const { level, time, msg = '', err, ...rest } = JSON.parse(json) as LogLine; // a line of pino
  const values = Object.entries(rest).map(
    ([name, value]) => `  ${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
  );
  const stack = err?.stack ?? err?.message;
  const head = `${new Date(time).toTimeString().slice(0, 8)} ${(levels[level] ?? String(level)).padEnd(5)} ${msg}`;
  const below = stack === undefined ? [] : stack.split('\n').map((line) => `    ${printable(line)}`);
  return [printable(head + values.join('')), ...below, ''].join('\n');
};

/** Without the control characters that a request could send to the terminal. */
export const printable = (text: string): string => text.replace(/[\u0000-\u001f\u007f-\u009f]/g, '\ufffd');

type LogOptions = Pick<ReadOptions<'serve'>['values'], 'logLevel' | 'logFormat'>;

/** Makes the log. Lines go to standard error. */
export const createLog = (make: typeof pino, { logLevel, logFormat }: LogOptions, context: CommandContext): Logger => {
  const forPeople = { write: (line: string) => context.writeLog(readableLine(line)) };
  return make(
    {
      level: logLevel,
      base: null,
      serializers: { err: (error: unknown) => withoutSecrets(make.stdSerializers.err(asError(error))) },
    },
    (logFormat === 'auto' ? context.isTerminal : logFormat === 'pretty') ? forPeople : make.destination(2),
  );
};

const asError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)));

/** Other members of an error, such as those of a service's client, may hold parts of the request. Texts may hold an address with its password. */
const withoutSecrets = ({ type, message, stack, code }: Record<string, unknown>) => ({
  type,
  message: withoutPasswords(message),
  stack: withoutPasswords(stack),
  ...(typeof code === 'string' ? { code } : {}),
});

const withoutPasswords = (text: unknown): string => String(text).replace(/(\/\/[^\s/@:]*):[^\s/@]*@/g, '$1:***@');

/** Where a request belongs: its world, and its place in the trace of its client. */
const placeOf = (logContext: LogContext | undefined) => {
  if (logContext === undefined) return {};
  const { world, trace } = logContext;
  return { world, ...(trace === undefined ? {} : { trace_id: trace.traceId, span_id: trace.spanId }) };
};

type PlainKind = Exclude<EngineEvent['kind'], 'failed' | 'write-refused' | 'refused-body'>;

const lines: Readonly<Record<PlainKind, readonly [Level, string]>> = {
  answered: ['debug', 'answered'],
  'lenient-body': ['info', 'lenient: a body was read although its schema does not allow it'],
  'reply-breaks-contract': ['warn', 'an answer breaks the contract'],
  'answered-with-failure': ['warn', 'a request was answered with a failure'],
  commanded: ['info', 'a control command'],
};

export const logEvent = (log: Logger, event: EngineEvent): void => {
  if (event.kind === 'failed') {
    const { error, operation, logContext } = event;
    log.error({ err: error, operation, status: 500, ...placeOf(logContext) }, 'a request failed');
  } else if (event.kind === 'write-refused') log.warn(refusedWrite(event), 'a write was refused');
  else if (event.kind === 'refused-body') {
    const { operation, message, logContext } = event;
    log.info({ operation, status: 422, ...placeOf(logContext) }, `refused: ${inOneLine(message)}`);
  } else {
    const [level, text] = lines[event.kind];
    // There is one such event for each answer.
    if (!log.isLevelEnabled(level)) return;
    const { logContext, ...values } = event;
    log[level]({ ...values, ...placeOf(logContext) }, text);
  }
};

/** The first line says what was done, and the others are one fault each. */
const inOneLine = (message: string): string => {
  const [first = '', ...faults] = message.split('\n').filter((line) => line.trim() !== '');
  return (faults.length === 0 ? first : `${first} ${faults.join('; ')}`).slice(0, longestRefusal);
};
const longestRefusal = 300;

/** The cause as a text: a stack would say no more. */
const refusedWrite = (event: EngineEvent & { readonly kind: 'write-refused' }) => {
  const { operation, status, message, cause, logContext } = event;
  const why = cause instanceof Error ? { cause: withoutPasswords(cause.message) } : {};
  return { operation, status, message, ...why, ...placeOf(logContext) };
};

export const logReload = (log: Logger, { isServed, changed, flaws, warnings }: Reload): void => {
  if (isServed) log.info({ changed }, 'read again: document, overlays, handlers and site');
  for (const flaw of warnings) log.warn(flawText(flaw));
  for (const flaw of flaws) log.error({ changed }, `the last good ones are served: ${flawText(flaw)}`);
};
