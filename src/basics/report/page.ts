/** Writes a report as one HTML page that needs nothing else: no script, no font, no picture. */
import { escapedMarkup } from '../markup.ts';
import type { Evidence, Figure, Mark, Report, ReportCase, ReportSection, ReportTable, TableRow } from './report.ts';

/** For narrow and wide windows, light and dark. */
const style = `
:root { color-scheme: light dark; --line: #8884; --bad: light-dark(#b3261e, #ff8a80); --good: light-dark(#1b6e3c, #7fd6a0); --mute: light-dark(#595959, #a8a8a8); }
* { box-sizing: border-box; }
body { margin: 0; font: 16px/1.5 system-ui, sans-serif; }
main { max-width: 100rem; margin: 0 auto; padding: 1rem; }
h1 { font-size: 1.4rem; line-height: 1.3; } h2 { font-size: 1.15rem; margin-top: 2rem; } h2::first-letter { text-transform: uppercase; } h3 { font-size: 1rem; margin: 0 0 .25rem; overflow-wrap: anywhere; }
.target, code { overflow-wrap: anywhere; }
.figures { display: grid; grid-template-columns: repeat(auto-fit, minmax(8rem, 1fr)); gap: .5rem; margin: 0; }
.figures div { border: 1px solid var(--line); border-radius: .4rem; padding: .5rem .75rem; }
.figures dt, .figures small { color: var(--mute); } .figures dd { margin: 0; font-size: 1.6rem; font-variant-numeric: tabular-nums; } .figures small { display: block; font-size: .85rem; }
.figures .passed dd { color: var(--good); } .figures .failed dd, .figures .error dd, .figures .new dd { color: var(--bad); }
meter { width: 100%; height: .55rem; }
.note, .why { color: var(--bad); }
.why { white-space: pre-wrap; overflow-wrap: anywhere; }
details { border: 1px solid var(--line); border-radius: .4rem; margin: .5rem 0; padding: .4rem .75rem; }
details.bad > summary { color: var(--bad); }
summary { cursor: pointer; overflow-wrap: anywhere; padding: .3rem 0; }
article { border-left: .25rem solid var(--bad); padding: .25rem .75rem; margin: .75rem 0; }
small, cite, em { color: var(--mute); font-weight: normal; }
.checks { list-style: none; padding: 0; } .checks li { overflow-wrap: anywhere; margin: .25rem 0; } .checks li::before { content: '✓ '; color: var(--good); } .checks li.skipped::before { content: '– '; color: var(--mute); }
pre { white-space: pre-wrap; overflow-wrap: anywhere; background: #8881; padding: .5rem; border-radius: .3rem; margin: .4rem 0; font-size: .85rem; }
.wide { overflow-x: auto; } table { border-collapse: collapse; width: 100%; font-size: .85rem; }
th, td { text-align: left; vertical-align: top; padding: .45rem .6rem; border-bottom: 1px solid var(--line); } td { min-width: 10rem; overflow-wrap: anywhere; }
thead th { color: var(--mute); } tbody th { overflow-wrap: anywhere; min-width: 12rem; } tbody th small { display: block; font-family: ui-monospace, monospace; }
i { font-style: normal; display: inline-block; margin: 0 .25rem .25rem 0; padding: 0 .4rem; border-radius: .3rem; white-space: nowrap; border: 1px solid var(--line); }
i.met { color: var(--good); } i.not { color: var(--mute); border-style: dashed; }
`;

export const reportPage = ({ heading, subject = '', figures, remarks, sections }: Report): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapedMarkup(`${heading} ${subject}`.trim())}</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>${escapedMarkup(heading)}${subject === '' ? '' : ` <span class="target">${escapedMarkup(subject)}</span>`}</h1>
<dl class="figures">${figures.map(figureBox).join('')}</dl>
${remarks.map((remark) => `<p class="note">${escapedMarkup(remark)}</p>`).join('')}
${sections.map(sectionPart).join('\n')}
</main>
</body>
</html>
`;

const figureBox = ({ name, value, detail, share }: Figure): string => {
  const small = detail === undefined ? '' : `<small>${escapedMarkup(detail)}</small>`;
  const meter = share === undefined ? '' : `<meter min="0" max="100" value="${share}">${share} %</meter>`;
  return `<div class="${escapedMarkup(name)}"><dt>${escapedMarkup(name)}</dt><dd>${value}${small}${meter}</dd></div>`;
};

const sectionPart = ({ name, cases = [], table }: ReportSection): string => {
  if (table !== undefined) return `<h2>${escapedMarkup(name)}</h2>\n${tablePart(table)}`;
  const bad = cases.filter(isBad);
  const rest = cases.filter((one) => !isBad(one));
  const words = bad.length === 0 ? String(cases.length) : `${bad.length} of ${cases.length} failed`;
  const list = rest.length === 0 ? '' : `<ul class="checks">${rest.map(quietCase).join('')}</ul>`;
  return `<details${bad.length > 0 ? ' open class="bad"' : ''}><summary><strong>${escapedMarkup(name)}</strong> ${words}</summary>
${bad.map(badCase).join('')}${list}</details>`;
};

const isBad = ({ flaws = [], error }: ReportCase): boolean => error !== undefined || flaws.length > 0;

const quietCase = ({ name, rule = '', source, skipped, evidence = [] }: ReportCase): string => {
  const notes = [source, skipped]
    .map((note) => (note === undefined ? '' : ` <em>${escapedMarkup(note)}</em>`))
    .join('');
  const start = `<li${skipped === undefined ? '' : ' class="skipped"'}><code>${escapedMarkup(name)}</code>`;
  return `${start} ${escapedMarkup(rule)}${notes}${evidence.map((one) => evidencePart(one)).join('')}</li>`;
};

const badCase = ({ name, rule, source, flaws = [], error, evidence = [] }: ReportCase): string => {
  const kinds = error === undefined ? [...new Set(flaws.map(({ kind }) => kind))] : ['internal error'];
  const cite = source === undefined ? '' : ` <cite>${escapedMarkup(source)}</cite>`;
  const words = error === undefined ? flaws.map((flaw) => flaw.words) : [error];
  return `<article><h3>${escapedMarkup(name)} <small>${escapedMarkup(kinds.join(', '))}</small></h3>
${rule === undefined && cite === '' ? '' : `<p>${escapedMarkup(rule ?? '')}${cite}</p>`}
${words.map((why) => `<p class="why">${escapedMarkup(why)}</p>`).join('')}
${evidence.map((one, at) => evidencePart(one, at === evidence.length - 1)).join('')}</article>
`;
};

const evidencePart = ({ title, texts }: Evidence, isOpen = false): string =>
  `<details${isOpen ? ' open' : ''}><summary>${escapedMarkup(title)}</summary>
${texts.map((text) => `<pre>${escapedMarkup(text)}</pre>`).join('')}</details>`;

const tablePart = ({ caption, head, rows }: ReportTable): string => `<p>${escapedMarkup(caption)}</p>
<div class="wide"><table>
<thead><tr>${head.map((name) => `<th scope="col">${escapedMarkup(name)}</th>`).join('')}</tr></thead>
<tbody>
${rows.map(rowPart).join('\n')}
</tbody>
</table></div>`;

const rowPart = ({ name, detail, cells }: TableRow): string => {
  const small = detail === undefined ? '' : `<small>${escapedMarkup(detail)}</small>`;
  const parts = cells.map(
    (cell) => `<td>${typeof cell === 'string' ? escapedMarkup(cell) : cell.map(mark).join('')}</td>`,
  );
  return `<tr><th scope="row">${escapedMarkup(name)}${small}</th>${parts.join('')}</tr>`;
};

const mark = ({ text, isMet, hint }: Mark): string =>
  `<i class="${isMet ? 'met' : 'not'}" title="${escapedMarkup(hint)}">${escapedMarkup(text)}</i>`;
