/** Makes the page at `/_atoll/docs`: Swagger UI for both documents. Its script asks for the demo accounts to choose from. */
import { type PlainReply, textReply } from '../../openapi/openapi-host.ts';
import { apiPageScript } from './api-page-script.ts';
import { apiPageStyle } from './api-page-style.ts';

/**
 * Swagger UI sets none of these attributes itself, so that it does not undo the changes when it draws again. Everything it
 * draws later is mended too.
 */
const apiPageMending = String.raw`
const nameOfField = (field) => {
  const parameter = field.closest('[data-param-name]')?.dataset.paramName;
  if (parameter !== undefined) return parameter;
  if (field.id === 'servers') return 'Server';
  if (field.classList.contains('examples-select-element')) return 'Example';
  return field.matches('.body-param textarea, textarea.body-param__text') ? 'Body' : (field.placeholder || 'Value');
};

const mend = (root) => {
  for (const field of root.querySelectorAll('select, textarea, input')) {
    const isNamed = field.labels?.length > 0 && field.id !== 'servers';
    if (!isNamed && !field.hasAttribute('aria-label')) field.setAttribute('aria-label', nameOfField(field));
  }
  // The headings begin with level 3 below one of level 1 or 2.
  for (const heading of root.querySelectorAll('h3, h4, h5, h6')) {
    heading.setAttribute('aria-level', String(Number(heading.localName[1]) - 1));
  }
  // The button around the link does what the link would do.
  for (const link of root.querySelectorAll('button a[href]')) link.removeAttribute('href');
  for (const table of root.querySelectorAll('table[role=region]')) table.removeAttribute('role');
  for (const text of root.querySelectorAll('pre.microlight, .highlight-code pre')) text.tabIndex = 0;
  for (const [selector, role, label] of landmarks) {
    const part = root.querySelector(selector);
    part?.setAttribute('role', role);
    part?.setAttribute('aria-label', label);
  }
};

/** The parts of the page outside of the operations. The words are for screen readers. */
const landmarks = [
  ['.information-container', 'region', 'About the interface'],
  ['.scheme-container, .schemes-server-container', 'region', 'Server and credentials'],
  ['.filter-container', 'search', 'Filter of the operations'],
];

const drawn = document.getElementById('api');
new MutationObserver(() => mend(drawn)).observe(drawn, { childList: true, subtree: true });
`;

/** Reads a file of Swagger UI by its name. */
export type ReadSwaggerFile = (name: SwaggerFile) => Promise<string>;

type SwaggerFile = keyof typeof fileTypes;
const fileTypes = {
  'swagger-ui-bundle.js': 'text/javascript; charset=UTF-8',
  'swagger-ui.css': 'text/css; charset=UTF-8',
} as const;

const home = '/_atoll/docs';

/** Whether a path is that of the page or of a file of it. */
export const isApiPagePath = (path: string): boolean => path === home || path.startsWith(`${home}/`);

/** Answers the page, its script and the files of Swagger UI. Undefined for any other path. */
export const apiPageReply = async (
  path: string,
  readFile: ReadSwaggerFile | undefined,
): Promise<PlainReply | undefined> => {
  if (readFile === undefined || !isApiPagePath(path)) return undefined;
  const name = path.slice(home.length + 1);
  if (name === '' || name === 'control') return pageReply(apiPage(name === '', path === home ? './' : '../'));
  if (name === 'page.js') return textReply('text/javascript; charset=UTF-8', apiPageMending + apiPageScript);
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

/** All addresses are relative, so that they hold under any host and prefix. `up` leads to `/_atoll/`. */
const apiPage = (isContract: boolean, up: './' | '../'): string => {
  const source = isContract ? '/openapi.json' : '/_atoll/openapi.json';
  const title = isContract ? 'Atoll: the interface' : 'Atoll: the control interface';
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${up}docs/swagger-ui.css">
<style>${apiPageStyle}</style>
<header>
<nav>
  <strong>Atoll</strong>
  <a href="${up}" target="_top">Console</a>
  <a href="${up}docs">The interface</a>
  <a href="${up}docs/control">The control interface</a>
  ${isContract ? accountForm : ''}
  ${tokenForm}
  <output id="status"></output>
</nav>
</header>
<div id="api" data-document="${source}"></div>
<script src="${up}docs/swagger-ui-bundle.js"></script>
<script src="${up}docs/page.js"></script>
</html>
`;
};

/** The script fills in the accounts and shows the form. */
const accountForm = `<form id="who" hidden>
    <label>Ask as <select name="account"><option value="[null]">nobody</option></select></label>
    <label>with a <select name="scheme"><option>password</option><option>token</option><option>session</option></select></label>
  </form>`;

/** Shown where the server wants the control token. */
const tokenForm = `<form id="control" hidden>
    <label>Control token <input name="token" type="password" autocomplete="off" required></label>
    <button>Use it</button>
  </form>`;
