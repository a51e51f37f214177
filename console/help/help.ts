/** The contents and the search of the manual. The pages are read when somebody searches, and nothing is asked of another host. */
import MiniSearch from 'minisearch';

type Section = {
  readonly address: string;
  readonly page: string;
  readonly heading: string;
  readonly text: string;
};

const mostFound = 20;
const longestExcerpt = 200;

const elementOf = (selector: string): HTMLElement => {
  const element = document.querySelector<HTMLElement>(selector);
  if (element === null) throw new Error(`The page has no ${selector}.`);
  return element;
};

const input = elementOf('#q') as HTMLInputElement; // the layout of the pages
const found = elementOf('#found');
const count = elementOf('#count');
const list = elementOf('#found ol');
const article = elementOf('article');

/** Addresses are relative to the folder of this script. */
const addressOf = (name: string): string => new URL(name, import.meta.url).href;

const textOf = async (name: string): Promise<string> => {
  const response = await fetch(addressOf(name));
  if (!response.ok) throw new Error(`The page ${name} cannot be read: ${response.status}.`);
  return response.text();
};

const articleOf = (html: string): Element | null =>
  new DOMParser().parseFromString(html, 'text/html').querySelector('article');

/** Fills the side of a page with the list that the first page has. Where it cannot be read, the head still leads there. */
const showContents = async (side: Element): Promise<void> => {
  const parts = [...(articleOf(await textOf('index.html'))?.querySelectorAll('h2, ul') ?? [])];
  for (const entry of parts.flatMap((part) => [...part.querySelectorAll('li')])) {
    const link = entry.querySelector('a');
    if (link === null) continue;
    link.href = addressOf(link.getAttribute('href') ?? '');
    if (link.href === location.href.split(/[?#]/)[0]) link.setAttribute('aria-current', 'page');
    entry.replaceChildren(link);
  }
  side.replaceChildren(...parts);
};

const side = document.querySelector('nav');
if (side !== null) void showContents(side).catch(() => undefined);

type Index = { readonly sections: readonly Section[]; readonly search: MiniSearch };
let loading: Promise<Index> | undefined;

/** From each heading to the next one. */
const sectionsOf = (file: string, html: string): readonly Section[] => {
  const parts = articleOf(html)?.children ?? [];
  const sections: { address: string; heading: string; text: string }[] = [];
  for (const { tagName, id, textContent } of parts) {
    const last = sections.at(-1);
    if (/^H\d$/.test(tagName)) sections.push({ address: `${file}#${id}`, heading: textContent, text: '' });
    else if (last !== undefined) last.text += ` ${textContent.replaceAll(/\s+/g, ' ')}`;
  }
  return sections.map((section) => ({ ...section, page: sections[0]?.heading ?? file }));
};

const loadIndex = async (): Promise<Index> => {
  const names = JSON.parse(await textOf('pages.json')) as readonly string[]; // the build wrote it
  const pages = await Promise.all(names.map(async (name) => sectionsOf(name, await textOf(name))));
  const sections = pages.flat();
  const search = new MiniSearch({
    fields: ['page', 'heading', 'text'],
    searchOptions: { boost: { page: 2, heading: 3 }, prefix: true, fuzzy: 0.15 },
  });
  search.addAll(sections.map((section, id) => ({ id, ...section })));
  return { sections, search };
};

/** An index that could not be loaded is asked for again. */
const index = (): Promise<Index> =>
  (loading ??= loadIndex().catch((error: unknown) => {
    loading = undefined;
    throw error;
  }));

/** Sections that have all words, or else those that have some. */
const sectionsWith = ({ sections, search }: Index, words: string): readonly Section[] => {
  const all = search.search(words, { combineWith: 'AND' });
  const hits = all.length > 0 ? all : search.search(words);
  return hits.flatMap(({ id }) => sections[Number(id)] ?? []);
};

/** The text around the first word that was asked for. */
const excerptOf = (text: string, words: string): string => {
  const [first = ''] = words.toLowerCase().split(/\s+/);
  const at = Math.max(0, text.toLowerCase().indexOf(first) - 60);
  const begin = at === 0 ? 0 : text.indexOf(' ', at) + 1;
  const piece = text.slice(begin, begin + longestExcerpt);
  return `${begin === 0 ? '' : '… '}${piece}${begin + longestExcerpt < text.length ? ' …' : ''}`;
};

const entryOf = ({ address, page, heading, text }: Section, words: string): HTMLElement => {
  const entry = document.createElement('li');
  const link = document.createElement('a');
  link.href = addressOf(address);
  link.textContent = heading === page ? page : `${page}: ${heading}`;
  const excerpt = document.createElement('p');
  excerpt.textContent = excerptOf(text, words);
  entry.append(link, excerpt);
  return entry;
};

const show = async (): Promise<void> => {
  const words = input.value.trim();
  const sections = words === '' ? [] : sectionsWith(await index(), words);
  // Somebody typed on while the index came.
  if (words !== input.value.trim()) return;
  found.hidden = words === '';
  article.hidden = words !== '';
  const number = sections.length === 1 ? '1 section has' : `${sections.length || 'No'} sections have`;
  count.textContent = words === '' ? '' : `${number} “${words}”.`;
  list.replaceChildren(...sections.slice(0, mostFound).map((section) => entryOf(section, words)));
};

const search = (): void =>
  void show().catch((error: unknown) => {
    found.hidden = false;
    count.textContent = error instanceof Error ? error.message : String(error);
  });

input.addEventListener('input', search);
input.form?.addEventListener('submit', (event) => {
  event.preventDefault();
  search();
});
// A result may be on this page.
list.addEventListener('click', () => {
  input.value = '';
  search();
});
const asked = new URLSearchParams(location.search).get('q');
if (asked !== null) {
  input.value = asked;
  search();
}
