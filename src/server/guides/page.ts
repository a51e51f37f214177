/** Prepares a page of `docs/use` for serving: its links lead to other pages, or are text. Finds its title and first sentences. */
import { posix } from 'node:path';

/** The files of the package that have an address of their own, from the root of a world. */
const servedFiles: Readonly<Record<string, string>> = {
  'openapi.yaml': '/openapi.yaml',
  'src/server/control/openapi.yaml': '/_atoll/openapi.yaml',
  'docs/README.md': '/_atoll/llms.txt',
  'llms.txt': '/_atoll/llms.txt',
};

/** The address of a file of the package, from the root of a world. Undefined when it is not served. */
export const servedAddress = (file: string): string | undefined => {
  const [, page] = /^docs\/use\/(.*\.md)$/.exec(file) ?? [];
  return page === undefined
    ? Object.hasOwn(servedFiles, file)
      ? servedFiles[file]
      : undefined
    : `/_atoll/docs/${page}`;
};

/** A page with the links that hold at `/_atoll/docs/NAME.md`. Examples stay as they are. */
export const servedPage = (name: string, text: string): string => {
  const folder = posix.dirname(`docs/use/${name}`);
  const here = posix.dirname(`/_atoll/docs/${name}`);
  return outsideExamples(text, (prose) =>
    prose
      .replaceAll(picture, (whole, alt: string | undefined, target: string, inLooks: string) =>
        alt === undefined || isOwn(target) ? `(Picture: ${alt ?? inLooks})` : whole,
      )
      .replaceAll(link, (whole, words: string, target: string) => {
        if (!isOwn(target)) return whole;
        const [path = '', ...anchor] = target.split('#');
        const file = posix.join(folder, path);
        const address = servedAddress(file);
        if (address === undefined) return elsewhere(words, file);
        return `[${words}](${[posix.relative(here, address), ...anchor].join('#')})`;
      }),
  );
};

/** Says where a file is that is not served. The words of a link may be its name. */
const elsewhere = (words: string, file: string): string => {
  const place = `\`${file}\` in the sources of Atoll`;
  return file.endsWith(words.replaceAll('`', '')) ? place : `${words} (${place})`;
};

/** One picture, or the same in several looks. */
const picture = /!\[([^\]]*)\]\(([^)\s]+)\)|<picture>[\s\S]*?alt="([^"]*)"[\s\S]*?<\/picture>/g;
const link = /(?<!!)\[([^\]]*)\]\(([^)\s]+)\)/g;

/** Whether a link leads to a file in the same folder. */
const isOwn = (target: string): boolean => !/^(?:[a-z]+:|#)/i.test(target);

const outsideExamples = (text: string, change: (prose: string) => string): string =>
  text
    .split(/(^```[\s\S]*?^```$)/m)
    .map((part) => (part.startsWith('```') ? part : change(part)))
    .join('');

export const titleOf = (text: string): string => plain(/^# (.*)$/m.exec(text)?.[1] ?? '');

const longestSummary = 240;

/** The first sentences of the first paragraph, as many as have room in 240 characters. */
export const summaryOf = (text: string): string => {
  const [, rest = ''] = text.split(/^# .*$/m);
  const paragraph = rest.split(/\n{2,}/).find((block) => /^[\p{L}\d`"*[]/u.test(block.trim())) ?? '';
  const [first = '', ...sentences] = plain(paragraph).split(/(?<=[.?!])\s+/);
  // A sentence that ends with a colon announces the lines below it.
  const whole = sentences.filter((sentence) => !sentence.endsWith(':'));
  const { taken } = whole.reduce(
    ({ taken, isFull }, sentence) =>
      isFull || taken.length + sentence.length >= longestSummary
        ? { taken, isFull: true }
        : { taken: `${taken} ${sentence}`, isFull },
    { taken: first.replace(/:$/, '.'), isFull: false },
  );
  return taken.length > longestSummary ? `${taken.slice(0, longestSummary - 1)}…` : taken;
};

/** One line without links and emphasis. */
const plain = (markdown: string): string =>
  markdown
    .replaceAll(link, '$1')
    .replaceAll(/\*\*|`/g, '')
    .replaceAll(/(?<!\w)_([^_\s][^_]*)_(?!\w)/g, '$1')
    .replaceAll(/\s+/g, ' ')
    .trim();
