/** Makes the body of a record without values: every field that the viewer may see, in the model's order. */
import { oncePerBundle, type Bundle } from '../model/bundle.ts';
import { bundleTypes, type Entity, identityFields, type JsonObject } from '../model/entity.ts';
import { may, type Principal } from '../model/principal.ts';

/** The body of a record without values, as the viewer sees it. The same object for all records of a kind. */
export const emptyBodyFor = (
  entity: Entity,
  bundle: Bundle,
  viewer: Principal | undefined,
  request: 'read' | 'write',
): JsonObject => {
  if (entity.type === 'user') return visibleUserBody(entity, bundle, viewer);
  return request === 'read' && bundle.entityType === 'taxonomy_term' ? readTermOf(bundle) : emptyBodyOf(bundle);
};

/** The body of a record without values: every field of its bundle, in order. */
const emptyBodyOf = oncePerBundle((bundle) => makeEmptyBody(bundle, [...bundle.fields.keys()]));

/**
 * The real site reads a description from two columns of the term's own row, which are there without a description, too.
 * The answer to a write does not read them: it has an empty list.
 */
const readTermOf = oncePerBundle((bundle) =>
  makeEmptyBody(bundle, [...bundle.fields.keys()], { description: [{ value: null, format: null, processed: '' }] }),
);

/** What an account keeps to itself and to those who administer accounts. */
const ownUserFields: readonly string[] = ['preferred_langcode', 'preferred_admin_langcode', 'mail', 'timezone'];
/** What only those see who administer accounts: the real site hides it from the account itself. */
const hiddenUserFields: readonly string[] = ['status', 'access', 'login', 'init', 'roles'];

const emptyBodyWithout = (hidden: readonly string[]): ((bundle: Bundle) => JsonObject) =>
  oncePerBundle((bundle) =>
    makeEmptyBody(
      bundle,
      [...bundle.fields.keys()].filter((name) => !hidden.includes(name)),
    ),
  );
const ownUserBodyOf = emptyBodyWithout(hiddenUserFields);
const publicUserBodyOf = emptyBodyWithout([...hiddenUserFields, ...ownUserFields]);

const visibleUserBody = (user: Entity, bundle: Bundle, viewer: Principal | undefined): JsonObject => {
  if (viewer === undefined) return publicUserBodyOf(bundle);
  if (may(viewer, 'administer users')) return emptyBodyOf(bundle);
  return viewer.uid === user.id ? ownUserBodyOf(bundle) : publicUserBodyOf(bundle);
};

const makeEmptyBody = (bundle: Bundle, names: readonly string[], others: JsonObject = {}): JsonObject => {
  const identity = identityFields[bundle.entityType].bundle;
  const fields = names.map((name) => [
    name,
    name === identity ? [bundleReference(bundle)] : (others[name] ?? emptyField(bundle, name)),
  ]);
  // V8 makes a slow hash table of an object with so many properties. JSON.parse returns a fast object.
  return JSON.parse(JSON.stringify(Object.fromEntries(fields))) as JsonObject; // the fields are JSON
};

/** A reference to a bundle has no `url`. The type of a redirect is a text. */
const bundleReference = ({ entityType, id, uuid }: Bundle): JsonObject =>
  entityType === 'redirect'
    ? { value: id }
    : { target_id: id, target_type: bundleTypes[entityType] ?? entityType, target_uuid: uuid };

/** A term without a parent refers to the root of its vocabulary, which has no id. */
const emptyField = (bundle: Bundle, name: string): readonly JsonObject[] =>
  bundle.entityType === 'taxonomy_term' && name === 'parent' ? [{ target_id: null }] : [];
