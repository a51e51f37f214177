/** Says what Atoll makes of a record that the target shows: its links, its JSON-LD, its references. What the record refers to is read from the target. */
import { isRecord, type JsonObject } from '../../../../basics/json.ts';
import { parseLinks, type Link } from '../../../../client/client.ts';
import {
  indexKeys,
  readFrom,
  type Records,
  type FieldDefinition,
  type Principal,
  addressPath,
  entityPath,
  type Format,
} from '../../../../repository/repository.ts';
import {
  linksOf,
  linkContextOf,
  linkHeader,
  type LinkKind,
  jsonItems,
  renderJsonLd,
} from '../../../../repository/repository-content.ts';
import { storedFields } from '../../../recording/fixture/stored-fields.ts';
import { permissionsOf } from '../../account-permissions.ts';
import { expectSame } from '../../answer.ts';
import type { CheckContext } from '../../check.ts';
import { itemsOf, valueIn, type JsonRecord } from '../../record-members.ts';
import { readerOf } from './reading-check.ts';
import { bundleIn, recordPath, type SeenRecord } from './seen-records.ts';
import type { Entity, EntityStore } from '../../../../openapi/openapi-records.ts';

/** A record shows what its reader may see. Of that Atoll hides nothing more. */
const viewer: Principal = { uid: 1, name: '', roles: [], permissions: new Set(), mayEverything: true };

type Shown = Pick<SeenRecord, 'id' | 'bundle' | 'record'>;

/** The records of a target, as the reader of the checks sees them, and the aliases that they have, each with the path of its record. */
type Target = Pick<EntityStore, 'getMany' | 'lookupMany'> & {
  readonly entityOf: (shown: Shown) => Entity;
  readonly aliases: ReadonlyMap<string, string>;
};

/** The one list that a record asks for is that of the media of a node. Those that are known are in it. */
const targetOf = (context: CheckContext): Target => {
  const as = readerOf(context);
  const { contract, subjects } = context;
  const { site } = contract;
  const aliases = new Map<string, string>();
  const entityOf = ({ id, bundle, record }: Shown): Entity => {
    const { entityType: type } = bundle;
    const { path, ...fields } = storedFields({ type, body: record as JsonObject }, bundle); // what JSON has
    const entity = { type, id, bundle: bundle.id, uuid: String(valueIn(record, 'uuid')), fields };
    // The JSON of an account does not tell its alias: who refers to it does.
    for (const item of Object.keys(fields).flatMap((name) => itemsOf(record, name))) {
      const { target_type: target, target_id: account, url } = item;
      if (target === 'user' && typeof url === 'string') aliases.set(url, addressPath(site, 'user', Number(account)));
    }
    if (path !== undefined) {
      aliases.set(entityPath(site, { ...entity, fields: { path } }), addressPath(site, type, id));
    }
    // No link leads to a file that has lost its bytes.
    return type === 'file' ? { ...entity, blob: { key: '', size: 0, sha256: '' } } : entity;
  };
  const named = (type: string, id: number, record: JsonRecord): readonly Entity[] => {
    const bundle = site.model.bundle(type, bundleIn(type, record));
    return bundle === undefined ? [] : [entityOf({ id, bundle, record })];
  };
  return {
    ...{ entityOf, aliases },
    getMany: async (keys) => {
      const found: (Entity | undefined)[] = [];
      for (const key of keys) {
        const [type, id] = key.split(':') as [string, string]; // made of both
        const path = `${recordPath(context, type, Number(id))}?_format=json`;
        const { status, json } = await context.ask({ path, as });
        found.push(status === 200 && isRecord(json) ? named(type, Number(id), json)[0] : undefined);
      }
      return found;
    },
    lookupMany: async (indexes) => {
      const media = [...subjects.media.values()].flatMap(({ id, record }) => named('media', id, record));
      return indexes.map((index) => media.filter((one) => indexKeys(one).includes(index)));
    },
  };
};

/** What Atoll makes of a record. What the reader may not see is not there. `plain` puts the path of a record for its alias. */
type Made<T> = { readonly wanted: T; readonly plain: (address: string) => string };

/** Whether a link has an alias depends on the language of the alias, of which the JSON of a record does not tell: no record has one here. */
const madeOf = async <T>(
  context: CheckContext,
  seen: Shown,
  make: (entity: Entity, records: Records) => T,
): Promise<Made<T>> => {
  const target = targetOf(context);
  const entity = target.entityOf(seen);
  const wanted = await readFrom(target, (records) => make(entity, records));
  const bases = [context.baseUrl, basePathOf(context)];
  const plain = (address: string): string => {
    const [path = '', query = ''] = address.split(/(?=\?)/);
    const base = bases.find((each) => path.startsWith(each)) ?? '';
    const own = target.aliases.get(path.slice(base.length));
    return own === undefined ? address : base + own + query;
  };
  return { wanted, plain };
};

const basePathOf = ({ baseUrl }: CheckContext): string => new URL(baseUrl).pathname.replace(/\/$/, '');

/** The JSON-LD of the target and that of Atoll. */
export const graphsOf = async (
  context: CheckContext,
  seen: Shown,
  json: JsonRecord,
): Promise<readonly [own: JsonRecord, wanted: JsonRecord]> => {
  const { baseUrl, contract } = context;
  const { wanted, plain } = await madeOf(context, seen, (entity, records) =>
    renderJsonLd(entity, { site: contract.site, baseUrl, viewer, records }),
  );
  const text = JSON.stringify(json);
  const own = JSON.parse(text, (_name, value: unknown) =>
    typeof value === 'string' ? plain(value) : value,
  ) as JsonRecord; // the same object
  return [own, wanted];
};

/** Throws unless the items of a field tell of their targets what Atoll tells of them. What the reader may not see is passed over. */
export const expectTold = async (
  context: CheckContext,
  seen: Shown,
  field: FieldDefinition,
  ...members: readonly ('target_type' | 'target_uuid' | 'url')[]
): Promise<void> => {
  const { baseUrl, contract } = context;
  const world = { site: contract.site, baseUrl, basePath: basePathOf(context), viewer };
  const { wanted, plain } = await madeOf(context, seen, ({ fields }, records) =>
    jsonItems(fields[field.name] ?? [], { ...world, records }, field),
  );
  const own = itemsOf(seen.record, field.name);
  for (const [at, item] of wanted.entries()) {
    for (const member of members.filter((each) => item[each] !== undefined)) {
      const value = own[at]?.[member];
      expectSame(typeof value === 'string' ? plain(value) : value, item[member], `${member} of ${field.name}`);
    }
  }
};

export type WantedLink = Link & { readonly kind: LinkKind };

/** Links of the target, and those of Atoll in the order of the header, as a client reads them. */
export type LinksOfBoth = { readonly links: readonly Link[]; readonly wanted: readonly WantedLink[] };

/** `format` is that of the answer with the links. */
export const linksOfBoth = async (
  context: CheckContext,
  seen: Shown,
  found: readonly Link[],
  format: Format = 'json',
): Promise<LinksOfBoth> => {
  const world = { site: context.contract.site, baseUrl: context.baseUrl };
  const principal = permissionsOf(context, readerOf(context));
  const { wanted, plain } = await madeOf(context, seen, (entity, records) => {
    const own = linkContextOf(world, { principal, records, type: entity.type }, format);
    return linksOf(entity, { ...own, viewer, canView: () => true }).flatMap((link) =>
      parseLinks(linkHeader(link), world.baseUrl).map((read) => ({ ...read, kind: link.kind })),
    );
  });
  return { links: found.map((link) => ({ ...link, target: plain(link.target) })), wanted };
};
