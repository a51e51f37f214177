/** Shows the fields of a bundle to forms: what they hold, what may be chosen, and whether anybody can set them. */
import { given } from '../../basics/json.ts';
import {
  languagesOf,
  fieldTypeOf,
  type Bundle,
  type FieldDefinition,
  newFields,
  identityOf,
  stateField,
  type Principal,
  type HttpMethod,
  type Site,
} from '../../repository/repository.ts';
import { creatingRefusal, updatingRefusal, isComputed, filledFields } from '../../repository/repository-content.ts';
import { formWidgets } from '../../../handlers/handlers.ts';
import type { components } from '../../client/generated/control.ts';

type ModelField = components['schemas']['ModelField'];
type Choice = components['schemas']['Choice'];

/** In the order of the bundle. `methods` are those of its resource on the site. */
export const modelFields = (site: Site, bundle: Bundle, methods: readonly HttpMethod[]): ModelField[] => {
  const form = formWidgets(site, bundle);
  const filled = filledNames(bundle, site);
  return [...bundle.fields.values()].map((field) => {
    const isCreated = methods.includes('POST') && isSetAtCreation(field, bundle);
    const isChanged = methods.includes('PATCH') && isChangeable(field, bundle);
    const { main, properties, form: partsOf } = fieldTypeOf(field);
    return {
      name: field.name,
      label: field.label,
      ...given({ description: field.description }),
      type: field.shown?.type ?? field.type,
      main,
      properties: [...properties],
      parts: [...(partsOf?.(field) ?? [])],
      required: field.required,
      filled: filled.has(field.name) || field.workflow !== undefined,
      cardinality: field.cardinality === Infinity ? null : field.cardinality,
      configured: field.configured,
      inForm: field.name in form,
      readOnly: !isCreated && !isChanged,
      createOnly: isCreated && !isChanged,
      ...rulesOf(field),
      ...choicesOf(field, site),
      ...filesOf(field, bundle, site),
    };
  });
};

/** The fields that have a value in a new record whose request leaves them out. */
const filledNames = (bundle: Bundle, { langcode }: Site): ReadonlySet<string> => {
  const { id } = identityOf(bundle.entityType);
  return new Set([
    ...[id, 'uuid'],
    ...Object.keys(newFields({ bundle, langcode, uid: everybody.uid, now: 0, revision: 1 })),
    ...filledFields(bundle),
  ]);
};

/** Somebody who may do everything. What they may not set, nobody may. */
const everybody: Principal = { uid: 1, name: '', roles: [], permissions: new Set(), mayEverything: true };

/** A state without a workflow has no effect. */
const isKept = ({ name, workflow }: FieldDefinition, bundle: Bundle): boolean =>
  !isComputed(name, bundle) && (name !== stateField || workflow !== undefined);

const isSetAtCreation = (field: FieldDefinition, bundle: Bundle): boolean =>
  isKept(field, bundle) && creatingRefusal(everybody, bundle, field.name) === undefined;

/** A record stays in its bundle and keeps its revision id. */
const isChangeable = (field: FieldDefinition, bundle: Bundle): boolean =>
  isKept(field, bundle) &&
  field.name !== identityOf(bundle.entityType).bundle &&
  field.name !== identityOf(bundle.entityType).revision &&
  (isOfSomebody(field.access) || updatingRefusal(everybody, bundle, field.name) === undefined);

/** Who may change a field that is not for everybody depends on the record. */
const isOfSomebody = (access: FieldDefinition['access']): boolean => access !== undefined && access !== 'public';

const rulesOf = (field: FieldDefinition) =>
  given({
    default: field.workflow ? [{ value: field.workflow.defaultState }] : field.default?.map((item) => ({ ...item })),
    maxLength: field.maxLength,
    min: field.min ?? (field.unsigned === true ? 0 : undefined),
    max: field.max,
    precision: field.precision,
    scale: field.scale,
    dateOnly: field.dateOnly,
    link: field.link,
    linkTitle: field.forms?.linkTitle,
    altRequired: field.forms?.altRequired,
  });

const choicesOf = (field: FieldDefinition, site: Site) => {
  const { allowedValues, target, relations, shown, forms } = field;
  const type = fieldTypeOf(field);
  return given({
    allowedValues: type.name === 'language' ? languageChoices(site) : allowedValues && choices(allowedValues),
    target: target && { type: target.type, ...given({ bundles: target.bundles && [...target.bundles] }) },
    relations: relations?.map((value): Choice => ({ value, label: shown?.relationLabels?.[value] ?? value })),
    sources: forms?.sources && choices(forms.sources),
    formats: type.keys?.includes('formats') === true ? [...(forms?.formats ?? site.textFormats)] : undefined,
  });
};

const choices = (labels: Readonly<Record<string, string>>): Choice[] =>
  Object.entries(labels).map(([value, label]) => ({ value, label }));

/** The languages of the site, and the two that every site has. */
const languageChoices = ({ languages }: Site): Choice[] => {
  const names = new Intl.DisplayNames(['en'], { type: 'language' });
  return languagesOf(languages).map((value) => ({
    value,
    label: fixedLanguages[value] ?? names.of(value) ?? value,
  }));
};

const fixedLanguages: Readonly<Record<string, string>> = { und: 'Not specified', zxx: 'Not applicable' };

const filesOf = ({ name, target, extensions }: FieldDefinition, { entityType, id }: Bundle, { beyond }: Site) =>
  given({
    extensions: extensions && [...extensions],
    uploadPath:
      beyond.file_upload && target?.type === 'file' && name !== 'thumbnail'
        ? `/file/upload/${entityType}/${id}/${name}?_format=json`
        : undefined,
  });
