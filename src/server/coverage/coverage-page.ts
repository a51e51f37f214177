/** Writes a coverage record as one HTML page without scripts or other files. */
import {
  cellsOf,
  coverageMetrics,
  figuresOf,
  type CoverageCell,
  type CoverageMetric,
  type CoverageRecord,
} from '../../contract/coverage/coverage-figures.ts';
import { escapedMarkup } from '../../basics/markup.ts';

/** The Content-Security-Policy of the page: it has inline styles and loads nothing (CSP Level 3). */
export const coveragePagePolicy = "default-src 'none'; style-src 'unsafe-inline'";

const titles: Readonly<Record<CoverageMetric, string>> = {
  operations: 'Operations',
  statuses: 'Statuses',
  errors: 'Errors',
  'media-types': 'Media types',
  identities: 'Identities',
  relations: 'Relations seen',
  followed: 'Links followed',
};

const columns = ['statuses', 'media-types', 'identities', 'relations', 'followed'] as const;

const style = `
  :root { color-scheme: light; --met: #0b6e75; --pale: #e3f1f1; --line: #dde5e8; --ink: #1b2a33; --faint: #5d6d76; --not: #9a4a00; --gap: #fdf1e4; }
  * { box-sizing: border-box; }
  body { font: 15px/1.45 system-ui, sans-serif; color: var(--ink); max-width: 100rem; margin: 2rem auto; padding: 0 1.25rem; }
  h1 { color: var(--met); margin: 0; } h2 { margin: 2.2rem 0 .6rem; } p { color: var(--faint); margin: .3rem 0; max-width: 60rem; }
  .sums { display: grid; grid-template-columns: repeat(auto-fit, minmax(9.5rem, 1fr)); gap: .8rem; padding: 0; list-style: none; margin: 1.4rem 0; }
  .sums li { border: 1px solid var(--line); border-radius: .5rem; padding: .7rem .9rem; }
  .sums b { display: block; font-size: 1.7rem; line-height: 1.2; } .sums span { color: var(--faint); font-size: .85rem; }
  meter { width: 100%; height: .55rem; margin-top: .4rem; }
  .wide { overflow-x: auto; }
  table { border-collapse: collapse; width: 100%; font-size: .84rem; }
  th, td { text-align: left; vertical-align: top; padding: .45rem .6rem; border-bottom: 1px solid var(--line); }
  td { min-width: 10rem; }
  thead th { position: sticky; top: 0; background: #fff; color: var(--faint); font-weight: 600; }
  tbody th { font-weight: 600; overflow-wrap: anywhere; min-width: 12rem; } tbody th small { display: block; font-weight: 400; color: var(--faint); font-family: ui-monospace, monospace; }
  i { font-style: normal; display: inline-block; margin: 0 .25rem .25rem 0; padding: .05rem .4rem; border-radius: .3rem; white-space: nowrap; }
  i.met { background: var(--pale); color: var(--met); } i.not { background: var(--gap); color: var(--not); outline: 1px dashed #e0b27f; outline-offset: -1px; }
`;

export const coveragePage = (record: CoverageRecord): string => {
  const cells = new Map(coverageMetrics.map((metric) => [metric, cellsOf(record, metric)]));
  const sums = figuresOf(record).map(
    ({ metric, met, of, percent }) =>
      `  <li>${titles[metric]}<b>${percent} %</b><span>${met} of ${of}</span><meter min="0" max="100" value="${percent}">${percent} %</meter></li>`,
  );
  const rows = record.offered.map(({ operation, method, path }) => {
    const columnCells = columns.map((metric) => {
      const shown = (cells.get(metric) ?? []).filter((cell) => cell.operation === operation);
      return `<td>${shown.map(chip).join('')}</td>`;
    });
    return `<tr><th scope="row">${escapedMarkup(operation)}<small>${method} ${escapedMarkup(path)}</small></th>${columnCells.join('')}</tr>`;
  });
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Contract coverage</title>
<style>${style}</style>
<h1>Contract coverage</h1>
<p>What the clients of this server have met of its document. An answer counts when it keeps the contract.</p>
<ul class="sums">
${sums.join('\n')}
</ul>
<h2>Operation by operation</h2>
<p><i class="met">met</i><i class="not">not met</i> Point at a cell to see how often.</p>
<div class="wide">
<table>
<thead><tr><th scope="col">Operation</th>${columns.map((metric) => `<th scope="col">${titles[metric]}</th>`).join('')}</tr></thead>
<tbody>
${rows.join('\n')}
</tbody>
</table>
</div>
${adviceSection(record)}</html>
`;
};

/** Empty without advice. */
const adviceSection = ({ advice }: CoverageRecord): string => {
  if (advice.length === 0) return '';
  const rows = advice.map(({ operation, pointer, count, reason }) => {
    const cells = [pointer, String(count), reason].map((text) => `<td>${escapedMarkup(text)}</td>`);
    return `<tr><th scope="row">${escapedMarkup(operation)}</th>${cells.join('')}</tr>`;
  });
  const head = ['Operation', 'Sent', 'Times', 'Why'].map((text) => `<th scope="col">${text}</th>`);
  return `<h2>Advice</h2>
<p>What accepted requests sent and the repository did not store as it was sent, as a real site would not.</p>
<div class="wide">
<table>
<thead><tr>${head.join('')}</tr></thead>
<tbody>
${rows.join('\n')}
</tbody>
</table>
</div>
`;
};

const chip = ({ name, count }: CoverageCell): string =>
  count > 0
    ? `<i class="met" title="${count} times">${escapedMarkup(shortName(name))}</i>`
    : `<i class="not" title="not met: ${escapedMarkup(name)}">${escapedMarkup(shortName(name))}</i>`;

/** Shortens the prefixes that most names have. */
const shortName = (name: string): string =>
  name.replace('https://drupal.org/link-relations/', 'drupal:').replace('application/', '');
