/** Makes the node of one object of a short fixture, and the media and files below it. */
import { userNamed } from '../../content/index-keys.ts';
import type { JsonObject } from '../../model/entity.ts';
import type { Bundle } from '../../model/bundle.ts';
import type { Principal } from '../../model/principal.ts';
import { nameOf, orFlaw, termCalled, type Expansion } from './expansion.ts';
import { uploadFile } from './upload-file.ts';
import type { ShortObject } from './read-short-fixture.ts';

/** Makes the object with this index as a member of `parents`, and returns the id of its node. */
export const makeObject = async (expansion: Expansion, index: number, parents: readonly number[]): Promise<number> => {
  const { fixture, repository, nameUuids } = expansion;
  const object = fixture.objects[index];
  if (object === undefined) throw new Error(`There is no object ${index}.`);
  const keys = ['objects', index];
  const bundle = contentTypeOf(expansion, object, index);
  const owner = await ownerOf(expansion, object, index);
  const model = await termCalled(expansion, object.model, bundle.fields.get('field_model'), [...keys, 'model']);
  const body: JsonObject = {
    ...object.fields,
    type: [{ target_id: bundle.id }],
    title: [{ value: object.title }],
    status: [{ value: object.published ?? true }],
    field_model: [{ target_id: model }],
    ...(parents.length === 0 ? {} : { field_member_of: parents.map((id) => ({ target_id: id })) }),
  };
  nameUuids(`node ${nameOf(object)}`);
  const node = await orFlaw(expansion, object.fields === undefined ? keys : [...keys, 'fields'], () =>
    repository.create(owner, 'node')(body),
  );
  for (const [position, file] of (object.files ?? []).entries()) {
    const name = `${nameOf(object)} ${file.use ?? ''} ${file.path}`;
    await uploadFile(expansion, file, { node: node.id, owner, name, keys: [...keys, 'files', position] });
  }
  return node.id;
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
const ownerOf = async (
  { fixture, repository, site }: Expansion,
  { owner }: ShortObject,
  index: number,
): Promise<Principal> => {
  const everything = { roles: [], permissions: new Set<string>(), mayEverything: true };
  if (owner === undefined) return { uid: site.accounts.some(({ uid }) => uid === 1) ? 1 : 0, name: '', ...everything };
  const [[account] = []] = await repository.parts.store.lookupMany([userNamed(owner)]);
  if (account !== undefined && owner !== '') return { uid: account.id, name: owner, ...everything };
  const known = site.accounts.map(({ name }) => name);
  const message = `there is no account "${owner}".`;
  throw fixture.flaw(['objects', index, 'owner'], message, `Choose from: ${known.join(', ')}.`);
};
