/** Writes steps of requests as lines of a shell with `curl`. */
import type { RequestStep } from './request-step.ts';

/** One command for each step. The last one shows the head of its answer. */
export const curlLines = (steps: readonly RequestStep[], baseUrl: string): string =>
  steps
    .map((step, at) => {
      const isLast = at === steps.length - 1;
      const options = { isLast, isFirst: at === 0, keepsCookies: steps.length > 1 };
      const command = curlOf(step, baseUrl, options);
      const kept = Object.entries(step.keeps ?? {}).filter(([variable]) => isUsed(variable, steps.slice(at + 1)));
      const [first] = kept;
      if (isLast || first === undefined) return command;
      if (kept.length === 1) return `${first[0]}=$(${command} | ${reading(first[1])})`;
      return [
        `answer=$(${command})`,
        ...kept.map(([variable, pointer]) => `${variable}=$(printf %s "$answer" | ${reading(pointer)})`),
      ].join('\n');
    })
    .join('\n');

const isUsed = (variable: string, later: readonly RequestStep[]): boolean =>
  JSON.stringify(later).includes(`{{${variable}}}`);

/** Reads what a JSON pointer leads to, where each array on the way begins with an object. */
const reading = (pointer: string): string => {
  const way = pointer
    .split('/')
    .slice(1)
    .map((step) => (/^\d+$/.test(step) ? '\\[{' : `"${step}":`))
    .join('');
  return `sed -n 's/.*${way}"\\{0,1\\}\\([^",}]*\\).*/\\1/p'`;
};

type CommandOptions = { readonly isFirst: boolean; readonly isLast: boolean; readonly keepsCookies: boolean };

const curlOf = (step: RequestStep, baseUrl: string, { isFirst, isLast, keepsCookies }: CommandOptions): string => {
  const { Authorization: authorization = '', ...headers } = step.headers;
  const account = /^Basic (.*)$/.exec(authorization)?.[1];
  const options = [
    ...(isLast ? (step.method === 'HEAD' ? [] : ['-i']) : ['-s']),
    ...(step.method === 'HEAD' ? ['--head'] : step.method === 'GET' ? [] : ['-X', step.method]),
    ...(keepsCookies ? [...(isFirst ? [] : ['-b', 'cookies.txt']), '-c', 'cookies.txt'] : []),
    ...(account === undefined ? [] : ['-u', shellWord(Buffer.from(account, 'base64').toString())]),
    shellWord(baseUrl + step.path),
    ...Object.entries(account === undefined ? step.headers : headers).flatMap(([name, value]) => [
      '-H',
      shellWord(`${name}: ${value}`),
    ]),
  ];
  if (step.zeros !== undefined) {
    // A sparse file takes no room, and `curl -T` does not read it into memory first.
    const file = `dd if=/dev/zero of=zeros.bin bs=1 count=0 seek=${step.zeros}`;
    return [file, '&&', 'curl', ...options, '-T', 'zeros.bin'].join(' ');
  }
  return ['curl', ...options, ...(step.body === undefined ? [] : ['--data-binary', shellWord(step.body)])].join(' ');
};

/**
 * A shell changes nothing within single quotes (POSIX.1-2017, Shell Command Language 2.2.2). Variables stand in double
 * quotes between them.
 */
const shellWord = (text: string): string =>
  text
    .split(/(\{\{\w+\}\})/)
    .filter((part) => part !== '')
    .map((part) => {
      const variable = /^\{\{(\w+)\}\}$/.exec(part)?.[1];
      if (variable !== undefined) return `"$${variable}"`;
      return /^[\w./:@%+=,-]+$/.test(part) ? part : `'${part.replaceAll("'", "'\\''")}'`;
    })
    .join('') || "''";
