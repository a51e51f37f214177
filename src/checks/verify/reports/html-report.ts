/** Writes a run as one HTML page that needs nothing else: no script, no font, no picture. */
import { counted } from '../../../basics/counted.ts';
import { escapedMarkup } from '../../../basics/markup.ts';
import type { CheckResult, ShownExchange } from '../check-result.ts';
import type { Verified } from '../verify.ts';
import { brokenWords, groupBroken } from './grouped-broken.ts';
import { byOperation } from './text-report.ts';

/** The style of the HTML report, for narrow and wide windows, light and dark. */
export const htmlStyle = `
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

export const htmlReport = (verified: Verified): string => {
  const { target, results } = verified;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>atoll verify: ${escapedMarkup(target)}</title>
<style>${htmlStyle}</style>
</head>
<body>
<main>
<h1>The contract against <span class="target">${escapedMarkup(target)}</span></h1>
${summary(verified)}
${brokenSection(results)}
<h2>Checks</h2>
${[...byOperation(results)].map(([operation, of]) => operationSection(operation, of)).join('')}</main>
</body>
</html>
`;
};

const summary = ({ counts, at, durationMs, requests, isInterrupted, gone, removal }: Verified): string => {
  const figures = (['passed', 'failed', 'skipped', 'error'] as const)
    .map((verdict) => `<div class="${verdict}"><dt>${verdict}</dt><dd>${counts[verdict]}</dd></div>`)
    .join('');
  const notes = [
    ...(isInterrupted ? ['The run was ended early.'] : []),
    ...(gone === undefined ? [] : [`The target stopped to answer: ${gone.message}`]),
    ...(removal?.left ?? []).map(({ path, reason }) => `Left on the target: ${path}: ${reason}.`),
  ];
  const when = new Date(at).toISOString();
  return `<dl class="figures">${figures}</dl>
<p>${counted(counts.total, 'check')}, ${counted(requests, 'request')}, ${(durationMs / 1000).toFixed(1)} s, <time datetime="${when}">${when}</time></p>
${notes.map((note) => `<p class="note">${escapedMarkup(note)}</p>`).join('')}`;
};

const brokenSection = (results: readonly CheckResult[]): string => {
  const groups = groupBroken(results);
  if (groups.length === 0) return '';
  const items = groups.map(
    ({ broken, checks }) =>
      `<li><strong>${escapedMarkup(`${broken.operation} ${broken.status}`)}</strong> ${escapedMarkup(brokenWords(broken))}` +
      `<br><small>found by ${counted(checks.length, 'check')}: <code>${escapedMarkup(broken.request)}</code></small></li>`,
  );
  return `<h2>Answers that break the document</h2><ul class="broken">${items.join('')}</ul>`;
};

const operationSection = (operation: string, results: readonly CheckResult[]): string => {
  const failed = results.filter(({ verdict }) => verdict === 'failed' || verdict === 'error');
  const rest = results.filter((result) => !failed.includes(result));
  const words = failed.length === 0 ? `${results.length} checks` : `${failed.length} of ${results.length} failed`;
  const list = rest.length === 0 ? '' : `<ul class="checks">${rest.map(quietCheck).join('')}</ul>`;
  return `<details${failed.length > 0 ? ' open class="bad"' : ''}><summary><strong>${escapedMarkup(operation)}</strong> ${words}</summary>
${failed.map(failedCheck).join('')}${list}</details>
`;
};

const quietCheck = ({ check, verdict, message }: CheckResult): string =>
  `<li class="${verdict}"><code>${escapedMarkup(check.name)}</code> ${escapedMarkup(check.rule)}${
    message === undefined ? '' : ` <em>${escapedMarkup(message)}</em>`
  }</li>`;

const failedCheck = ({ check, verdict, severity, message = '', broken, exchanges }: CheckResult): string =>
  `<article class="${verdict}"><h3>${escapedMarkup(check.name)} <small>${verdict === 'error' ? 'internal error' : severity}</small></h3>
<p>${escapedMarkup(check.rule)} <cite>${escapedMarkup(check.source)}</cite></p>
<p class="why">${escapedMarkup(message)}</p>
${broken.length === 0 ? '' : `<ul>${broken.map((one) => `<li>${escapedMarkup(`${one.operation} ${one.status}: ${brokenWords(one)}`)}</li>`).join('')}</ul>`}
${exchanges.map(exchangeBlock).join('')}</article>
`;

const exchangeBlock = (exchange: ShownExchange, at: number, all: readonly ShownExchange[]): string => {
  const { method, path, account, status, requestHeaders, requestBody, replyHeaders, replyBody, curl } = exchange;
  const request = [`${method} ${path}`, ...requestHeaders, ...(requestBody === undefined ? [] : ['', requestBody])];
  const reply = [String(status), ...replyHeaders, ...(replyBody === undefined ? [] : ['', replyBody])];
  const title = `${method} ${path}${account === undefined ? '' : ` as ${account}`} → ${status}`;
  return `<details${at === all.length - 1 ? ' open' : ''} class="exchange"><summary>${escapedMarkup(title)}</summary>
<pre>${escapedMarkup(request.join('\n'))}</pre><pre>${escapedMarkup(reply.join('\n'))}</pre><pre class="curl">${escapedMarkup(curl)}</pre></details>`;
};
