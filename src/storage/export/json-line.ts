/** Finds lines in a JSON text: that of a member, or that of the first fault. */

/** What a token may be: a sign, a string, or another scalar, after any white space. */
const token =
  /[ \t\r\n]*(?:(?<sign>[{}[\],:])|(?<text>"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*")|(?<scalar>-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null))/y;

const space = /[ \t\r\n]*/y;

/** A text that is nested deeper has its fault there. */
const mostLevels = 1000;

type Step = string | number;

/** The line of the deepest member on the way of these steps, counted from 1. In a faulty text: the line of its first fault. */
export const jsonLine = (text: string, steps: readonly Step[]): number => {
  const scanner = createScanner(text);
  let found = 0;
  const visit = (depth: number, level: number): void => {
    if (depth >= 0) found = scanner.start();
    const opened = scanner.take();
    scanner.require(level < mostLevels);
    if (opened !== '{' && opened !== '[') {
      scanner.require(/^["\d\-tfn]/.test(opened));
      return;
    }
    const closing = opened === '{' ? '}' : ']';
    if (scanner.peek() === closing) {
      scanner.take();
      return;
    }
    for (let index = 0; ; index += 1) {
      const at = scanner.start();
      const step: Step = opened === '{' ? scanner.takeName() : index;
      const isWanted = depth >= 0 && steps[depth] === step;
      visit(isWanted ? depth + 1 : -1, level + 1);
      // The name of a member is the better place to look at than its value.
      if (isWanted && steps.length === depth + 1 && opened === '{') found = at;
      const next = scanner.take();
      scanner.require(next === ',' || next === closing);
      if (next === closing) return;
    }
  };
  try {
    visit(0, 0);
    scanner.require(scanner.isAtEnd());
    return lineAt(text, found);
  } catch (error) {
    if (!(error instanceof FaultAt)) throw error;
    return lineAt(text, error.offset);
  }
};

class FaultAt extends Error {
  readonly offset: number;
  constructor(offset: number) {
    super();
    this.offset = offset;
  }
}

const createScanner = (text: string) => {
  let at = 0;
  let last = 0;
  const start = (): number => {
    space.lastIndex = at;
    return at + (space.exec(text)?.[0].length ?? 0);
  };
  const read = (): string => {
    token.lastIndex = at;
    const found = token.exec(text)?.groups;
    const taken = found?.['sign'] ?? found?.['text'] ?? found?.['scalar'];
    if (taken === undefined) throw new FaultAt(start());
    return taken;
  };
  const take = (): string => {
    const taken = read();
    last = start();
    at = token.lastIndex;
    return taken;
  };
  const require = (isRight: boolean): void => {
    if (!isRight) throw new FaultAt(last);
  };
  return {
    start,
    take,
    require,
    peek: read,
    isAtEnd: () => {
      last = start();
      return last === text.length;
    },
    takeName: (): string => {
      const name = take();
      require(name.startsWith('"'));
      require(take() === ':');
      return JSON.parse(name) as string; // the pattern of a string
    },
  };
};

const lineAt = (text: string, offset: number): number => text.slice(0, offset).split('\n').length;
