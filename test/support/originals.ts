/** Uploads original files to a running server of the starter site, and reads what it made of them. */
import type { components } from '../../src/client/generated/control.ts';

export type Reaction = components['schemas']['Reaction'];

/** The model of an object, and to which bundle its file is uploaded, as what. */
type Kind = { readonly model: number; readonly bundle: string; readonly type: string; readonly ending: string };

const [image, document, originalFile] = [13, 12, 3];

export const originalKinds = {
  png: { model: image, bundle: 'image', type: 'image/png', ending: 'png' },
  jpeg: { model: image, bundle: 'image', type: 'image/jpeg', ending: 'jpg' },
  tiff: { model: image, bundle: 'file', type: 'image/tiff', ending: 'tif' },
  pdf: { model: document, bundle: 'document', type: 'application/pdf', ending: 'pdf' },
  text: { model: document, bundle: 'document', type: 'text/plain', ending: 'txt' },
} satisfies Readonly<Record<string, Kind>>;

export type KindName = keyof typeof originalKinds;

const authorization = `Basic ${Buffer.from('admin:islandora').toString('base64')}`;

/** A new object for files of this kind. */
export const createObject = async (url: string, kind: KindName): Promise<number> => {
  const reply = await fetch(`${url}/node?_format=json`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    body: JSON.stringify({
      ...{ type: [{ target_id: 'islandora_object' }], title: [{ value: 'A title' }] },
      field_model: [{ target_id: originalKinds[kind].model }],
    }),
  });
  const { nid } = (await reply.json()) as { readonly nid: readonly [{ readonly value: number }] }; // a node has one
  return nid[0].value;
};

/** Puts the bytes as the original file of the object. The status of the answer. */
export const uploadOriginal = async (url: string, node: number, kind: KindName, bytes: Uint8Array): Promise<number> => {
  const { bundle, type, ending } = originalKinds[kind];
  const reply = await fetch(`${url}/node/${node}/media/${bundle}/${originalFile}`, {
    method: 'PUT',
    headers: { authorization, 'content-type': type, 'content-location': `public://a-${node}.${ending}` },
    body: new Uint8Array(bytes),
  });
  return reply.status;
};

/** All reactions, when none waits. The server answers after a while also when some do. */
export const settledReactions = async (url: string): Promise<readonly Reaction[]> => {
  for (;;) {
    const reply = await fetch(`${url}/_atoll/reactions?settled=true`);
    const { settled, reactions } = (await reply.json()) as components['schemas']['Reactions']; // the document says so
    if (settled) return reactions;
  }
};

export const isDerivative = ({ name }: Reaction): boolean => name.startsWith('make ');
