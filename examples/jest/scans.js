/** Puts scans into a repository: a record for each, and its picture. The client that the tests beside are for. */

/** Terms of the site: the model of a picture, and the use of a file as it came. */
const imageModel = 24;
const originalFile = 16;

const refusal = async (response) => {
  const { message } = await response.json().catch(() => ({}));
  return new Error(`${response.status} ${message ?? response.statusText}`);
};

/** The first target of a relation in a `Link` header (RFC 8288), as this interface writes it. */
const linkOf = (response, relation) =>
  (response.headers.get('link') ?? '')
    .split(/,\s*(?=<)/)
    .find((link) => link.includes(`rel="${relation}"`))
    ?.match(/^<([^>]*)>/)?.[1];

/** `repository`: the base URL. `token`: of somebody who may create. */
const createScans = ({ repository, token }) => {
  const send = async (address, init = {}) => {
    const headers = { ...(token === undefined ? {} : { authorization: `Bearer ${token}` }), ...init.headers };
    const response = await fetch(address, { ...init, headers });
    if (!response.ok) throw await refusal(response);
    return response;
  };
  /** Sending bytes twice is safe: the second time replaces the first. */
  const upload = async (address, name, bytes) => {
    const init = {
      method: 'PUT',
      headers: { 'content-type': 'image/png', 'content-location': `public://scans/${name}` },
      body: bytes,
    };
    return send(address, init).catch((error) => {
      // What `fetch` throws when the connection breaks; of another realm under jest, so that its class does not tell.
      if (error.name === 'TypeError') return send(address, init);
      throw error;
    });
  };
  return {
    /** The address of the new record. */
    add: async ({ title, name, bytes }) => {
      const created = await send(`${repository}/node?_format=json`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({
          type: [{ target_id: 'islandora_object' }],
          title: [{ value: title }],
          field_model: [{ target_id: imageModel }],
        }),
      });
      const address = created.headers.get('location');
      await upload(`${address}/media/image/${originalFile}`, name, bytes);
      return address;
    },
    /** What a reader is shown: the title, and where the picture lies. */
    show: async (address) => {
      const response = await send(`${address}?_format=json`);
      const [{ value: title }] = (await response.json()).title;
      const media = linkOf(response, 'related');
      return { title, media };
    },
  };
};

module.exports = { createScans };
