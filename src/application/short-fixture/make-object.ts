/** Makes the node of one object of a short fixture, its later revision, and the media and files below it. */
import { userNamed, changedAt, type Bundle, publishedAs, type Principal } from '../../repository/repository.ts';
import { nextRevision } from '../../repository/repository-content.ts';
import { nameOf, orFlaw, termCalled, type Expansion } from './expansion.ts';
import { uploadFile } from './upload-file.ts';
import type { Keys } from '../../basics/json-pointer.ts';
import type { ShortItem, ShortObject } from '../../server/server-application.ts';
import { secondsOf, entityKey } from '../../openapi/openapi-records.ts';
import type { Json, JsonObject } from '../../basics/json.ts';

/** Makes the object with this index as a member of `parents`, and returns the id of its node. */
export const makeObject = async (expansion: Expansion, index: number, parents: readonly number[]): Promise<number> => {
  const { repository, nameUuids, setTime } = expansion;
  const object = objectAt(expansion, index);
  const keys = ['objects', index];
  const bundle = contentTypeOf(expansion, object, index);
  const owner = await accountCalled(expansion, object.owner, [...keys, 'owner']);
  const model = await termCalled(expansion, object.model, bundle.fields.get('field_model'), [...keys, 'model']);
  const body: JsonObject = {
    ...(await fieldsOf(expansion, object, bundle, [...keys, 'fields'])),
    type: [{ target_id: bundle.id }],
    title: [{ value: object.title }],
    ...publishedAs(bundle, object.published ?? true),
    field_model: [{ target_id: model }],
    ...(parents.length === 0 ? {} : { field_member_of: parents.map((id) => ({ target_id: id })) }),
  };
  const made = object.date === undefined ? undefined : Date.parse(object.date);
  setTime(made);
  nameUuids(`node ${nameOf(object)}`);
  const { entity: node } = await orFlaw(expansion, object.fields === undefined ? keys : [...keys, 'fields'], () =>
    repository.create(owner, 'node')(body),
  );
  for (const [position, file] of (object.files ?? []).entries()) {
    if (made !== undefined) setTime(made + (position + 1) * minute);
    const name = `${nameOf(object)} ${file.use ?? ''} ${file.path}`;
    await uploadFile(expansion, file, { node: node.id, owner, name, keys: [...keys, 'files', position] });
  }
  return node.id;
};

const minute = 60_000;

/** Makes the revision that somebody made of the object's node later. A PATCH makes none on many sites, but their forms do. */
export const reviseObject = async (expansion: Expansion, index: number, node: number): Promise<void> => {
  const { repository, setTime } = expansion;
  const object = objectAt(expansion, index);
  const { revised } = object;
  if (revised === undefined) return;
  const bundle = { ...contentTypeOf(expansion, object, index), newRevision: true };
  const principal = await accountCalled(expansion, revised.owner, ['objects', index, 'revised', 'owner']);
  setTime(Date.parse(revised.date));
  const { store, clock } = repository.parts;
  const now = secondsOf(clock);
  const key = entityKey('node', node);
  await store.transact([key], (view) => {
    const present = view.get(key);
    if (present === undefined) throw new Error(`There is no ${key}.`);
    const revision = {
      ...nextRevision(bundle, { view, now }),
      revision_uid: [{ target_id: principal.uid }],
      changed: changedAt(present, now),
    };
    return { changes: [{ put: { ...present, fields: { ...present.fields, ...revision } } }], result: undefined };
  });
};

const objectAt = ({ fixture }: Expansion, index: number): ShortObject => {
  const object = fixture.objects[index];
  if (object === undefined) throw new Error(`There is no object ${index}.`);
  return object;
};

/** The further fields as a POST has them: names of terms have become ids. */
const fieldsOf = async (
  expansion: Expansion,
  { fields = {} }: ShortObject,
  bundle: Bundle,
  keys: Keys,
): Promise<JsonObject> => {
  const read: Record<string, Json> = {};
  for (const [name, items] of Object.entries(fields)) {
    const field = bundle.fields.get(name);
    const idOf = (term: string, position: number): Promise<number> =>
      termCalled(expansion, term, field, [...keys, name, position]);
    const withIds = async (item: ShortItem, position: number): Promise<Json> => {
      if (field?.target?.type !== 'taxonomy_term') return item;
      if (typeof item === 'string') return { target_id: await idOf(item, position) };
      if (typeof item !== 'object' || typeof item['term'] !== 'string') return item;
      const { term, ...others } = item;
      return { target_id: await idOf(term, position), ...others };
    };
    read[name] = await Promise.all(items.map(withIds));
  }
  return read;
};

const contentTypeOf = ({ site, fixture }: Expansion, { type }: ShortObject, index: number): Bundle => {
  const [first] = site.model.bundles('node');
  const bundle = type === undefined ? first : site.model.bundle('node', type);
  if (bundle !== undefined) return bundle;
  const known = site.model.bundles('node').map(({ id }) => id);
  const message = `there is no content type "${type ?? ''}".`;
  throw fixture.flaw(['objects', index, 'type'], message, `Choose from: ${known.join(', ')}.`);
};

/** The account may do everything here: the author of the file is who runs the server. */
const accountCalled = async (
  { fixture, repository, site }: Expansion,
  called: string | undefined,
  keys: Keys,
): Promise<Principal> => {
  const everything = { roles: [], permissions: new Set<string>(), mayEverything: true };
  if (called === undefined) return { uid: site.accounts.some(({ uid }) => uid === 1) ? 1 : 0, name: '', ...everything };
  const [[account] = []] = await repository.parts.store.lookupMany([userNamed(called)]);
  if (account !== undefined && called !== '') return { uid: account.id, name: called, ...everything };
  const known = site.accounts.map(({ name }) => name);
  throw fixture.flaw(keys, `there is no account "${called}".`, `Choose from: ${known.join(', ')}.`);
};
