/** Collects what requests are made of besides the document: demo accounts of the site, and ids and addresses of what the world holds. */
import {
  repositoryWorld,
  workflowOf,
  entityTypes,
  identityOf,
  isPublished,
  contentPath,
  type Account,
  addressPath,
  type Site,
} from '../../repository/repository.ts';
import type { KnownValues, Sandbox } from '../../contract/contract.ts';
import { basicCredentials } from '../../basics/formats/basic-credentials.ts';
import { emptyBody } from '../../openapi/openapi-host.ts';
import { type Entity, firstValue } from '../../openapi/openapi-records.ts';

/** How many records of a type are looked at, and how many of a kind are taken. */
const lookedAt = 200;
const takenOfAKind = 2;
const takenAtMost = 16;

type KnownBody = ReturnType<KnownValues['bodiesFor']>[number];

export const collectKnownValues = async (sandbox: Sandbox): Promise<KnownValues> => {
  const { store, site } = repositoryWorld(sandbox.world);
  const records = new Map<string, readonly Entity[]>();
  for (const type of entityTypes) {
    const { entities } = await store.list(type, { offset: 0, limit: lookedAt });
    records.set(type, entities);
  }
  const files = records.get('file') ?? [];
  const chosen = new Map(entityTypes.map((type) => [type, ofEveryKind(records.get(type) ?? [])]));
  const accounts = accountsOf(site);
  const [first] = accounts;
  const samples = bodyTypes.flatMap((type) => chosen.get(type) ?? []);
  const bodies =
    first === undefined ? [] : await wireBodies(samples, basicCredentials(first.name, first.password), sandbox);
  const known: Omit<KnownValues, 'sources'> = {
    accounts,
    records: [...chosen.values()].flat(),
    bodiesFor: (resource) => bodies.filter(({ type }) => type === resource),
    fileFields: fileFieldsOf(site),
    idsFor: (parameter) => {
      const name = /^(\w+)_id$/.exec(parameter)?.[1] ?? '';
      const type = entityTypes.find((each) => each === name || each.endsWith(`_${name}`));
      return type === undefined ? [] : (chosen.get(type) ?? []).map(({ id }) => String(id));
    },
    uuids: entityTypes.flatMap((type) => (records.get(type) ?? []).slice(0, 1).map(({ uuid }) => uuid)),
    contentPaths: ofEveryKind(files, schemeOf).flatMap((file) => contentPath(site, uriOf(file)) ?? []),
    maxBytes: { json: site.maxJsonBytes, bytes: site.maxUploadBytes },
  };
  return { ...known, sources: sourcesOf(known) };
};

/** Names what requests are made of: equal texts mean the same candidates, but for values of fields. */
const sourcesOf = ({ records, uuids, contentPaths, bodiesFor }: Omit<KnownValues, 'sources'>): string => {
  const bodies = bodyTypes.flatMap(bodiesFor).map(({ type, id, body }) => [type, id, ...Object.keys(body)]);
  const kinds = records.map((record) => [record.type, record.id, record.bundle, isPublished(record)]);
  return JSON.stringify([kinds, uuids, contentPaths, bodies]);
};

/** The records that clients make by JSON and whose fields are the site's. */
const bodyTypes = ['node', 'media', 'taxonomy_term'] as const;

const fileFieldsOf = ({ model }: Site): KnownValues['fileFields'] =>
  (['media', 'node'] as const).flatMap((type) =>
    model.bundles(type).flatMap(({ id, fields }) =>
      [...fields.values()].flatMap(({ name, type: fieldType, configured, extensions }) => {
        const [extension] = extensions ?? [];
        if (!configured || (fieldType !== 'file' && fieldType !== 'image') || extension === undefined) return [];
        return [{ values: { entity_type: type, bundle: id, field_name: name }, extension }];
      }),
    ),
  );

const uriOf = (file: Entity): string => {
  const uri = firstValue(file, 'uri');
  return typeof uri === 'string' ? uri : '';
};

const schemeOf = (file: Entity): string => uriOf(file).split(':', 1)[0] ?? '';

/** A few records of each bundle, published and not. */
const ofEveryKind = (entities: readonly Entity[], kindOf = ({ bundle }: Entity): string => bundle): Entity[] => {
  const taken = new Map<string, number>();
  return entities
    .filter((entity) => {
      const kind = `${kindOf(entity)} ${isPublished(entity)}`;
      const count = (taken.get(kind) ?? 0) + 1;
      taken.set(kind, count);
      return count <= takenOfAKind;
    })
    .slice(0, takenAtMost);
};

const accountsOf = (site: Site): KnownValues['accounts'] =>
  site.accounts
    .filter(({ active }) => active)
    .sort((a, b) => powerOf(b, site) - powerOf(a, site))
    .flatMap(({ name, demoPassword: password }) => (password === undefined ? [] : [{ name, password }]));

/** The account 1 may do everything, whatever its roles. */
const powerOf = ({ uid, roles }: Account, site: Site): number =>
  uid === 1
    ? Infinity
    : roles.reduce((sum, id) => {
        const role = site.roles.get(id);
        return sum + (role?.isAdmin === true ? 1000 : (role?.permissions.length ?? 0));
      }, 0);

type Item = Readonly<Record<string, unknown>>;

/** What answers compute, and no client sends. */
const computed: ReadonlySet<string> = new Set(['target_type', 'target_uuid', 'url', 'processed']);

/** Reads each record as JSON with these credentials. What cannot be read is left out. */
const wireBodies = async (
  records: readonly Entity[],
  authorization: string,
  sandbox: Sandbox,
): Promise<KnownBody[]> => {
  const { site } = repositoryWorld(sandbox.world);
  const bodies: KnownBody[] = [];
  for (const record of records) {
    const path = addressPath(site, record.type, record.id);
    const request = { method: 'GET', path, query: '_format=json', headers: { authorization }, address: '127.0.0.1' };
    const reply = await sandbox.answer({ ...request, body: emptyBody }, sandbox.world);
    if (reply.status !== 200 || typeof reply.body !== 'string') continue;
    const shown = JSON.parse(reply.body) as Readonly<Record<string, readonly Item[]>>; // a record of the contract
    const names = sentNames(record, site).filter((name) => (shown[name] ?? []).length > 0);
    const body = Object.fromEntries(names.map((name) => [name, (shown[name] ?? []).map(sentItem)]));
    const isModerated = workflowOf(site.model.bundle(record.type, record.bundle)) !== undefined;
    bodies.push({ type: record.type, id: String(record.id), body, isModerated });
  }
  return bodies;
};

const sentNames = ({ type, bundle }: Entity, site: Site): string[] => {
  const { bundle: bundleField, label } = identityOf(type);
  const fields = site.model.bundle(type, bundle)?.fields.values() ?? [];
  const required = [...fields].filter((field) => field.configured && field.required).map(({ name }) => name);
  return [...(bundleField === undefined ? [] : [bundleField]), label, ...required];
};

const sentItem = (item: Item): Item => Object.fromEntries(Object.entries(item).filter(([name]) => !computed.has(name)));
