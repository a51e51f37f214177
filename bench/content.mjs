/** Adds to a running Atoll what the lists and refusals of `npm run bench` need. */
import { titleOf } from './fixture.mjs';
import { record } from './recorded.mjs';

const basic = (name, password) => ({
  authorization: `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`,
});

/** Credentials of demo accounts. The viewer may not see what is unpublished. */
export const viewers = { admin: basic('admin', 'islandora'), viewer: basic('viewer', 'viewer') };

/** The headers of a write. */
export const asAdmin = { ...viewers.admin, 'content-type': 'application/json' };

const atOnce = 16;

const send = async (port, requests) => {
  for (let at = 0; at < requests.length; at += atOnce) {
    const some = requests
      .slice(at, at + atOnce)
      .map(({ body, ...request }) => record({ ...{ port, ...request, body: JSON.stringify(body) }, headers: asAdmin }));
    const failed = (await Promise.all(some)).find(({ status }) => status >= 300);
    if (failed !== undefined) throw new Error(`${failed.status} ${failed.body}`);
  }
};

const type = [{ target_id: 'islandora_object' }];

/** The body of a POST. */
export const newNode = JSON.stringify({ type, title: [{ value: 'New' }], field_model: [{ target_id: 23 }] });

let patches = 0;

/** The body of a PATCH, each with another title: a body that changes nothing writes nothing. */
export const patchOf = (id) =>
  JSON.stringify({ type, title: [{ value: `${titleOf(id)}, changed ${100_000 + (patches += 1)}` }] });

/** How many of the ten media of a node are published. */
export const visibleMedia = 7;

/** Gives each of the nodes ten media. */
export const addLists = (port, firstId, count) =>
  send(
    port,
    Array.from({ length: count * 10 }, (_, at) => ({
      ...{ path: '/entity/media?_format=json', method: 'POST' },
      body: {
        bundle: [{ target_id: 'image' }],
        name: [{ value: `Media ${at}` }],
        status: [{ value: at % 10 < visibleMedia }],
        field_media_of: [{ target_id: firstId + Math.floor(at / 10) }],
        field_media_use: [{ target_id: 16 }],
        field_media_image: [{ target_id: 1, alt: `Picture ${at}` }],
      },
    })),
  );

/** Unpublishes nodes. */
export const hideNodes = (port, firstId, count) =>
  send(
    port,
    Array.from({ length: count }, (_, at) => ({
      ...{ path: `/node/${firstId + at}?_format=json`, method: 'PATCH' },
      body: { type, status: [{ value: false }] },
    })),
  );
