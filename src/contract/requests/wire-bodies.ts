/** Makes bodies of requests out of records that the world holds: they fit the site whatever its bundles are. */
import { identityFields, type Entity } from '../../core/model/entity.ts';
import { addressPath, type Site } from '../../core/site/site.ts';
import { replyOf, type Rehearsal } from './request-step.ts';

/** What a client may send of a record: its bundle, its label and its required fields. */
export type WireBody = {
  readonly type: Entity['type'];
  readonly id: string;
  readonly body: Readonly<Record<string, unknown>>;
};

type Item = Readonly<Record<string, unknown>>;

/** What answers compute, and no client sends. */
const computed: ReadonlySet<string> = new Set(['target_type', 'target_uuid', 'url', 'processed']);

/** Reads each record as JSON with these credentials. What cannot be read is left out. */
export const wireBodies = async (
  records: readonly Entity[],
  authorization: string,
  rehearsal: Rehearsal,
): Promise<WireBody[]> => {
  const bodies: WireBody[] = [];
  for (const record of records) {
    const path = `${addressPath(rehearsal.world.site, record.type, record.id)}?_format=json`;
    const reply = await replyOf({ method: 'GET', path, headers: { Authorization: authorization } }, rehearsal);
    if (reply.status !== 200 || typeof reply.body !== 'string') continue;
    const shown = JSON.parse(reply.body) as Readonly<Record<string, readonly Item[]>>; // a record of the contract
    const names = sentNames(record, rehearsal.world.site).filter((name) => (shown[name] ?? []).length > 0);
    const body = Object.fromEntries(names.map((name) => [name, (shown[name] ?? []).map(sentItem)]));
    bodies.push({ type: record.type, id: String(record.id), body });
  }
  return bodies;
};

const sentNames = ({ type, bundle }: Entity, site: Site): string[] => {
  const { bundle: bundleField, label } = identityFields[type];
  const fields = site.model.bundle(type, bundle)?.fields.values() ?? [];
  const required = [...fields].filter((field) => field.configured && field.required).map(({ name }) => name);
  return [...(bundleField === undefined ? [] : [bundleField]), label, ...required];
};

const sentItem = (item: Item): Item => Object.fromEntries(Object.entries(item).filter(([name]) => !computed.has(name)));
