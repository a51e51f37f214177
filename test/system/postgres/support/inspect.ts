/** Looks at everything that a repository stores, and finds what is half there. */
import { createHash } from 'node:crypto';
import { askPatiently, shown, valueIn } from './ask.ts';

export type StoredMedia = { readonly id: number; readonly file: string; readonly sha256: string };

export type Inspection = {
  readonly nodes: number;
  readonly media: number;
  readonly files: number;
  /** The field `field_rights` of each node that has one: what the POST that made it gave. */
  readonly births: readonly string[];
  /** What is half there, or cannot be read. */
  readonly faults: readonly string[];
};

type Row = { readonly id: number };
type Page = { readonly total: number; readonly entities: readonly Row[]; readonly next?: string };

/** The ids of all stored records of a type, as the control interface lists them. */
const idsOf = async (base: string, type: string): Promise<readonly number[]> => {
  const ids: number[] = [];
  let cursor = '';
  for (;;) {
    const answer = await askPatiently(base, `/_atoll/entities?type=${type}&limit=200${cursor}`);
    if (answer.status !== 200) throw new Error(`The list of ${type} is ${answer.status} ${answer.bytes.toString()}`);
    const { entities, next, total } = JSON.parse(answer.bytes.toString()) as Page; // the control contract
    ids.push(...entities.map(({ id }) => id));
    if (next === undefined) {
      if (ids.length !== total) throw new Error(`The list of ${type} has ${ids.length} records and says ${total}.`);
      return ids;
    }
    cursor = `&cursor=${next}`;
  }
};

const contentOf = async (base: string, path: string): Promise<Buffer | number> => {
  const { status, bytes } = await askPatiently(base, path);
  return status === 200 ? bytes : status;
};

/** The media of a node with their file and the hash of their bytes; `none` where the bytes are missing. */
export const mediaOf = async (base: string, node: number): Promise<readonly StoredMedia[]> => {
  const answer = await askPatiently(base, `/_atoll/entities?type=media&media_of=${node}`);
  if (answer.status !== 200) throw new Error(`The media of ${node} are ${answer.status} ${answer.bytes.toString()}`);
  const { entities } = JSON.parse(answer.bytes.toString()) as Page; // the control contract
  const found: StoredMedia[] = [];
  for (const { id } of entities) {
    const record = shown(await askPatiently(base, `/media/${id}?_format=json`));
    const path = valueIn(record, 'field_media_file', 'url');
    const bytes = await contentOf(base, new URL(path, base).pathname);
    const hash = typeof bytes === 'number' ? 'none' : createHash('sha256').update(bytes).digest('hex');
    found.push({ id, file: valueIn(record, 'field_media_file', 'target_id'), sha256: hash });
  }
  return found;
};

/** Reads every node, medium and file, and the bytes of every file. At rest each of them is whole. */
export const inspect = async (base: string): Promise<Inspection> => {
  const faults: string[] = [];
  const births: string[] = [];
  const [nodes, media, files] = [await idsOf(base, 'node'), await idsOf(base, 'media'), await idsOf(base, 'file')];
  const readAll = async (
    ids: readonly number[],
    pathOf: (id: number) => string,
    look: (text: ReturnType<typeof shown>, id: number) => void | Promise<void>,
  ) => {
    const left = [...ids];
    const worker = async (): Promise<void> => {
      for (let id = left.pop(); id !== undefined; id = left.pop()) {
        const answer = await askPatiently(base, pathOf(id));
        if (answer.status === 200) await look(shown(answer), id);
        else faults.push(`${pathOf(id)} is listed and is ${answer.status}`);
      }
    };
    await Promise.all(Array.from({ length: 8 }, worker));
  };
  await readAll(
    nodes,
    (id) => `/node/${id}?_format=json`,
    (record) => {
      const birth = valueIn(record, 'field_rights');
      if (birth !== '') births.push(birth);
    },
  );
  const used = new Set<string>();
  await readAll(
    media,
    (id) => `/media/${id}?_format=json`,
    (record, id) => {
      const file = valueIn(record, 'field_media_file', 'target_id');
      if (used.has(file)) faults.push(`file ${file} belongs to two media`);
      used.add(file);
      if (!files.includes(Number(file))) faults.push(`media ${id} has the file ${file}, which is not there`);
    },
  );
  await readAll(
    files,
    (id) => `/entity/file/${id}?_format=json`,
    async (record, id) => {
      const bytes = await contentOf(base, valueIn(record, 'uri', 'url'));
      const size = typeof bytes === 'number' ? `status ${bytes}` : String(bytes.length);
      if (size !== valueIn(record, 'filesize')) {
        faults.push(`the bytes of file ${id} are ${size}, not ${valueIn(record, 'filesize')}`);
      }
    },
  );
  return { nodes: nodes.length, media: media.length, files: files.length, births, faults };
};
