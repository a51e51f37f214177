/** The text of a document as a tree that knows its lines. What the members mean is not known here. */

/** `pointer` is a JSON pointer into the document as it is written; `line` counts from 1. */
export type SourcePlace = { readonly pointer: string; readonly line: number };

/** A value of the text, and where its name stands. */
export type Member = {
  readonly place: SourcePlace;
  /** Of a scalar. */
  readonly text: string | undefined;
  /** Of a map; the indexes of a list. */
  names(): readonly string[];
  /** What it holds under a name, as it is written. */
  written(name: string): Member | undefined;
};

export type SourceTree = {
  readonly root: Member;
  /** A member, `$ref`s followed on the way and at the end. */
  readonly child: (of: Member, name: string) => Member | undefined;
  readonly children: (of: Member) => readonly Member[];
  /** As far as the steps lead. */
  readonly follow: (from: Member, steps: readonly string[]) => Member;
};

/** Throws what the parser of YAML throws. */
export const readSourceTree = async (text: string): Promise<SourceTree> => {
  const { isMap, isScalar, isSeq, LineCounter, parseDocument } = await import('yaml');
  const lineCounter = new LineCounter();
  const document = parseDocument(text, { lineCounter });

  const member = (value: unknown, pointer: string, offset: number): Member => ({
    place: { pointer, line: lineCounter.linePos(offset).line },
    text: isScalar(value) ? String(value.value) : undefined,
    names: () => {
      if (isMap(value)) return value.items.map(({ key }) => nameOf(key));
      return isSeq(value) ? value.items.map((_item, index) => String(index)) : [];
    },
    written: (name) => {
      const inner = `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
      if (isSeq(value)) {
        const item: unknown = value.items[Number(name)];
        return item === undefined ? undefined : member(item, inner, startOf(item));
      }
      const pair = isMap(value) ? value.items.find(({ key }) => nameOf(key) === name) : undefined;
      return pair === undefined ? undefined : member(pair.value, inner, startOf(pair.key));
    },
  });
  const nameOf = (key: unknown): string => (isScalar(key) ? String(key.value) : '');

  const root = member(document.contents, '', 0);
  /** Where a member is a reference, what it refers to. */
  const resolved = (of: Member): Member => {
    const reference = of.written('$ref')?.text;
    return reference === undefined ? of : follow(root, reference.replace(/^#\//, '').split('/').map(unescaped));
  };
  const child = (of: Member, name: string): Member | undefined => {
    const beside = of.written(name) ?? resolved(of).written(name);
    return beside === undefined ? undefined : resolved(beside);
  };
  const follow = (from: Member, steps: readonly string[]): Member => {
    const [step, ...rest] = steps;
    const reached = step === undefined ? undefined : child(from, step);
    return reached === undefined ? from : follow(reached, rest);
  };
  const children = (of: Member): Member[] => of.names().flatMap((name) => child(of, name) ?? []);
  return { root, child, children, follow };
};

const startOf = (node: unknown): number => {
  const range = (node as { readonly range?: readonly number[] | null } | null)?.range; // every node of a parsed text has one
  return range?.[0] ?? 0;
};

const unescaped = (step: string): string => decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~');
