/** A page that shows a record of a repository at another origin, and lets who may change its title. What the tests are for. */
const repository = new URLSearchParams(location.search).get('repository');
const record = `${repository}/node/1?_format=json`;
const byId = (id) => document.getElementById(id);
const credentials = 'include';
let csrfToken;

const tell = (text) => {
  byId('status').textContent = text;
};

const show = async () => {
  const response = await fetch(record, { credentials });
  const node = await response.json();
  byId('title').textContent = node.title[0].value;
  const links = (response.headers.get('link') ?? '').split(/,\s*(?=<)/);
  byId('links').replaceChildren(
    ...links.map((link) => {
      const item = document.createElement('li');
      item.textContent = link.match(/^<([^>]*)>/)?.[1] ?? link;
      return item;
    }),
  );
};

byId('login').addEventListener('submit', async (event) => {
  event.preventDefault();
  const { name, pass } = Object.fromEntries(new FormData(event.target));
  const response = await fetch(`${repository}/user/login?_format=json`, {
    method: 'POST',
    credentials,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ name, pass }),
  });
  const answer = await response.json();
  if (!response.ok) return tell(answer.message);
  csrfToken = answer.csrf_token;
  byId('edit').hidden = false;
  tell(`Logged in as ${answer.current_user.name}`);
});

byId('edit').addEventListener('submit', async (event) => {
  event.preventDefault();
  const { title } = Object.fromEntries(new FormData(event.target));
  const response = await fetch(record, {
    method: 'PATCH',
    credentials,
    headers: { 'content-type': 'application/json', 'x-csrf-token': csrfToken },
    body: JSON.stringify({ type: [{ target_id: 'islandora_object' }], title: [{ value: title }] }),
  });
  if (!response.ok) return tell((await response.json()).message);
  tell('Saved');
  await show();
});

await show();
