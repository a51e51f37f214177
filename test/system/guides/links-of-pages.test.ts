/** Every relative link in the pages of the root and in docs/ leads to a file, and to a heading if it names one. */
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, it } from '@jest/globals';
import { root } from '../../support/atoll.ts';

const names = await readdir(join(root, 'docs'), { recursive: true });
const pages = [
  ...['README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'SECURITY.md'],
  ...names.filter((name) => name.endsWith('.md')).map((name) => join('docs', name)),
];

/** A page without its fenced blocks. */
const proseOf = async (page: string): Promise<string> =>
  (await readFile(join(root, page), 'utf8')).replaceAll(/^```[\s\S]*?^```$/gm, '');

const linksOf = async (page: string): Promise<string[]> => {
  const text = (await proseOf(page)).replaceAll(/`[^`]*`/g, '');
  return [...text.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target = '']) => target)
    .filter((target) => !/^https?:/.test(target));
};

/** The anchors of a page's headings, as GitHub writes them. */
const anchorsOf = async (page: string): Promise<string[]> =>
  [...(await proseOf(page)).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  );

it.each(pages)('%s has no broken link', async (page) => {
  const broken: string[] = [];
  for (const link of await linksOf(page)) {
    const [path = '', anchor] = link.split('#');
    const target = path === '' ? page : join(dirname(page), path);
    const isThere = existsSync(join(root, target));
    if (!isThere || (anchor !== undefined && !(await anchorsOf(target)).includes(anchor))) broken.push(link);
  }
  expect(broken).toEqual([]);
});

it('lists every decision in the index of decisions, as a page or with its text, numbered without gaps', async () => {
  const decisions = pages.map((page) => /decisions\/(\d{4}.*)/.exec(page)?.[1] ?? '').filter((name) => name !== '');
  const index = await proseOf('docs/inside/decisions/README.md');
  const inPages = [...index.matchAll(/^- \[\d+\. .*\]\((.*)\)$/gm)].map(([, name = '']) => name);
  expect([...inPages].sort()).toEqual([...decisions].sort());
  const inIndex = [...index.matchAll(/^- \*\*(\d+)\./gm)].map(([, number]) => Number(number));
  const numbers = [...decisions.map((name) => Number(name.slice(0, 4))), ...inIndex];
  expect(numbers.sort((a, b) => a - b)).toEqual(numbers.map((_, at) => at + 1));
});
