/** Writes the demo's own pages: the first page, and the one that installs the repository for people who open another address first. */
import { digest } from '../../basics/secrets/digest.ts';
import { escapeEntities } from '../../basics/markup.ts';

/** In a `meta` element, since a static host sends no header of ours (CSP Level 3). */
const policyWith = (scripts: string): string =>
  [
    "default-src 'none'",
    `script-src ${scripts}`,
    "style-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "worker-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');

type Head = { readonly title: string; readonly scripts?: string; readonly style: string };

const head = ({ title, scripts = "'self'", style }: Head): string => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policyWith(scripts)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="icon" href="data:,">
${style}`;

const noScript = `<noscript><p>This needs JavaScript: the repository itself is a program in your browser.</p></noscript>`;

/** `site` is the name of the prepared site. */
export const firstPage = ({ site, version }: { readonly site: string; readonly version: string }): string => `${head({
  title: 'A repository in your browser',
  style: '<link rel="stylesheet" href="demo.css">',
})}
<script type="module" src="first-page.js"></script>
<main>
<h1>A repository in your browser</h1>
<p class="lead">This is a whole Islandora repository with its REST interface. No server is behind it: it runs in this browser. Look around, write,
upload and delete as you like.</p>
<p>What you make stays in this browser, on this device. Nobody else sees it, and this page sends it nowhere.</p>
<p class="state" id="state" role="status">The repository is being made ready …</p>
${noScript}
<ul class="actions">
<li><a class="button first" href="repo/_atoll/">Open the console</a></li>
<li><a class="button" href="repo/_atoll/docs">Read and try the interface</a></li>
</ul>
${whatIsThere}${whatYouMade}${forPrograms}</main>
<dialog id="sure" aria-labelledby="sure-title">
<h2 id="sure-title">Start again?</h2>
<p>Everything that you made here is removed. Export it first if you want to keep it.</p>
<form method="dialog" class="actions"><button value="yes">Start again</button><button value="no">Keep it</button></form>
</dialog>
<footer>Made by <code>atoll demo</code>, atoll-server ${escapeEntities(version)}. Site: ${escapeEntities(site)}.</footer>
</html>
`;

/** The script fills it in. */
const whatIsThere = `<section id="entries" hidden>
<h2>What to look at first</h2>
<ul id="entry-list"></ul>
</section>
<section id="accounts" hidden>
<h2>Accounts</h2>
<p>You begin as a visitor. Choose one of these accounts at the top of the console, or send its name and password with your requests.</p>
<div class="table" role="region" aria-label="Accounts" tabindex="0"><table>
<thead><tr><th scope="col">Name</th><th scope="col">Password</th><th scope="col">Roles</th></tr></thead>
<tbody id="account-rows"></tbody>
</table></div>
</section>
`;

const whatYouMade = `<section>
<h2>What you made</h2>
<ul class="rows">
<li><p>Save the whole repository as one file, with all its content. Unpacked, it is a fixture: with <code>atoll serve --fixture</code>
you go on with a server.</p><button type="button" id="export" disabled>Export</button></li>
<li><p><label for="archive">Go on with a file that was exported here. It replaces everything in the repository.</label></p>
<div class="actions"><input type="file" id="archive" accept=".tar,application/x-tar" disabled><button type="button" id="import" disabled>Import</button></div></li>
<li><p>Go back to how it was at the beginning.</p><button type="button" id="again" disabled>Start again</button></li>
</ul>
</section>
`;

const forPrograms = `<section>
<h2>For programs</h2>
<p>The repository is at <code id="address">repo/</code>. It answers pages of this site only, because it lives in your browser: open the
developer tools here and try <code>await (await fetch('repo/node/1?_format=json')).json()</code>. Programs outside of the browser need
<code>atoll serve</code>, which serves the same repository on your machine.</p>
<p>The browser ends the repository when nobody asks it for a while, and starts it with the next request. The repository is kept. Sessions,
further worlds, faults and the remembered requests are gone then.</p>
</section>
`;

/** Shown while the worker is installed. */
const installing = `<main>
<h1>A repository in your browser</h1>
<p class="state" id="state" role="status">The repository is being made ready. This page opens by itself …</p>
${noScript}
<p hidden id="again"><a href="">Open this page again</a></p>
</main>
</html>
`;

/** `up` leads from the page to the folder of the demo. */
export const installingPage = (up: string): string => `${head({
  title: 'The repository is being made ready',
  style: `<link rel="stylesheet" href="${up}demo.css">`,
})}
<script type="module" src="${up}install.js"></script>
${installing}`;

/** A host shows it at any address below its own, so only the address says where the demo is. */
const findInstaller = `
const find = async () => {
  const path = location.pathname;
  for (let end = path.indexOf('/repo'); end >= 0; end = path.indexOf('/repo', end + 1)) {
    try {
      return await import(path.slice(0, end) + '/install.js');
    } catch {}
  }
  document.title = 'There is nothing here';
  document.getElementById('state').textContent = 'There is nothing at this address.';
};
document.addEventListener('DOMContentLoaded', find);
`;

const inlineStyle = 'body{max-width:46rem;margin:3rem auto;padding:0 1.25rem;font:1rem/1.5 system-ui,sans-serif}';

const hashOf = (text: string): string => `'sha256-${digest('sha256', text, 'base64')}'`;

/** The page of hosts such as GitHub Pages for an address without a file. The policy names its script and its style by their hashes. */
export const notFoundPage = (): string => `${head({
  title: 'The repository is being made ready',
  scripts: `'self' ${hashOf(findInstaller)}`,
  style: `<style>${inlineStyle}</style>`,
}).replace("style-src 'self'", `style-src 'self' ${hashOf(inlineStyle)}`)}
<script>${findInstaller}</script>
${installing}`;
