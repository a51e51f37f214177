/** Keeps our records in step with the recorded site's, so that one difference does not become many. */
import type { Counter } from '../../../../src/core/model/entity-store.ts';
import type { NamedWorld } from '../../../../src/server/worlds/named-world.ts';
import type { Answer } from '../compare.ts';
import type { Recorded } from './groups.ts';

type Ids = Readonly<Partial<Record<Counter, number>>>;

/** Lets the ids that the exchange will draw be those that the recorded site drew. */
export const drawTo = async (world: NamedWorld, ids: Ids): Promise<void> => {
  const { counters } = world.saveState().records;
  const behind = Object.entries(ids).filter(([name, id]) => (counters.get(name) ?? 0) < id - 1);
  if (behind.length === 0) return;
  await world.world.store.transact([], (view) => {
    for (const [name, id] of behind) {
      const counter = name as Counter; // Object.entries forgets the type of keys
      for (let last = counters.get(counter) ?? 0; last < id - 1;) last = view.nextId(counter);
    }
    return { changes: [], result: undefined };
  });
};

type Fields = Readonly<
  Record<string, readonly { readonly value?: unknown; readonly target_id?: unknown }[] | undefined>
>;

const fieldsOf = (body: unknown): Fields | undefined =>
  typeof body === 'object' && body !== null && !Array.isArray(body) ? (body as Fields) : undefined; // a record's known shape

const numberAt = (fields: Fields | undefined, name: string): number | undefined => {
  const value = fields?.[name]?.[0]?.value;
  return typeof value === 'number' ? value : undefined;
};

const sources = [
  'field_media_image',
  'field_media_file',
  'field_media_document',
  'field_media_audio_file',
  'field_media_video_file',
];

/** The ids that each exchange drew on the recorded site, as its own record tells or a later one of the same media. */
export const idsOf = (recorded: readonly Recorded[]): readonly Ids[] =>
  recorded.map((exchange, at) => {
    const { method } = exchange.request;
    if (exchange.response.status !== 201) return {};
    const [, type, id] = /\/(node|media|term)\/(\d+)$/.exec(String(exchange.response.headers['Location'])) ?? [];
    const fields = fieldsOf(exchange.response.body);
    const fid = numberAt(fields, 'fid');
    if (fid !== undefined) return { file: fid };
    if (type === undefined) return {};
    const revision = numberAt(fields, 'vid') ?? numberAt(fields, 'revision_id');
    if (type === 'node') return { node: Number(id), ...(revision === undefined ? {} : { node_revision: revision }) };
    if (type === 'term')
      return { taxonomy_term: Number(id), ...(revision === undefined ? {} : { taxonomy_term_revision: revision }) };
    const record =
      fields ??
      recorded
        .slice(at)
        .map(({ response }) => fieldsOf(response.body))
        .find((one) => numberAt(one, 'mid') === Number(id));
    const file = sources.map((name) => record?.[name]?.[0]?.target_id).find((target) => typeof target === 'number');
    const vid = numberAt(record, 'vid');
    return {
      media: Number(id),
      ...(vid === undefined ? {} : { media_revision: vid }),
      ...(typeof file === 'number' && method === 'PUT' ? { file } : {}),
    };
  });

/** Whether the recorded site refused what we may have done. */
export const mayNeedTakingBack = ({ request, response }: Recorded): boolean =>
  request.method !== 'GET' && request.method !== 'HEAD' && response.status >= 400;

export const isDone = ({ status }: Answer): boolean => status < 300;
