/** The statements that read and write the records of a world. Every other file of this folder calls them by `WorldStatements`. */
import { createHash } from 'node:crypto';
import type { Statement } from './database.ts';
import { insertListings } from './lists/listings.ts';
import type { IndexKey } from '../../openapi/openapi-records.ts';

/** The visible version of a record: that of the greatest layer of the chain that has one. `$2` is the chain. */
const visible = (type: string, id: string): string =>
  `(select r.record from atoll_records r where r.layer = any($2::bigint[]) and r.type = ${type} and r.id = ${id}
    order by r.layer desc limit 1)`;

/**
 * Records by their keys (`$3` types, `$4` ids) and by index keys (`$5`), with the change number of the world (`$1`) at the moment of
 * the statement. Always at least one row; a row of a look-up has its key. `record` is null where there is none.
 */
export const loadStatement: Statement = {
  name: 'atoll_load',
  text: `select w.generation, w.seq, f.key, f.type, f.id, f.record
    from (select 1 as one) o left join atoll_worlds w on w.id = $1 left join lateral (
      select null::text as key, k.type, k.id, ${visible('k.type', 'k.id')} as record
        from unnest($3::text[], $4::bigint[]) as k(type, id)
      union all
      select e.key, e.type, e.id, ${visible('e.type', 'e.id')} as record
        from (select distinct key, type, id from atoll_keys where layer = any($2::bigint[]) and key = any($5::text[])) e
    ) f on true`,
};

/**
 * What has changed in a world (`$1`) since a number (`$2`) of a generation (`$3`). Nothing of it when it is very much. No row when
 * there is no such world, or when its time has come.
 */
export const changesStatement: Statement = {
  name: 'atoll_changes_since',
  text: `select w.id, w.name, w.generation, w.seq, w.chain, w.top_used, w.counters, w.totals, c.seq as change, c.payload
    from atoll_worlds w
    left join atoll_changes c on c.world = w.id and c.seq > $2 and w.generation = $3 and w.seq - $2 <= 2000
    where w.id = $1 and (w.expires is null or w.expires > floor(extract(epoch from clock_timestamp()) * 1000)) order by c.seq`,
};

export const lockStatement: Statement = {
  name: 'atoll_lock',
  text: 'select id from atoll_worlds where id = $1 for update',
};

/**
 * Writes a batch, if the world (`$1`) is still at this generation (`$2`) and change number (`$3`): then one row with the new number,
 * otherwise none. All in one statement, so that it is one round trip and a transaction of its own.
 */
export const writeStatement: Statement = {
  name: 'atoll_write',
  text: `with w as (
      update atoll_worlds set seq = seq + 1, top_used = top_used or $5, counters = $6, totals = $7
        where id = $1 and generation = $2 and seq = $3 returning seq
    ), records as (
      insert into atoll_records (layer, type, id, bundle, record)
        select $4::bigint, t.type, t.id, t.bundle, t.record
        from w, unnest($8::text[], $9::bigint[], $10::text[], $11::text[]) as t(type, id, bundle, record)
        on conflict (layer, type, id) do update set bundle = excluded.bundle, record = excluded.record
    ), listings as (
      ${insertListings('$4', ['$8', '$9', '$10'], 20, 'w, ')}
    ), added as (
      insert into atoll_keys (layer, key, type, id)
        select $4::bigint, t.key, t.type, t.id from w, unnest($12::text[], $13::text[], $14::bigint[]) as t(key, type, id)
        on conflict (layer, key, type, id) do nothing
    ), state as (
      insert into atoll_state (world, topic, key, value)
        select $1::bigint, t.topic, t.key, t.value from w, unnest($15::text[], $16::text[], $17::text[]) as t(topic, key, value)
        on conflict (world, topic, key) do update set value = excluded.value
    ), change as (
      insert into atoll_changes (world, seq, payload, at) select $1::bigint, w.seq, $18::text, $19::bigint from w
    )
    select seq from w`,
};

export const dropKeyStatement: Statement = {
  name: 'atoll_drop_key',
  text: 'delete from atoll_keys where layer = $1 and key = $2 and type = $3 and id = $4',
};

/** What a page of records needs: `after` for pages by id, otherwise `offset`. */
type PageShape = { readonly layers: number; readonly byBundle: boolean; readonly byId: boolean };

/**
 * The visible records of a type in ascending id. Each layer is read in the order of its index, and the engine merges them, so the
 * cost depends on the page and not on the type. `$1` world, `$2` type, `$3` bundle or null, `$4` limit, `$5` offset or the id
 * before the page, then the layers, the top first. With the change number and the totals of the world at the same moment.
 */
export const pageStatement = (shape: PageShape): Statement => {
  const branches = Array.from({ length: shape.layers }, (_, at) => pageBranch(shape, at));
  const ids =
    branches.length === 0
      ? 'select null::bigint as id, null::bigint as layer where false'
      : branches.join(' union all ');
  return {
    name: `atoll_page_${shape.layers}${shape.byBundle ? '_bundle' : ''}${shape.byId ? '_after' : ''}`,
    text: `select w.generation, w.seq, w.totals, p.id, p.record
      from (select 1 as one) o left join atoll_worlds w on w.id = $1 left join (
        select s.id, (select r.record from atoll_records r where r.layer = s.layer and r.type = $2 and r.id = s.id) as record
        from (select id, layer from (${ids}) m order by id limit $4 ${shape.byId ? '' : 'offset $5'}) s
      ) p on true where ($3::text is null or true) and ($5::bigint is null or true) order by p.id`,
  };
};

/**
 * The ids of a page in one layer that no layer above has. The engine must not turn this into a join of all records of both layers,
 * so it is a condition on one value. A removal has no bundle.
 */
const pageBranch = ({ byBundle, byId }: PageShape, at: number): string => {
  const layer = (of: number): string => `$${6 + of}::bigint`;
  const above = Array.from({ length: at }, (_, upper) => layer(upper)).join(', ');
  const hidden = `(select u.layer from atoll_records u where u.layer in (${above}) and u.type = $2 and u.id = r.id limit 1)`;
  return [
    `(select r.id, r.layer from atoll_records r where r.layer = ${layer(at)} and r.type = $2`,
    byBundle ? 'and r.bundle = $3' : 'and r.bundle is not null',
    byId ? 'and r.id > $5' : '',
    // Ids of layers are positive. The engine expects this to be true more often than "is null".
    at === 0 ? '' : `and coalesce(${hidden}, 0) < 1`,
    `order by r.id limit ${byId ? '$4' : '$4::bigint + $5::bigint'})`,
  ].join(' ');
};

/** The most characters of an index key in the table. A longer one is hashed. */
const maxKey = 200;

/** The text under which the table has an index key. PostgreSQL stores no NUL and indexes no text of more than 2,700 bytes. */
export const storedKey = (key: IndexKey): string =>
  key.length <= maxKey && !key.includes('\0') && !key.startsWith('#')
    ? key
    : `#${createHash('sha256').update(key).digest('base64')}`;
