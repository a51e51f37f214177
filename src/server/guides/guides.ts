/** Reads the pages of the documentation and `llms.txt` from the package. */
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { servedAddress, servedPage, summaryOf, titleOf } from './page.ts';

/** Where examples and links of the file lead. */
const writtenFor = 'http://localhost:8000';

/** Links and examples name addresses below `baseUrl`, which has no slash at its end. */
const llmsText = (text: string, baseUrl: string): string =>
  text
    .replaceAll(/\]\(([^):\s]+)\)/g, (whole, file: string) => {
      const address = servedAddress(file);
      return address === undefined ? whole : `](${writtenFor}${address})`;
    })
    .replaceAll(writtenFor, baseUrl);

/** A page for those who use Atoll. `name` is that of its file below `docs/use`, without `.md`: `uploading`. */
type Guide = {
  readonly name: string;
  readonly title: string;
  /** Its first sentences, in one line without links. */
  readonly summary: string;
};

export type Guides = {
  /** All pages, by their names. */
  list(): Promise<readonly Guide[]>;
  /** A page as Markdown. Links to files that are not served are text. Undefined when there is no such page. */
  read(name: string): Promise<string | undefined>;
  /** `llms.txt` with the addresses of the world at `baseUrl`. Undefined where the package lacks it. */
  llms(baseUrl: string): Promise<string | undefined>;
};

/** The names of pages have no dots, so that no name leads out of the folder. */
const pageName = /^[a-z0-9-]+$/;

/** `root` is the folder of the package. The files are read again each time: in a clone they change. */
export const createGuides = (root: string): Guides => {
  const folder = join(root, 'docs/use');
  const read: Guides['read'] = async (name) => {
    const text = pageName.test(name) ? await ifThere(join(folder, `${name}.md`)) : undefined;
    return text === undefined ? undefined : servedPage(name, text);
  };
  const describe = async (name: string): Promise<Guide[]> => {
    const text = await read(name);
    return text === undefined ? [] : [{ name, title: titleOf(text), summary: summaryOf(text) }];
  };
  return {
    read,
    list: async () => (await Promise.all((await namesBelow(folder)).map(describe))).flat(),
    llms: async (baseUrl) => {
      const text = await ifThere(join(root, 'llms.txt'));
      return text === undefined ? undefined : llmsText(text, baseUrl);
    },
  };
};

/** Nothing where a package has no documentation. */
const namesBelow = async (folder: string): Promise<string[]> => {
  const found = await readdir(folder).catch(() => []);
  return found
    .filter((name) => name.endsWith('.md'))
    .map((name) => name.slice(0, -'.md'.length))
    .sort();
};

const ifThere = (file: string): Promise<string | undefined> => readFile(file, 'utf8').catch(() => undefined);
