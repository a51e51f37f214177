/** Writes steps of requests as lines of a shell with `curl`. */
import { curlLine, shellWord } from '../../exchange/exchange.ts';
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
  const { method, zeros, body } = step;
  const account = /^Basic (.*)$/.exec(step.headers['Authorization'] ?? '')?.[1];
  const headers = Object.entries(step.headers).filter(([name]) => account === undefined || name !== 'Authorization');
  const command = curlLine({
    ...{ method, url: baseUrl + step.path, headers, word },
    shows: isLast ? (method === 'HEAD' ? undefined : '-i') : '-s',
    options: [
      ...(keepsCookies ? [...(isFirst ? [] : ['-b', 'cookies.txt']), '-c', 'cookies.txt'] : []),
      ...(account === undefined ? [] : ['-u', word(Buffer.from(account, 'base64').toString())]),
    ],
    // A sparse file takes no room, and `curl -T` does not read it into memory first.
    body: zeros === undefined ? (body === undefined ? [] : ['--data-binary', word(body)]) : ['-T', 'zeros.bin'],
  });
  return zeros === undefined ? command : `dd if=/dev/zero of=zeros.bin bs=1 count=0 seek=${zeros} && ${command}`;
};

/** Variables are in double quotes between the other parts of a word. */
const word = (text: string): string =>
  text
    .split(/(\{\{\w+\}\})/)
    .filter((part) => part !== '')
    .map((part) => {
      const variable = /^\{\{(\w+)\}\}$/.exec(part)?.[1];
      return variable === undefined ? shellWord(part) : `"$${variable}"`;
    })
    .join('') || "''";
