/** Finds lines in a JSON text: that of a member, or that of the first fault. */

/** A token after any white space: a sign, a string, or another scalar. It is empty at the end, and where there is none. */
const token =
  /[ \t\r\n]*([{}[\],:]|"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null|)/y;

/** A text that is nested deeper has its fault there. */
const mostLevels = 1000;

type JsonToken = { readonly text: string; readonly start: number };

const beginsValue = ({ text }: JsonToken): boolean => /^["[{\d\-tfn]/.test(text);

/** The line of the deepest member on the way of these steps, counted from 1. In a faulty text: the line of its first fault. */
export const jsonLine = (text: string, steps: readonly (string | number)[]): number => {
  let fault: number | undefined;
  let position = 0;
  let found = 0;
  const take = (isRight: (next: JsonToken) => boolean): JsonToken => {
    token.lastIndex = position;
    const taken = token.exec(text)?.[1] ?? '';
    position = token.lastIndex;
    const next = { text: taken, start: position - taken.length };
    return isRight(next) ? next : fail(next);
  };
  const fail = ({ start }: JsonToken): never => {
    fault = start;
    throw new Error('The text is no JSON.');
  };
  const visit = (opening: JsonToken, depth: number, level: number): void => {
    if (depth >= 0) found = opening.start;
    if (level >= mostLevels) fail(opening);
    const closing = { '{': '}', '[': ']' }[opening.text];
    if (closing === undefined) return;
    const isObject = closing === '}';
    for (let index = 0; ; index += 1) {
      const isEmpty = (next: JsonToken): boolean => index === 0 && next.text === closing;
      const member = take((next) => isEmpty(next) || (isObject ? next.text.startsWith('"') : beginsValue(next)));
      if (isEmpty(member)) return;
      if (isObject) take((next) => next.text === ':');
      const step = isObject ? (JSON.parse(member.text) as string) : index; // the pattern of a string
      const isWanted = depth >= 0 && steps[depth] === step;
      visit(isObject ? take(beginsValue) : member, isWanted ? depth + 1 : -1, level + 1);
      // The name of a member is the better place to look at than its value.
      if (isWanted && steps.length === depth + 1 && isObject) found = member.start;
      if (take((next) => [',', closing].includes(next.text)).text === closing) return;
    }
  };
  try {
    visit(take(beginsValue), 0, 0);
    take(({ text: rest, start }) => rest === '' && start === text.length);
  } catch (error) {
    if (fault === undefined) throw error;
  }
  return text.slice(0, fault ?? found).split('\n').length;
};
