/** Writes a run as one HTML page that needs nothing else: no script, no font, no picture. */
import { counted } from '../../../basics/counted.ts';
import { escapedMarkup } from '../../../basics/markup.ts';
import { figureList, noteLines, reportPage } from '../../../exchange/report/report-page.ts';
import type { CheckResult, ShownExchange } from '../check-result.ts';
import type { Verified } from '../verify.ts';
import { brokenWords, groupBroken } from './grouped-broken.ts';
import { byOperation } from './text-report.ts';

export const htmlReport = (verified: Verified): string => {
  const { target, results } = verified;
  const operations = [...byOperation(results)].map(([operation, of]) => operationSection(operation, of));
  return reportPage({
    ...{ title: `atoll verify: ${target}`, heading: 'The contract against', subject: target },
    body: `${summary(verified)}\n${brokenSection(results)}\n<h2>Checks</h2>\n${operations.join('')}`,
  });
};

const summary = ({ counts, at, durationMs, requests, isInterrupted, gone, removal }: Verified): string => {
  const figures = (['passed', 'failed', 'skipped', 'error'] as const).map(
    (verdict) => [verdict, counts[verdict]] as const,
  );
  const notes = [
    ...(isInterrupted ? ['The run was ended early.'] : []),
    ...(gone === undefined ? [] : [`The target stopped to answer: ${gone.message}`]),
    ...(removal?.left ?? []).map(({ path, reason }) => `Left on the target: ${path}: ${reason}.`),
  ];
  const when = new Date(at).toISOString();
  return `${figureList(figures)}
<p>${counted(counts.total, 'check')}, ${counted(requests, 'request')}, ${(durationMs / 1000).toFixed(1)} s, <time datetime="${when}">${when}</time></p>
${noteLines(notes)}`;
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
