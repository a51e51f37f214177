/** Finds how long a text may be so that a regular expression looks at it in a short time, whatever the text is. */

/** About 20 milliseconds. */
const mostSteps = 1_000_000;

/** What takes a short time for a text of this length takes a bearable one for every text that a server reads. */
export const mostLength = 100_000;

/** What multiplies the steps of a matcher that tries one way after the other. */
type Choices = {
  /** Quantifiers of a length that the text decides. */
  quantifiers: number;
  alternatives: number;
};

type Cost = {
  /** Outside of what is repeated: each quantifier has as many ways as the text has places. */
  readonly once: Choices;
  /** Inside of what is repeated: each has two ways at each place. */
  readonly repeated: Choices;
  /** How often what is repeated is at least tried. */
  readonly rounds: number;
  readonly isAnchored: boolean;
  readonly refersBack: boolean;
};

/** Texts up to this length take a short time. Longer ones may take as short a time, or hours. */
export const safeLength = (pattern: string): number => {
  const cost = costOf(pattern);
  if (cost.refersBack) return 0;
  let low = 0;
  let high = mostLength;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (steps(cost, middle) <= mostSteps) low = middle;
    else high = middle - 1;
  }
  return low;
};

const steps = ({ once, repeated, rounds, isAnchored }: Cost, length: number): number => {
  const places = length + 1;
  const starts = isAnchored ? 1 : places;
  const ways = once.alternatives * places ** once.quantifiers;
  const again =
    (repeated.alternatives * 2 ** repeated.quantifiers) ** (repeated.quantifiers === 0 ? 0 : length + rounds);
  return starts * ways * again;
};

type Group = Choices & {
  /** The quantifiers of what was repeated before the group began. */
  readonly repeatedBefore: number;
};

const costOf = (pattern: string): Cost => {
  const once: Choices = { quantifiers: 0, alternatives: 1 };
  const repeated: Choices = { quantifiers: 0, alternatives: 1 };
  const whole: Group = { quantifiers: 0, alternatives: 1, repeatedBefore: 0 };
  const open: Group[] = [whole];
  let rounds = 0;
  for (const { kind, quantifier } of atomsOf(pattern)) {
    const inner = open.at(-1) ?? whole;
    if (kind === 'open') {
      open.push({ quantifiers: 0, alternatives: 1, repeatedBefore: repeated.quantifiers });
      continue;
    }
    if (kind === 'or') inner.alternatives += 1;
    const closed = kind === 'close' && open.length > 1 ? open.pop() : undefined;
    const outer = open.at(-1) ?? whole;
    const isChoice = quantifier !== undefined && !quantifier.isFixed;
    const isSimple = closed !== undefined && closed.quantifiers === 0 && closed.alternatives === 1;
    const isSame = isSimple && !isChoice && closed.repeatedBefore === repeated.quantifiers;
    if (closed === undefined || quantifier?.isRepeated !== true || isSame) {
      if (closed !== undefined) add(outer, closed);
      if (isChoice) outer.quantifiers += 1;
      continue;
    }
    add(repeated, closed);
    repeated.quantifiers += 1;
    rounds += quantifier.least;
  }
  for (const group of open) add(once, group);
  const isAnchored = pattern.startsWith('^') && whole.alternatives === 1;
  return { once, repeated, rounds, isAnchored, refersBack: /\\(?:[1-9]|k<)/.test(pattern) };
};

type Quantifier = {
  readonly least: number;
  /** Whether the text has no choice. */
  readonly isFixed: boolean;
  readonly isRepeated: boolean;
};

type Atom = { readonly kind: 'open' | 'close' | 'or' | 'sign'; readonly quantifier: Quantifier | undefined };

function* atomsOf(pattern: string): Generator<Atom> {
  for (let at = 0; at < pattern.length;) {
    const text = atomAt(pattern, at);
    at += text.length;
    const found = /^(?:[*+?]|\{(\d+)(,?)(\d*)\})/.exec(pattern.slice(at, at + 40));
    const kind = kinds[text[0] ?? ''] ?? 'sign';
    const isQuantified = found !== null && kind !== 'open' && kind !== 'or';
    if (isQuantified) at += found[0].length + (pattern[at + found[0].length] === '?' ? 1 : 0);
    yield { kind, quantifier: isQuantified ? quantifierOf(found) : undefined };
  }
}

const kinds: Readonly<Record<string, Atom['kind']>> = { '(': 'open', ')': 'close', '|': 'or' };

const quantifierOf = ([text, least = '', comma = '']: RegExpExecArray): Quantifier => ({
  least: Number(least),
  isFixed: text.startsWith('{') && comma === '',
  isRepeated: text !== '?' && !/^\{[01](?:,1)?\}$/.test(text),
});

/** An escape, a class, the beginning of a group, or one sign. */
const atomAt = (pattern: string, at: number): string => {
  const rest = pattern.slice(at);
  const [text = rest.slice(0, 1)] = /^(?:\\.|\[(?:[^\]\\]|\\.)*\]|\((?:\?(?:[:=!]|<[=!]|<[^>]*>))?)/s.exec(rest) ?? [];
  return text;
};

const add = (into: Choices, { quantifiers, alternatives }: Choices): void => {
  into.quantifiers += quantifiers;
  into.alternatives *= alternatives;
};
