/** The frame of every page: its head, its style, who reads it, and the policy that lets no script of a record run. */
import { digest } from '../../basics/secrets/digest.ts';
import type { Principal } from '../model/principal.ts';
import type { World } from '../world.ts';
import { markup, Markup } from '../markup/page-markup.ts';
import type { ProblemHeaders } from '../../openapi/openapi-terms.ts';

/** Light and dark. The policy names it by its hash. */
const style = `
:root { color-scheme: light dark; --ink: #17252c; --faint: #53636b; --line: #d5dee2; --ground: #ffffff; --pale: #f1f6f7; --link: #075e69; --mark: #7a3e00; --mark-ground: #fdf0e0; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6edf0; --faint: #a6b6be; --line: #35454d; --ground: #10191d; --pale: #18242a; --link: #6fd3df; --mark: #ffc98a; --mark-ground: #3a2a14; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 64rem; padding: 0 1rem 3rem; font: 1rem/1.5 system-ui, sans-serif; color: var(--ink); background: var(--ground); overflow-wrap: anywhere; }
a { color: var(--link); text-decoration: underline; text-underline-offset: .15em; }
a:focus-visible, audio:focus-visible, video:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; border-radius: 2px; }
.skip { position: absolute; left: -999rem; }
.skip:focus { left: 1rem; top: .5rem; background: var(--ground); padding: .5rem; }
header { display: flex; flex-wrap: wrap; gap: .25rem 1.5rem; justify-content: space-between; padding: .75rem 0; border-bottom: 1px solid var(--line); color: var(--faint); }
header p { margin: 0; }
header strong { color: var(--ink); }
h1 { font-size: 1.75rem; line-height: 1.25; margin: 1.5rem 0 1rem; }
.kind + h1 { margin-top: .25rem; }
h2 { font-size: 1.2rem; margin: 2rem 0 .5rem; }
h3 { font-size: 1rem; margin: 1.25rem 0 .25rem; }
.kind { margin: 1.5rem 0 0; color: var(--faint); }
.note { color: var(--faint); }
.badge { display: inline-block; padding: 0 .45rem; border-radius: .3rem; background: var(--mark-ground); color: var(--mark); font-size: .875rem; }
.lines { white-space: pre-line; }
.text p { margin: 0 0 .6rem; }
dl { margin: 0; border-top: 1px solid var(--line); }
dl > div { display: grid; grid-template-columns: minmax(9rem, 14rem) minmax(0, 1fr); gap: 0 1rem; padding: .5rem 0; border-bottom: 1px solid var(--line); }
dt { color: var(--faint); grid-column: 1; grid-row: 1 / span 999; }
dd { margin: 0; grid-column: 2; }
.media { display: grid; grid-template-columns: repeat(auto-fill, minmax(15rem, 1fr)); gap: 1rem; list-style: none; margin: 0; padding: 0; }
.media li, .file { border: 1px solid var(--line); border-radius: .5rem; padding: .75rem; background: var(--pale); }
.media p, .file p { margin: .25rem 0 0; }
img, video { display: block; max-width: 100%; height: auto; border-radius: .25rem; background: var(--ground); }
.lead { max-height: 28rem; margin: 1rem 0; }
.media img, .media video { width: 100%; height: 11rem; object-fit: contain; }
.file img, .file video { max-height: 32rem; }
audio { display: block; width: 100%; }
.members { padding-left: 2.5rem; }
.pager { display: flex; flex-wrap: wrap; gap: .5rem 1.25rem; }
.links { padding-left: 1.25rem; }
code { font: .875rem/1.5 ui-monospace, monospace; }
@media (max-width: 34rem) { dl > div { display: block; } dt { font-size: .875rem; } .media { grid-template-columns: 1fr; } }
`;

/** CSP Level 3: the page's own style, and pictures, sounds and films of this host. */
const policy = [
  `default-src 'none'`,
  `style-src 'sha256-${digest('sha256', style, 'base64')}'`,
  ...[`img-src 'self'`, `media-src 'self'`, `base-uri 'none'`, `form-action 'none'`, `frame-ancestors 'self'`],
].join('; ');

/** The headers of a page. Another `Accept` gets another answer, and so does another origin (RFC 9110 §12.5.5). */
export const pageHeaders = ({ origin }: Readonly<Record<string, string | undefined>>): ProblemHeaders => ({
  'Content-Security-Policy': policy,
  'Referrer-Policy': 'same-origin',
  Vary: origin === undefined ? 'Accept' : 'Accept, Origin',
});

type PageParts = {
  readonly title: string;
  readonly main: Markup;
  /** Who reads. Undefined when nobody was authenticated. */
  readonly viewer: Principal | undefined;
};

/** The console of the page's world. */
export const consolePath = ({ basePath }: Pick<World, 'basePath'>): string => `${basePath}/_atoll/`;

export const pageText = ({ title, main, viewer }: PageParts, world: World): string =>
  markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8" />
<meta name="viewport" content="width=device-width, initial-scale=1" />
<title>${title} | ${world.site.name}</title>
<style>${new Markup(style)}</style>
</head>
<body>
<a class="skip" href="#main">Skip to content</a>
<header>
<p><strong>${world.site.name}</strong>${world.name === 'main' ? undefined : `, world ${world.name}`}</p>
<p>${reader(viewer)} · <a href="${consolePath(world)}">Console</a></p>
</header>
<main id="main">
${main}</main>
</body>
</html>
`.text;

const reader = (viewer: Principal | undefined): Markup =>
  viewer === undefined || viewer.uid === 0 ? markup`Not logged in` : markup`You are <strong>${viewer.name}</strong>`;
