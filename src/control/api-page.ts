/** Makes the page at `/_atoll/docs`: Swagger UI for both documents, with the demo accounts to choose from. */
import type { PlainReply } from '../engine/exchange.ts';
import { textReply } from '../engine/text-reply.ts';
import type { World } from '../world.ts';
import { apiPageScript } from './api-page-script.ts';
import { escapedMarkup } from '../representations/markup.ts';

/** Reads a file of Swagger UI by its name. */
export type ReadSwaggerFile = (name: SwaggerFile) => Promise<string>;

type SwaggerFile = keyof typeof fileTypes;
const fileTypes = {
  'swagger-ui-bundle.js': 'text/javascript; charset=UTF-8',
  'swagger-ui.css': 'text/css; charset=UTF-8',
} as const;

const home = '/_atoll/docs';

/** Answers the page, its script and the files of Swagger UI. Undefined for any other path. */
export const apiPageReply = async (
  path: string,
  world: World,
  readFile: ReadSwaggerFile | undefined,
): Promise<PlainReply | undefined> => {
  if (readFile === undefined || (path !== home && !path.startsWith(`${home}/`))) return undefined;
  const name = path.slice(home.length + 1);
  if (name === '' || name === 'control') return pageReply(apiPage(world, name === '', path === home ? './' : '../'));
  if (name === 'page.js') return textReply('text/javascript; charset=UTF-8', apiPageScript);
  if (!isSwaggerFile(name)) return undefined;
  return textReply(fileTypes[name], await readFile(name));
};

const isSwaggerFile = (name: string): name is SwaggerFile => Object.hasOwn(fileTypes, name);

/** Swagger UI sets inline styles, and its style sheet embeds images (CSP Level 3). */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "media-src 'self' blob:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'self'",
].join('; ');

const pageReply = (page: string): PlainReply =>
  textReply('text/html; charset=UTF-8', page, { 'Content-Security-Policy': policy });

const style = `
  body { margin: 0; font: 16px/1.5 system-ui, sans-serif; color: #1b2a33; background: #fff; }
  header { position: sticky; top: 0; z-index: 2; background: #eef3f4; border-bottom: 1px solid #cfdadd; padding: .6rem 1.25rem; }
  header form, header nav { display: flex; gap: .4rem 1rem; flex-wrap: wrap; align-items: center; }
  header a { color: #0b6e75; } header strong { color: #0b6e75; } select { font: inherit; }
  #status { color: #5d6d76; margin-left: auto; }
`;

/** All addresses are relative, so that they hold under any host and prefix. `up` leads to `/_atoll/`. */
const apiPage = (world: World, isContract: boolean, up: './' | '../'): string => {
  const source = isContract ? '/openapi.json' : '/_atoll/openapi.json';
  const title = isContract ? `${world.site.name}: the interface` : 'Atoll: the control interface';
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapedMarkup(title)}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${up}docs/swagger-ui.css">
<style>${style}</style>
<header>
<nav>
  <strong>Atoll</strong>
  <a href="${up}">Start page</a>
  <a href="${up}docs">The interface</a>
  <a href="${up}docs/control">The control interface</a>
  ${isContract ? accountForm(world) : ''}
  <output id="status"></output>
</nav>
</header>
<main id="api" data-document="${source}"></main>
<script src="${up}docs/swagger-ui-bundle.js"></script>
<script src="${up}docs/page.js"></script>
</html>
`;
};

const accountForm = ({ site }: World): string => {
  const accounts = site.accounts.flatMap(({ name, demoPassword }) =>
    demoPassword === undefined ? [] : [[name, demoPassword] as const],
  );
  if (accounts.length === 0) return '';
  const options = accounts.map(
    ([name, password]) =>
      `<option value="${escapedMarkup(JSON.stringify([name, password]))}">${escapedMarkup(name)}</option>`,
  );
  return `<form id="who">
    <label>Ask as <select name="account"><option value="[null]">nobody</option>${options.join('')}</select></label>
    <label>with a <select name="scheme"><option>password</option><option>token</option><option>session</option></select></label>
  </form>`;
};
