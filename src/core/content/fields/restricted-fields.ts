/** Decides who sees and changes a field that is not for everybody: the permissions of the module `field_permissions`. */
import { oncePerBundle, type Bundle, type FieldDefinition } from '../../model/bundle.ts';
import { ownerOf, type Entity, type FieldName } from '../../model/entity.ts';
import { may, type Principal } from '../../model/principal.ts';

export const isRestricted = ({ access = 'public' }: FieldDefinition): boolean => access !== 'public';

const isOwner = ({ uid }: Principal, entity: Entity): boolean => uid !== 0 && ownerOf(entity) === uid;

const allows = (
  verb: 'view' | 'edit',
  principal: Principal,
  entity: Entity,
  { name, access = 'public' }: FieldDefinition,
): boolean => {
  if (access === 'public' || principal.mayEverything) return true;
  if (access === 'private') return isOwner(principal, entity) || may(principal, 'access private fields');
  return may(principal, `${verb} ${name}`) || (isOwner(principal, entity) && may(principal, `${verb} own ${name}`));
};

export const mayViewField = (principal: Principal, entity: Entity, field: FieldDefinition): boolean =>
  allows('view', principal, entity, field);

export const mayEditField = (principal: Principal, entity: Entity, field: FieldDefinition): boolean =>
  allows('edit', principal, entity, field);

/** Anyone who creates a record may fill its private fields. */
export const mayCreateField = (principal: Principal, { name, access }: FieldDefinition): boolean =>
  access !== 'custom' || may(principal, `create ${name}`);

/** The fields of a bundle that are not for everybody. */
const restrictedFieldsOf = oncePerBundle((bundle): readonly FieldDefinition[] =>
  [...bundle.fields.values()].filter(isRestricted),
);

/** Whether an answer that shows a record of the bundle can depend on who owns the record. */
export const hasOwnersFields = (bundle: Bundle): boolean => restrictedFieldsOf(bundle).length > 0;

/**
 * The bundle with the fields that the viewer may see of a record: the same object where the viewer may see all. Without a
 * viewer no restricted field is there.
 */
export const visibleBundle = (bundle: Bundle, entity: Entity, viewer: Principal | undefined): Bundle => {
  const fields = restrictedFieldsOf(bundle);
  if (fields.length === 0) return bundle;
  const hidden = fields.filter((field) => viewer === undefined || !mayViewField(viewer, entity, field));
  return hidden.length === 0
    ? bundle
    : bundleWithout(
        bundle,
        hidden.map(({ name }) => name),
      );
};

/** Bundles are compared by identity, so that each combination of hidden fields is made once. */
const bundleWithout = (bundle: Bundle, hidden: readonly FieldName[]): Bundle => {
  const known = reduced.get(bundle) ?? new Map<string, Bundle>();
  reduced.set(bundle, known);
  const key = hidden.join();
  const made = known.get(key) ?? {
    ...bundle,
    fields: new Map([...bundle.fields].filter(([name]) => !hidden.includes(name))),
  };
  known.set(key, made);
  return made;
};

const reduced = new WeakMap<Bundle, Map<string, Bundle>>();
