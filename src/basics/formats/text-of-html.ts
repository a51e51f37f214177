/** Takes the text out of HTML, for readers: no tag of a record is sent on. The result is text, and still has to be escaped. */

const blocks: ReadonlySet<string> = new Set(
  'p div h1 h2 h3 h4 h5 h6 ul ol li blockquote table tr pre section article figure dl dt dd hr'.split(' '),
);
const silent: ReadonlySet<string> = new Set(['script', 'style', 'template']);

/** A tag or a comment. It ends before the next `<`, so that one pass reads the whole text. */
const tag = /<(\/?)([a-z][a-z0-9]*|!)[^<>]*>/gi;

/** Paragraphs and breaks become lines, scripts and styles nothing, other tags their text. */
export const textOfHtml = (source: string): string => {
  const text = source.replace(/\r\n?/g, '\n');
  let written = '';
  let from = 0;
  let silence: string | undefined;
  for (const match of text.matchAll(tag)) {
    const name = (match[2] ?? '').toLowerCase();
    if (silence === undefined) written += text.slice(from, match.index);
    from = match.index + match[0].length;
    if (silence !== undefined) {
      if (match[1] === '/' && name === silence) silence = undefined;
    } else if (silent.has(name)) silence = match[1] === '/' ? undefined : name;
    else if (name === 'br') written += '\n';
    else if (blocks.has(name)) written += '\n\n';
  }
  if (silence === undefined) written += text.slice(from);
  return unescaped(written)
    .split('\n')
    .map((line) => line.trim())
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
};

const entities: Readonly<Record<string, string>> = {
  ...{ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: '\u00a0', ndash: '–', mdash: '—', hellip: '…' },
  ...{ laquo: '«', raquo: '»', ldquo: '“', rdquo: '”', lsquo: '‘', rsquo: '’' },
};

const unescaped = (text: string): string =>
  text.replace(
    /&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{1,8}));/gi,
    (whole, decimal?: string, hex?: string, name?: string) => {
      if (name !== undefined) return Object.hasOwn(entities, name) ? (entities[name] ?? whole) : whole;
      const point = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal);
      return point > 0 && point <= 0x10ffff ? String.fromCodePoint(point) : whole;
    },
  );
