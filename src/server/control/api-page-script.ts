/** The browser script of the API page: shows a document and sends its requests as the chosen account. */
import { ownRequestHeader } from '../../exchange/exchange.ts';

/**
 * Plain JavaScript, served as its own file so that the page's policy needs no exception. The script takes the server's
 * address from its own: a world's prefix, or the application that Atoll is mounted in, comes before `/_atoll`.
 */
export const apiPageScript = String.raw`
const base = location.origin + location.pathname.replace(/\/_atoll\/docs(\/.*)?$/, '');
const { document: source } = document.getElementById('api').dataset;
const status = document.getElementById('status');
/** How the chosen account authenticates: password, token or session, or nobody without an account. */
let scheme = 'nobody';
let csrfToken;
let logoutToken;

/** The control token stays in this tab until it is closed. The console keeps it in the same place, as JSON. */
const tokenPlace = 'atoll.control-token';
const controlHeaders = (path) => {
  const token = sessionStorage.getItem(tokenPlace);
  return token === null || !path.startsWith('/_atoll/') ? {} : { 'Atoll-Control': JSON.parse(token) };
};

/** What the page asks for itself is not counted; what the user executes is. */
const ask = (path, { headers, ...init } = {}) =>
  fetch(base + path, { ...init, headers: { ...headers, ...controlHeaders(path), '${ownRequestHeader}': 'docs' } });

const text = async (path, init) => {
  const answer = await ask(path, init);
  const body = await answer.text();
  if (answer.ok) return body;
  if (answer.status === 403 && path.startsWith('/_atoll/')) askForToken();
  throw new Error('HTTP ' + answer.status + ': ' + body);
};

const askForToken = () => {
  document.getElementById('control').hidden = false;
};

const basic = (name, password) => {
  const bytes = new TextEncoder().encode(name + ':' + password);
  return 'Basic ' + btoa(String.fromCharCode(...bytes));
};

/** The security schemes that Swagger UI holds credentials for. It cannot log out of others. */
const uiSchemes = { password: ['basic_auth'], token: ['jwt_auth'] };

const logOut = async () => {
  if (scheme in uiSchemes) ui.authActions.logout(uiSchemes[scheme]);
  if (logoutToken !== undefined) {
    const token = encodeURIComponent(logoutToken);
    logoutToken = undefined;
    await ask('/user/logout?_format=json&token=' + token, { method: 'POST' });
  }
};

const logIn = {
  nobody: async () => {},
  password: async (name, password) => ui.preauthorizeBasic('basic_auth', name, password),
  token: async (name, password) => {
    const headers = { Authorization: basic(name, password) };
    const { token } = JSON.parse(await text('/jwt/token', { headers, credentials: 'omit' }));
    ui.preauthorizeApiKey('jwt_auth', token);
  },
  session: async (name, pass) => {
    const headers = { 'Content-Type': 'application/json' };
    const body = JSON.stringify({ name, pass });
    const login = await text('/user/login?_format=json', { method: 'POST', headers, body });
    logoutToken = JSON.parse(login).logout_token;
    csrfToken = await text('/session/token');
  },
};

/** Omitting credentials keeps the browser from opening its own login dialogue for a 401. The cookie of a world must be sent. */
const authorise = (request) => {
  const needsCookies = scheme === 'session' || document.cookie.includes('atoll_world=');
  request.credentials = needsCookies ? 'same-origin' : 'omit';
  const isWrite = ['POST', 'PATCH', 'DELETE'].includes(request.method);
  if (scheme === 'session' && isWrite) request.headers['X-CSRF-Token'] = csrfToken;
  if (request.url.startsWith(base)) Object.assign(request.headers, controlHeaders(request.url.slice(base.length)));
  return request;
};

/** Swagger UI has a dark look, which it shows for this class. */
const dark = matchMedia('(prefers-color-scheme: dark)');
const chooseLook = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', chooseLook);
chooseLook();

const show = async () => {
  const spec = JSON.parse(await text(source));
  spec.servers = [{ url: base }];
  window.ui = SwaggerUIBundle({
    spec,
    dom_id: '#api',
    deepLinking: true,
    docExpansion: 'list',
    defaultModelsExpandDepth: 0,
    displayRequestDuration: true,
    filter: true,
    tryItOutEnabled: true,
    validatorUrl: null,
    requestInterceptor: authorise,
  });
};

/** Settles when the document is shown: before that nobody can be logged in. */
let shown;

const choose = async (form) => {
  await shown;
  const [name, password] = JSON.parse(form.get('account'));
  const wanted = name === null ? 'nobody' : form.get('scheme');
  await logOut();
  scheme = 'nobody';
  await logIn[wanted](name, password);
  scheme = wanted;
  status.textContent = name === null ? 'Nobody asks.' : name + ' asks, with a ' + wanted + '.';
};

const accountForm = document.getElementById('who');
accountForm?.addEventListener('change', (event) => {
  choose(new FormData(event.currentTarget)).catch(showError);
});

/** The accounts with published passwords. With a control token only those who have it see them. */
const offerAccounts = async () => {
  const { accounts: all } = JSON.parse(await text('/_atoll/repository'));
  const accounts = all.filter(({ password }) => typeof password === 'string');
  for (const { name, password } of accounts) {
    accountForm.elements.account.append(new Option(name, JSON.stringify([name, password])));
  }
  accountForm.hidden = accounts.length === 0;
};

const begin = async () => {
  status.textContent = '';
  shown = show();
  await Promise.all([shown, accountForm === null ? undefined : offerAccounts()]);
};

const showError = (error) => {
  status.textContent = error.message;
};

document.getElementById('control').addEventListener('submit', (event) => {
  event.preventDefault();
  sessionStorage.setItem(tokenPlace, JSON.stringify(new FormData(event.currentTarget).get('token')));
  event.currentTarget.hidden = true;
  begin().catch(showError);
});
begin().catch(showError);
`;
