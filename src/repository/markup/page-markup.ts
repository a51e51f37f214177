/** Writes HTML in which every text is escaped: only what this module has made goes in as it is. */
import { escapedMarkup } from '../../basics/markup.ts';

/** HTML that is safe to send. */
export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Part = string | number | Markup | undefined | readonly Part[];

const written = (part: Part): string => {
  if (part === undefined) return '';
  if (part instanceof Markup) return part.text;
  if (typeof part === 'object') return part.map(written).join('');
  return escapedMarkup(String(part));
};

/**
 * A template of HTML. Texts and numbers are escaped, markup and lists of markup go in as they are, undefined is nothing. An
 * attribute must stand in double quotes.
 */
export const markup = (texts: TemplateStringsArray, ...parts: readonly Part[]): Markup =>
  new Markup(texts.map((text, at) => text + written(parts[at])).join(''));

/** The markup with something between its parts. */
export const joined = (parts: readonly Markup[], between: Markup): Markup =>
  new Markup(parts.map(({ text }) => text).join(between.text));
