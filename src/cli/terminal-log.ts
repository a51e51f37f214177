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
const printable = (text: string): string => text.replace(/[\u0000-\u001f\u007f-\u009f]/g, '\ufffd');
