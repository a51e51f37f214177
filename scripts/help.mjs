/**
 * Makes the manual of docs/use as pages with a search. `node scripts/help.mjs` makes `dist/help/`, which the server has at
 * `/_atoll/help/`; `node scripts/help.mjs DIR` makes a site for any static host.
 */
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { build } from 'esbuild';
import GithubSlugger from 'github-slugger';
import MarkdownIt from 'markdown-it';
import { importSource } from './import-source.mjs';

const source = 'docs/use';

/** The most that all files may have together, in bytes: they are in the package. */
const mostBytes = 1024 * 1024;

const markdown = new MarkdownIt({ html: false });

/** Wide tables and long lines scroll in a box of their own, which the keyboard reaches. */
const scrolling = (name) => ({
  open: `<div class="scroll" tabindex="0" role="group" aria-label="${name}">`,
  close: '</div>',
});
const table = scrolling('Table');
markdown.renderer.rules.table_open = () => `${table.open}<table>\n`;
markdown.renderer.rules.table_close = () => `</table>${table.close}\n`;
const code = scrolling('Example');
markdown.renderer.rules.fence = (tokens, at) =>
  `${code.open}<pre><code>${markdown.utils.escapeHtml(tokens[at].content)}</code></pre>${code.close}\n`;

/** The text of a line without its marks. */
const plain = ({ children }) =>
  children
    .map(({ type, content }) => (/^(text|code_inline)$/.test(type) ? content : type === 'softbreak' ? ' ' : ''))
    .join('');

/** Another page of the manual, by the name of its file here. */
const pageLink = (href) => href.replace(/^(?![a-z]+:|#)(.*)\.md(#.*)?$/, '$1.html$2');

/** What lies beside the pages on a server lies nowhere on a static host. */
const isBeside = (href) => /^(\.\.\/)+[^#]*\.(yaml|txt)/.test(href);

const changeLinks = (tokens, isServed) => {
  for (const token of tokens) {
    const href = token.attrGet?.('href');
    if (href !== null && href !== undefined) token.attrSet('href', pageLink(href));
    if (token.children) {
      changeLinks(token.children, isServed);
      if (!isServed) token.children = withoutBeside(token.children);
    }
  }
};

/** Links have no links inside. */
const withoutBeside = (tokens) => {
  let isLeftOut = false;
  return tokens.filter((token) => {
    if (token.type === 'link_open') isLeftOut = isBeside(token.attrGet('href'));
    const isMark = token.type === 'link_open' || token.type === 'link_close';
    return !(isMark && isLeftOut);
  });
};

/** Reads a page: its title and its HTML. Headings get the anchors that GitHub gives them. */
const readPage = (text, isServed) => {
  const slugger = new GithubSlugger();
  const withoutComments = (part) => (part.startsWith('```') ? part : part.replaceAll(/<!--[\s\S]*?-->\n?/g, ''));
  const tokens = markdown.parse(
    text
      .split(/(^```[\s\S]*?^```$)/m)
      .map(withoutComments)
      .join(''),
    {},
  );
  changeLinks(tokens, isServed);
  // The policy of the pages allows no style in an attribute.
  for (const token of tokens.filter(({ type }) => type === 'th_open' || type === 'td_open')) {
    const [, side] = /^text-align:(\w+)$/.exec(token.attrGet('style') ?? '') ?? [];
    if (side !== undefined) token.attrs = [['class', `to-${side}`]];
  }
  const headings = tokens.flatMap((token, at) =>
    token.type === 'heading_open' ? [[token, plain(tokens[at + 1])]] : [],
  );
  for (const [token, heading] of headings) token.attrSet('id', slugger.slug(heading));
  return { title: headings[0]?.[1] ?? '', html: markdown.renderer.render(tokens, markdown.options, {}) };
};

/** The parts of docs/README.md for those who use Atoll, each with its pages. */
const contentsOf = (index) => {
  const [, use = ''] = /^## Use\n([\s\S]*?)^## Inside$/m.exec(index) ?? [];
  return use
    .split(/^### /m)
    .slice(1)
    .map((part) => ({
      title: part.slice(0, part.indexOf('\n')),
      pages: [...part.matchAll(/^- \[([^\]]*)\]\(use\/([a-z0-9-]+)\.md[^)]*\)[,:]? *(.*)$/gm)].map(
        ([, title, name, note]) => ({
          ...{ title: markdown.renderInline(title), file: `${name}.html` },
          note: markdown.renderInline(note.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')),
        }),
      ),
    }));
};

/** The list of pages is in the first page alone, and the script copies it into the others: it would be a quarter of each. */
const layout = ({ file, title, html, isServed }) => {
  const up = '../'.repeat(file.split('/').length - 1);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${markdown.utils.escapeHtml(title)} | Atoll help</title>
<link rel="stylesheet" href="${up}help.css">
<script type="module" src="${up}help.js"></script>
</head>
<body>
<a class="skip" href="#main">Skip to the content</a>
<header class="top">
<a class="brand" href="${up}index.html">Atoll help</a>
<form role="search" action="${up}index.html"><label for="q">Search</label> <input type="search" id="q" name="q" autocomplete="off"></form>
${isServed ? `<a href="${up}../">Console</a>\n` : ''}<a href="${up}index.html">Contents</a>
</header>
<div class="frame">
<main id="main" tabindex="-1">
<section id="found" aria-labelledby="search-heading" hidden><h1 id="search-heading">Search</h1><p id="count" role="status"></p><ol></ol></section>
<article>
${html}</article>
</main>
${file === 'index.html' ? '' : '<nav aria-label="Contents"></nav>\n'}</div>
</body>
</html>
`;
};

const firstPage = (contents) =>
  `<h1>Help</h1>\n${contents
    .map(({ title, pages }) => {
      const items = pages.map(
        ({ title: name, file, note }) => `<li><a href="${file}">${name}</a>${note === '' ? '' : `: ${note}`}</li>`,
      );
      return `<h2>${title}</h2>\n<ul>\n${items.join('\n')}\n</ul>\n`;
    })
    .join('')}`;

/** Makes the manual in `folder`, whose files go first. Returns esbuild's metafile of the scripts. Throws when it is too large. */
export const buildHelp = async (folder, { isServed } = { isServed: true }) => {
  const { servedPage } = await importSource('src/server/guides/page.ts');
  await rm(folder, { recursive: true, force: true });
  const names = (await readdir(source, { recursive: true })).filter((name) => name.endsWith('.md')).sort();
  const contents = contentsOf(await readFile('docs/README.md', 'utf8'));
  const files = new Map([
    ['index.html', layout({ file: 'index.html', title: 'Help', html: firstPage(contents), isServed })],
  ]);
  for (const each of names) {
    const name = each.replaceAll('\\', '/').slice(0, -'.md'.length);
    const file = `${name}.html`;
    const { title, html } = readPage(servedPage(name, await readFile(join(source, each), 'utf8')), isServed);
    files.set(file, layout({ file, title, html, isServed }));
  }
  // The search reads the pages themselves.
  files.set('pages.json', JSON.stringify([...files.keys()].filter((file) => file !== 'index.html')));
  for (const [file, text] of files) {
    await mkdir(join(folder, dirname(file)), { recursive: true });
    await writeFile(join(folder, file), text);
  }
  const { metafile } = await build({
    entryPoints: ['console/help/help.ts', 'console/help/help.css'],
    ...{
      outdir: folder,
      bundle: true,
      minify: true,
      format: 'esm',
      target: 'es2022',
      metafile: true,
      legalComments: 'none',
    },
  });
  const size = await sizeOf(folder);
  if (size > mostBytes) throw new Error(`The manual has ${size} bytes as pages; it may have ${mostBytes}. Shorten it.`);
  return metafile;
};

const sizeOf = async (folder) => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const texts = await Promise.all(files.map((file) => readFile(file)));
  return texts.reduce((sum, { length }) => sum + length, 0);
};

if (process.argv[1] === import.meta.filename) {
  const [folder] = process.argv.slice(2);
  await (folder === undefined ? buildHelp('dist/help') : buildHelp(folder, { isServed: false }));
}
