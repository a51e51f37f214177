/** Makes the page at `/_atoll/`: entry points, the documents, and a login form that sets the session cookie. */
import type { World } from '../world.ts';
import { pageOfEntities } from './entity-handlers.ts';
import { entryPoints } from './entry-points.ts';
import { escapedMarkup } from '../representations/markup.ts';
import { pageHeader } from '../traffic/own-request.ts';

const link = (url: string, text: string): string => `<a href="${escapedMarkup(url)}">${escapedMarkup(text)}</a>`;

/** The Content-Security-Policy of the page. It allows the page's one script by the hash of its text. */
export const startPagePolicy = (hash: string): string =>
  `default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-${hash}'; connect-src 'self'; form-action 'self'`;

/** Shows the login status, and sends the form to `/user/login` as JSON. */
export const startPageScript = `
const base = location.pathname.replace(/\\/_atoll\\/?$/, '');
const status = document.getElementById('status');
const own = { '${pageHeader}': 'start' };
const show = async () => {
  const answer = await fetch(base + '/user/login_status?_format=json', { headers: own, credentials: 'same-origin' });
  status.textContent = (await answer.text()) === '1' ? 'You are logged in.' : 'You are not logged in.';
};
document.getElementById('login').addEventListener('submit', async (event) => {
  event.preventDefault();
  const form = new FormData(event.target);
  const answer = await fetch(base + '/user/login?_format=json', {
    method: 'POST',
    headers: { ...own, 'Content-Type': 'application/json' },
    body: JSON.stringify({ name: form.get('name'), pass: form.get('pass') }),
    credentials: 'same-origin',
  });
  const body = await answer.json();
  if (answer.ok) await show();
  else status.textContent = body.message;
});
show();
`;

export const startPage = async (world: World, version: string): Promise<string> => {
  const entries = await entryPoints(world);
  const { entities: nodes, total } = await pageOfEntities(world, 'node', 0);
  const accounts = world.site.accounts.filter(({ demoPassword }) => demoPassword !== undefined);
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Atoll: ${escapedMarkup(world.site.name)}</title>
<style>
  body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; color: #1b2a33; }
  h1 { color: #0b6e75; margin-bottom: 0; } h2 { margin-top: 2rem; }
  table { border-collapse: collapse; width: 100%; } td, th { text-align: left; padding: .3rem .6rem; border-bottom: 1px solid #dde5e8; vertical-align: top; }
  form { display: flex; gap: .5rem; flex-wrap: wrap; align-items: center; } input { font: inherit; padding: .25rem .4rem; } button { font: inherit; padding: .25rem .8rem; }
  .off { color: #8a5a00; } code { background: #eef3f4; padding: .1rem .3rem; }
</style>
<h1>Atoll ${escapedMarkup(version)}</h1>
<p>The REST interface of an Islandora repository, at <code>${escapedMarkup(world.baseUrl)}</code>. Durability: ${world.durability}.</p>
<h2>Start here</h2>
<ul>
${entries.map(({ title, url }) => `  <li>${link(url, title)}</li>`).join('\n')}
  <li>${link(`${world.baseUrl}/_atoll/docs`, 'The interface, to read and to try')}</li>
  <li>${link(`${world.baseUrl}/openapi.yaml`, 'The document')} (${link(`${world.baseUrl}/openapi.json`, 'as JSON')}, ${link(`${world.baseUrl}/openapi-3.0.json`, 'as OpenAPI 3.0')})</li>
  <li>${link(`${world.baseUrl}/_atoll/entities?type=node`, 'Everything that is stored')}, as JSON</li>
</ul>
<h2>Log in</h2>
<p id="status" role="status"></p>
<form id="login">
  <label>Name <input name="name" autocomplete="username" required></label>
  <label>Password <input name="pass" type="password" autocomplete="current-password" required></label>
  <button>Log in</button>
</form>
${accounts.length === 0 ? '' : `<p>Demo accounts: ${accounts.map(({ name, demoPassword }) => `<code>${escapedMarkup(name)}</code> / <code>${escapedMarkup(demoPassword ?? '')}</code>`).join(', ')}</p>`}
<h2>Nodes (${nodes.length} of ${total})</h2>
<table>
<tr><th>Id</th><th>Title</th><th>Model</th></tr>
${nodes.map(({ id, title, model = '', published, url }) => `<tr><td>${id}</td><td>${link(url, title)}${published ? '' : ' <span class="off">unpublished</span>'}</td><td>${escapedMarkup(model)}</td></tr>`).join('\n')}
</table>
</html>
`;
};
