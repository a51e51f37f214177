/** Frames an HTML report: one page that needs nothing else, no script, no font, no picture. */
import { escapedMarkup } from '../../basics/markup.ts';

/** For narrow and wide windows, light and dark. */
const style = `
:root { color-scheme: light dark; --line: #8884; --bad: light-dark(#b3261e, #ff8a80); --good: light-dark(#1b6e3c, #7fd6a0); --mute: light-dark(#595959, #a8a8a8); }
* { box-sizing: border-box; }
body { margin: 0; font: 16px/1.5 system-ui, sans-serif; }
main { max-width: 72rem; margin: 0 auto; padding: 1rem; }
h1 { font-size: 1.4rem; line-height: 1.3; } h2 { font-size: 1.15rem; margin-top: 2rem; } h3 { font-size: 1rem; margin: 0 0 .25rem; overflow-wrap: anywhere; }
.target, code { overflow-wrap: anywhere; }
.figures { display: grid; grid-template-columns: repeat(auto-fit, minmax(7rem, 1fr)); gap: .5rem; margin: 0; }
.figures div { border: 1px solid var(--line); border-radius: .4rem; padding: .5rem .75rem; }
.figures dt { color: var(--mute); } .figures dd { margin: 0; font-size: 1.6rem; font-variant-numeric: tabular-nums; }
.figures .passed dd { color: var(--good); } .figures .failed dd, .figures .error dd { color: var(--bad); }
.note, .why, .broken strong { color: var(--bad); }
.why { white-space: pre-wrap; overflow-wrap: anywhere; }
details { border: 1px solid var(--line); border-radius: .4rem; margin: .5rem 0; padding: .4rem .75rem; }
details.bad > summary { color: var(--bad); }
summary { cursor: pointer; overflow-wrap: anywhere; padding: .3rem 0; }
article { border-left: .25rem solid var(--bad); padding: .25rem .75rem; margin: .75rem 0; }
small, cite, em { color: var(--mute); font-weight: normal; }
ul { padding-left: 1.2rem; } li { overflow-wrap: anywhere; margin: .25rem 0; }
.checks { list-style: none; padding: 0; } .checks li::before { content: '✓ '; color: var(--good); } .checks li.skipped::before { content: '– '; color: var(--mute); }
pre { white-space: pre-wrap; overflow-wrap: anywhere; background: #8881; padding: .5rem; border-radius: .3rem; margin: .4rem 0; font-size: .85rem; }
`;

type ReportPage = {
  readonly title: string;
  /** The words of the first heading before the subject. */
  readonly heading: string;
  /** An address or a directory. */
  readonly subject: string;
  /** Markup. */
  readonly body: string;
};

export const reportPage = ({ title, heading, subject, body }: ReportPage): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapedMarkup(title)}</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>${escapedMarkup(heading)} <span class="target">${escapedMarkup(subject)}</span></h1>
${body}</main>
</body>
</html>
`;

/** A figure that is named `failed`, `error` or `new` is a bad one. */
export const figureList = (figures: readonly (readonly [name: string, figure: number])[]): string =>
  `<dl class="figures">${figures
    .map(
      ([name, figure]) => `<div class="${name === 'new' ? 'failed' : name}"><dt>${name}</dt><dd>${figure}</dd></div>`,
    )
    .join('')}</dl>`;

export const noteLines = (notes: readonly string[]): string =>
  notes.map((note) => `<p class="note">${escapedMarkup(note)}</p>`).join('');
