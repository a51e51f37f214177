/** Texts that the tests of the service worker run in its page, before their own. */

/** A new node with a file of the bytes that `body` gives, and the addresses of its content. For the bodies of `inPage`. */
export const withUpload = `
  const admin = createClient({ baseUrl: atoll.url, authentication: basic('admin', 'islandora'), fetch: atoll.fetch });
  const newNode = async () => plainOf((await admin.POST('/node', {
    body: bodyOf('node', { type: 'islandora_object', title: 'Of the worker', field_model: 24 }),
  })).data).nid;
  const store = async (body, location, mediaType, options = {}) => {
    const to = { node: await newNode(), mediaType, use: 16 };
    const { media } = await upload(admin, { to, body, location, ...options });
    const content = linksNamed((await admin.open({ target: media, rel: 'related' })).links, 'describes')[0].target;
    return { node: to.node, media, content };
  };`;

/** The title of the first node, and a change of it. For the bodies of `inPage`. */
export const withTitle = `
  const at = '/repo/node/1?_format=json';
  const titleNow = async () => (await (await fetch(at)).json()).title[0].value;
  const rename = (title) => fetch(at, {
    method: 'PATCH',
    headers: { 'content-type': 'application/json', authorization: 'Basic ' + btoa('admin:islandora') },
    body: JSON.stringify({ type: [{ target_id: 'islandora_object' }], title: [{ value: title }] }),
  });`;
