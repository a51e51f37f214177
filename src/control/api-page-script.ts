/** What runs in the browser on the API page: shows a document, and asks as the account that was chosen. */

/**
 * Plain JavaScript, served as a file of its own so that the page's policy needs no exception. Where the page lies is where
 * the server is: a world's prefix and an application that Atoll is mounted in come before `/_atoll`.
 */
export const apiPageScript = String.raw`
const base = location.origin + location.pathname.replace(/\/_atoll\/docs(\/.*)?$/, '');
const { document: source } = document.getElementById('api').dataset;
const status = document.getElementById('status');
/** Who asks: nobody, or an account with its password, with a token, or with a session. */
let way = 'nobody';
let csrfToken;
let logoutToken;

const text = async (path, init) => {
  const answer = await fetch(base + path, init);
  const body = await answer.text();
  if (answer.ok) return body;
  throw new Error('HTTP ' + answer.status + ': ' + body);
};

const basic = (name, password) => {
  const bytes = new TextEncoder().encode(name + ':' + password);
  return 'Basic ' + btoa(String.fromCharCode(...bytes));
};

/** What Swagger UI keeps of each way; it cannot forget what it was never told. */
const schemes = { password: ['basic_auth'], token: ['jwt_auth'] };

const forget = async () => {
  if (way in schemes) ui.authActions.logout(schemes[way]);
  if (logoutToken !== undefined) {
    const token = encodeURIComponent(logoutToken);
    logoutToken = undefined;
    await fetch(base + '/user/logout?_format=json&token=' + token, { method: 'POST' });
  }
};

const become = {
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

/** Without credentials a browser opens no dialogue of its own for a 401. The cookie that names a world has to go along. */
const askAs = (request) => {
  const needsCookies = way === 'session' || document.cookie.includes('atoll_world=');
  request.credentials = needsCookies ? 'same-origin' : 'omit';
  const isWrite = ['POST', 'PATCH', 'DELETE'].includes(request.method);
  if (way === 'session' && isWrite) request.headers['X-CSRF-Token'] = csrfToken;
  return request;
};

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
    requestInterceptor: askAs,
  });
};

const choose = async (form) => {
  const [name, password] = JSON.parse(form.get('account'));
  const wanted = name === null ? 'nobody' : form.get('way');
  await forget();
  way = 'nobody';
  await become[wanted](name, password);
  way = wanted;
  status.textContent = name === null ? 'Nobody asks.' : name + ' asks, with a ' + wanted + '.';
};

document.getElementById('who')?.addEventListener('change', (event) => {
  choose(new FormData(event.currentTarget)).catch((error) => {
    status.textContent = error.message;
  });
});
show().catch((error) => {
  status.textContent = error.message;
});
`;
