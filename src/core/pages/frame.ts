/** The frame of every page: its head, who reads it, and the policy that lets no script of a record run. */
import { digest } from '../../basics/digest.ts';
import type { Principal } from '../model/principal.ts';
import type { ProblemHeaders } from '../problem.ts';
import type { World } from '../world.ts';
import { markup, Markup } from './page-markup.ts';
import { style } from './style.ts';

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
