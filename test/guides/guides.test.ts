/** The pages of the documentation as programs read them: their list, their text, their links, and the form of `llms.txt`. */
import { readdir, readFile } from 'node:fs/promises';
import { join, posix } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { createGuides } from '../../src/server/server.ts';
import { servedPage, summaryOf, titleOf } from '../../src/server/guides/page.ts';
import { root } from '../support/atoll.ts';

const guides = createGuides(root);
const listed = await guides.list();
const files = (await readdir(join(root, 'docs/use'), { recursive: true })).filter((name) => name.endsWith('.md'));
const text = await readFile(join(root, 'llms.txt'), 'utf8');

describe('The list of pages', () => {
  it('has every file once, with its title and its first sentences', () => {
    expect(listed.map(({ name }) => name)).toEqual(files.map((file) => file.slice(0, -'.md'.length)).sort());
    for (const { name, title, summary } of listed) {
      expect([name, title, summary]).toEqual([name, expect.stringMatching(/^\S[^\n]*$/), expect.stringMatching(/^\S/)]);
      expect(summary).not.toMatch(/\]\(|\n|\*\*|^[#|<]/);
      expect(summary.length).toBeLessThanOrEqual(240);
    }
  });

  it('says what a page is about', () => {
    expect(listed.find(({ name }) => name === 'uploading')).toEqual({
      name: 'uploading',
      title: 'Uploading',
      summary: expect.stringMatching(/^This page shows how you upload bytes/),
    });
    expect(listed.find(({ name }) => name === 'faults')?.title).toBe('Failures on demand');
  });

  it('is empty for a package without documentation', async () => {
    const none = createGuides(join(root, 'src/server/guides'));
    expect([await none.list(), await none.read('uploading'), await none.llms('http://a')]).toEqual([
      [],
      undefined,
      undefined,
    ]);
  });
});

describe('A page', () => {
  it.each([
    '',
    'nothing',
    'README',
    '../README',
    '../../package',
    'faults/../uploading',
    '/etc/passwd',
    'uploading.md',
    'Uploading',
  ])('that does not exist is none: "%s"', async (name) => expect(await guides.read(name)).toBeUndefined());

  it('keeps its examples as they are', async () => {
    const written = await readFile(join(root, 'docs/use/uploading.md'), 'utf8');
    expect(await guides.read('uploading')).toBe(written);
  });

  it('leads to the pages and documents that are served, also from a folder', () => {
    expect(servedPage('a', '[b](b.md#c) [d](faults/d.md) [e](#here) [f](https://f.example/g.md)')).toBe(
      '[b](b.md#c) [d](faults/d.md) [e](#here) [f](https://f.example/g.md)',
    );
    expect(servedPage('faults/a', '[b](../b.md) [`c`](c.md)')).toBe('[b](../b.md) [`c`](c.md)');
    expect(servedPage('a', '[b](../../openapi.yaml) [c](../README.md)')).toBe(
      '[b](../../openapi.yaml) [c](../llms.txt)',
    );
    expect(servedPage('faults/a', '[b](../../../openapi.yaml) [c](../../README.md)')).toBe(
      '[b](../../../openapi.yaml) [c](../../llms.txt)',
    );
  });

  it('says as text what is only in the sources', () => {
    expect(servedPage('a', 'See [words](../inside/b.md#c), ![A d](../pictures/d.png).')).toBe(
      'See words (`docs/inside/b.md` in the sources of Atoll), (Picture: A d).',
    );
    const looks =
      '<picture>\n  <source srcset="../pictures/d-dark.webp" />\n  <img alt="A d" src="../pictures/d.webp" />\n</picture>';
    expect(servedPage('a', `${looks}\n\n${looks}`)).toBe('(Picture: A d)\n\n(Picture: A d)');
    const block = '```md\n[b](../inside/b.md)\n```';
    expect(servedPage('a', block)).toBe(block);
    const once = servedPage('a', 'See [`b.md`](../inside/b.md).');
    expect(once).toBe('See `docs/inside/b.md` in the sources of Atoll.');
    expect(servedPage('a', once)).toBe(once);
  });

  it('shows each picture that is kept, and no other', async () => {
    const pages = await Promise.all(
      ['docs/use/console.md', 'docs/use/demo.md'].map((page) => readFile(join(root, page), 'utf8')),
    );
    const shown = [...pages.join('').matchAll(/"\.\.\/pictures\/console\/([^"]+)"/g)].map(([, file]) => file);
    expect(shown.sort()).toEqual((await readdir(join(root, 'docs/pictures/console'))).sort());
    expect(shown.length).toBeGreaterThanOrEqual(36);
  });

  it('has no link that leads nowhere', async () => {
    const addresses = new Set([
      ...listed.map(({ name }) => `/_atoll/docs/${name}.md`),
      ...['/openapi.yaml', '/_atoll/openapi.yaml', '/_atoll/llms.txt'],
    ]);
    let links = 0;
    for (const { name } of listed) {
      const prose = ((await guides.read(name)) ?? '')
        .replaceAll(/^```[\s\S]*?^```$/gm, '')
        .replaceAll(/`[^`\n]*`/g, '');
      for (const [, target = ''] of prose.matchAll(/\]\(([^)\s]+)\)/g)) {
        if (/^(https?:|#)/.test(target)) continue;
        links += 1;
        const address = posix.join(`/_atoll/docs/${posix.dirname(name)}`, target.replace(/#.*/, ''));
        expect([name, target, addresses.has(address)]).toEqual([name, target, true]);
      }
    }
    expect(links).toBeGreaterThan(100);
  });
});

describe('What a page says of itself', () => {
  it('is its heading and its first paragraph, without marks', () => {
    const page =
      '<!-- made -->\n\n# `a` and **b**\n\n## First\n\n| t |\n| - |\n\nOne [two](three.md)\n`/_four`. _Five_: six. So:\n\nSeven.\n';
    expect([titleOf(page), summaryOf(page)]).toEqual(['a and b', 'One two /_four. Five: six.']);
  });

  it('ends with a sentence, or is cut', () => {
    const long = 'word '.repeat(60).trim();
    expect(summaryOf(`# T\n\nShort. ${long}. More.`)).toBe('Short.');
    expect(summaryOf(`# T\n\n${long}.`)).toMatch(/…$/);
  });
});

describe('llms.txt', () => {
  const [head = '', ...sections] = text.split(/^## /m);

  it('has the form of llmstxt.org: a title, a summary, text without headings, lists of links', () => {
    expect(head).toMatch(/^# Atoll\n\n(> .*\n)+\n\S/);
    const prose = head
      .replaceAll(/^```[\s\S]*?^```$/gm, '')
      .split('\n')
      .slice(1);
    expect(prose.filter((line) => line.startsWith('#'))).toEqual([]);
    expect(sections.length).toBeGreaterThan(5);
    for (const section of sections) {
      const [title = '', ...lines] = section.trimEnd().split('\n');
      expect([title, lines.slice(1).filter((line) => !/^- \[[^\]]+\]\([^)\s]+\)(: \S.*)?$/.test(line))]).toEqual([
        title,
        [],
      ]);
    }
    expect(sections.at(-1)).toMatch(/^Optional\n/);
  });

  it('has ten rules, each with an example and what it prints', () => {
    const rules = head.split(/^\*\*(?=\d+\. )/m).slice(1);
    expect(rules.map((rule) => Number.parseInt(rule))).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    for (const rule of rules) expect(rule).toMatch(/^```sh\n[\s\S]*?^```\n\n```output\n/m);
  });

  it('leads to every page once', () => {
    const pages = [...sections.join('').matchAll(/\]\(docs\/use\/([^)]*)\)/g)].map(([, page]) => page);
    expect(pages.sort()).toEqual([...files].sort());
  });

  it('has the address of the world that serves it, in links and examples', async () => {
    const served = (await guides.llms('http://localhost:4321/~w7')) ?? '';
    expect(served).not.toContain('localhost:8000');
    expect(served).toContain('](http://localhost:4321/~w7/_atoll/docs/faults.md)');
    expect(served).toContain('](http://localhost:4321/~w7/openapi.yaml)');
    expect(served).toContain(' http://localhost:4321/~w7/node/5\n');
    expect([...served.matchAll(/\]\((?!http:\/\/localhost:4321\/~w7\/)/g)]).toEqual([]);
  });
});
