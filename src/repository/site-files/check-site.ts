/** Checks that the files of a site agree with each other. `site-files.ts` checks each file alone. */
import type { RepositoryType } from '../model/entity.ts';
import { fieldTypeOf, fieldTypes } from '../fields/field-types.ts';
import type { LivingInput } from '../site/living-file.ts';
import { baseFieldsFor, overrideViolations } from './base-definitions.ts';
import { ConfigurationError } from '../../basics/configuration-error.ts';
import { graphViolations } from './graph-definition.ts';
import { configuredFields } from './field-definition.ts';
import { fieldSettingViolations } from './field-settings.ts';
import type { ListInput } from './list-files.ts';
import { listViolations, type ListSurroundings } from './list-violations.ts';
import type {
  AccountsInput,
  BundleInput,
  FieldInput,
  ResourceInput,
  RoleInput,
  SiteInput,
  VocabularyInput,
} from './site-files.ts';
import { termViolations } from './term-input.ts';
import { rolesByFormat, textFormatsOf } from './text-formats.ts';
import { workflowViolations } from '../site/workflows.ts';

/** The content of a file, with the file's name for messages. */
type Sourced<T> = { readonly file: string; readonly content: T };

type SiteContents = {
  readonly settings: Sourced<SiteInput>;
  readonly bundles: readonly Sourced<BundleInput>[];
  readonly vocabularies: readonly Sourced<VocabularyInput>[];
  readonly roles: readonly Sourced<RoleInput>[];
  readonly resources: readonly Sourced<ResourceInput>[];
  readonly lists: readonly Sourced<ListInput>[];
  readonly accounts: Sourced<AccountsInput>;
  readonly living: LivingInput;
};

/** Throws `ConfigurationError` with one line per violation: file, key, what is wrong, remedy. */
export const checkSite = (site: SiteContents): void => {
  const violations = [
    ...settingViolations(site.settings),
    ...formatViolations(site),
    ...site.bundles.flatMap((bundle) => bundleViolations(bundle, bundle.content.entity_type, site)),
    ...site.bundles.flatMap(sourceViolations),
    ...site.vocabularies.flatMap((vocabulary) => bundleViolations(vocabulary, 'taxonomy_term', site)),
    ...site.vocabularies.flatMap((vocabulary) => vocabularyTermViolations(vocabulary, site)),
    ...site.roles.flatMap(permissionViolations),
    ...[accountViolations, workflowViolations].flatMap((check) => check(site)),
    ...(site.lists.length === 0 ? [] : listViolations(site.lists, surroundingsOf(site))),
    ...duplicates(site),
  ];
  if (violations.length > 0) throw new ConfigurationError(violations.join('\n'));
};

const settingViolations = ({ file, content }: Sourced<SiteInput>): string[] => {
  const { langcode, languages, storages, default_scheme: scheme } = content;
  const prefixes = Object.entries(storages);
  return [
    ...(languages.includes(langcode)
      ? []
      : [`${file}: langcode: "${langcode}" is not among languages. Add it there, or choose ${languages.join(', ')}.`]),
    ...(Object.hasOwn(storages, scheme) ? [] : [`${file}: default_scheme: ${notMounted(scheme, storages)}`]),
    ...prefixes.flatMap(([name, storage]) => keyViolations(`${file}: storages.${name}`, storage)),
    ...prefixes.flatMap(([name, { prefix }], index) => {
      const first = prefixes.slice(0, index).find(([, other]) => other.prefix === prefix);
      return first === undefined
        ? []
        : [
            `${file}: storages.${name}.prefix: "${prefix}" is the prefix of ${first[0]} already. Give each storage its own.`,
          ];
    }),
  ];
};

/** With only one of the two keys, the AWS SDK would silently use other keys. */
const keyViolations = (where: string, storage: SiteInput['storages'][string]): string[] => {
  if (storage.kind !== 's3') return [];
  const names = ['access_key_id', 'secret_access_key'] as const;
  const missing = names.filter((name) => storage[name] === undefined);
  return missing.length === 1
    ? [`${where}.${missing.join()}: is missing. Add it, or remove the other key to use those of the environment.`]
    : [];
};

const notMounted = (scheme: string, storages: SiteInput['storages']): string =>
  `"${scheme}" is not among storages (${Object.keys(storages).join(', ')}). Add it to storages in site.yml, or choose one of them.`;

type Fielded = {
  readonly fields: Readonly<Record<string, FieldInput>>;
  readonly base_fields: VocabularyInput['base_fields'];
  readonly rdf?: VocabularyInput['rdf'];
  readonly jsonld?: VocabularyInput['jsonld'];
};

const bundleViolations = ({ file, content }: Sourced<Fielded>, type: RepositoryType, site: SiteContents): string[] => {
  const definitions = baseFieldsFor(site.settings.content, site.living)(type);
  const base = definitions.map(({ name }) => name);
  const predicates = Object.keys(content.rdf?.fields ?? {});
  return [
    ...overrideViolations(definitions, type, content.base_fields).map((violation) => `${file}: ${violation}`),
    ...Object.entries(content.fields).flatMap(([name, field]) => [
      ...(base.includes(name)
        ? [`${file}: fields.${name}: every ${type} has this field. Give yours another name.`]
        : []),
      ...fieldViolations(`${file}: fields.${name}`, field, site),
    ]),
    ...graphViolations(file, content),
    ...predicates.flatMap((name) =>
      base.includes(name) || Object.hasOwn(content.fields, name)
        ? []
        : [`${file}: rdf.fields.${name}: there is no such field. Add it to fields, or remove the mapping.`],
    ),
  ];
};

const fieldViolations = (where: string, field: FieldInput, site: SiteContents): string[] => {
  const { storages } = site.settings.content;
  return [
    ...(field.scheme === undefined || Object.hasOwn(storages, field.scheme)
      ? []
      : [`${where}.scheme: ${notMounted(field.scheme, storages)}`]),
    ...targetViolations(where, field, site),
    ...fieldSettingViolations(where, field),
  ];
};

const targetViolations = (where: string, field: FieldInput, site: SiteContents): string[] => {
  const [{ target }, { refers }] = [field, fieldTypeOf(field)];
  if (refers === 'with-role' && target !== 'taxonomy_term' && target !== 'node') {
    return [`${where}.target: a typed relation leads to terms or nodes. Write target: taxonomy_term, or node.`];
  }
  if (refers === 'plainly' && target === undefined) {
    return [`${where}.target: a reference needs the type it leads to. Add one, such as target: taxonomy_term.`];
  }
  if (target === undefined) {
    return field.bundles === undefined ? [] : [`${where}.bundles: needs a target. Add target, or remove it.`];
  }
  const known = bundleIds(target, site);
  return (field.bundles ?? []).flatMap((bundle, index) =>
    known.includes(bundle)
      ? []
      : [`${where}.bundles.${index}: there is no ${target} "${bundle}". Choose from: ${known.join(', ')}.`],
  );
};

const bundleIds = (type: string, site: SiteContents): readonly string[] => {
  if (type === 'file' || type === 'user') return [type];
  if (type === 'taxonomy_term') return site.vocabularies.map(({ content }) => content.id);
  return site.bundles.flatMap(({ content }) => (content.entity_type === type ? [content.id] : []));
};

const sourceViolations = ({ file, content }: Sourced<BundleInput>): string[] => {
  const { source, entity_type: type, fields } = content;
  if (source === undefined) return [];
  if (type !== 'media') return [`${file}: source: only media types have a source. Remove it.`];
  const field = fields[source.field];
  if (field === undefined) {
    return [`${file}: source.field: there is no field "${source.field}". Add it to fields, or name another.`];
  }
  const kept = source.kind === 'oembed' ? 'address' : 'file';
  const types = fieldTypes.flatMap(({ name, sourceOf }) => (sourceOf === kept ? [name] : []));
  const gone = Object.values(source.field_map ?? {}).filter((name) => name !== 'name' && !Object.hasOwn(fields, name));
  return [
    ...(types.includes(field.type)
      ? []
      : [`${file}: source.field: "${source.field}" is of type ${field.type}. Name a field of type ${orOf(types)}.`]),
    ...gone.map((name) => `${file}: source.field_map: there is no field "${name}". Add it to fields, or remove it.`),
  ];
};

const orOf = (words: readonly string[]): string => `${words.slice(0, -1).join(', ')} or ${words.at(-1) ?? ''}`;

const vocabularyTermViolations = ({ file, content }: Sourced<VocabularyInput>, { settings }: SiteContents): string[] =>
  termViolations(content, {
    fields: content.fields,
    languages: settings.content.languages,
    textFormats: textFormatsOf(settings.content),
  }).map((violation) => `${file}: ${violation}`);

/** What the lists of a site may name. */
const surroundingsOf = ({ settings, bundles, vocabularies, roles, living }: SiteContents): ListSurroundings => {
  const base = baseFieldsFor(settings.content, living);
  return {
    fieldsOf: (type) => {
      const own = type === 'taxonomy_term' ? vocabularies : bundles.filter((each) => each.content.entity_type === type);
      return [...base(type), ...own.flatMap(({ content }) => configuredFields(content.fields))];
    },
    roles: roles.map(({ content }) => content.id),
    prefixes: Object.values(settings.content.storages).map(({ prefix }) => prefix),
  };
};

const formatViolations = ({ settings: { file, content }, roles }: SiteContents): string[] => {
  const known = roles.map((role) => role.content.id);
  return rolesByFormat(content).flatMap(([name, named]) =>
    named
      .filter((role) => !known.includes(role))
      .map(
        (role) =>
          `${file}: text_formats.${name}.roles: there is no role "${role}". ` +
          `Add roles/${role}.yml, or choose from: ${known.join(', ')}.`,
      ),
  );
};

/** Such a line would grant nothing, and nobody would notice. */
const permissionViolations = ({ file, content }: Sourced<RoleInput>): string[] =>
  content.permissions.flatMap((permission, index) => {
    const [, type, verb] = /^([a-z0-9_]+): ((?:edit|delete) (?:any|own)) media$/.exec(permission) ?? [];
    return type === undefined || verb === undefined
      ? []
      : [
          `${file}: permissions.${index}: "${permission}" is not a permission: only the text of a refusal has this form. ` +
            `Write "${verb} ${type} media".`,
        ];
  });

const accountViolations = ({ accounts, roles }: SiteContents): string[] => {
  const known = roles.map(({ content }) => content.id);
  return accounts.content.accounts.flatMap((account, index) =>
    account.roles.flatMap((role, roleIndex) =>
      known.includes(role)
        ? []
        : [
            `${accounts.file}: accounts.${index}.roles.${roleIndex}: there is no role "${role}". ` +
              `Add roles/${role}.yml, or choose from: ${known.join(', ')}.`,
          ],
    ),
  );
};

/** A value that must be unique, and where it is written. */
type Claim = { readonly file: string; readonly key: string; readonly value: string };

const duplicates = (site: SiteContents): string[] => {
  const bundles = [...site.bundles, ...site.vocabularies];
  const claims: readonly Claim[] = [
    ...site.bundles.map(({ file, content }) => ({ file, key: 'id', value: `${content.entity_type} ${content.id}` })),
    ...site.vocabularies.map(({ file, content }) => ({ file, key: 'id', value: `vocabulary ${content.id}` })),
    ...site.roles.map(({ file, content }) => ({ file, key: 'id', value: `role ${content.id}` })),
    ...site.resources.map(({ file, content }) => ({ file, key: 'resource', value: `resource ${content.resource}` })),
    ...bundles.map(({ file, content: { uuid } }) => ({ file, key: 'uuid', value: `uuid ${uuid}` })),
    ...site.accounts.content.accounts.flatMap((account, index) =>
      (['uid', 'uuid', 'name'] as const).map((member) => ({
        file: site.accounts.file,
        key: `accounts.${index}.${member}`,
        value: `${member} ${account[member]}`,
      })),
    ),
  ];
  const first = new Map<string, Claim>();
  const violations = claims.flatMap((claim) => {
    const other = first.get(claim.value);
    if (other !== undefined) return takenBy(claim, other);
    first.set(claim.value, claim);
    return [];
  });
  return [...violations, ...duplicateTerms(site.vocabularies, first)];
};

const takenBy = (claim: Claim, other: Claim): string =>
  `${claim.file}: ${claim.key}: ${claim.value} is taken by ${other.key} in ${other.file}. Give each its own.`;

/** Like the others, but a site can have thousands of terms: claims are made of those alone that are there twice. */
const duplicateTerms = (
  vocabularies: readonly Sourced<VocabularyInput>[],
  claims: ReadonlyMap<string, Claim>,
): string[] => {
  const violations: string[] = [];
  for (const member of ['tid', 'uuid'] as const) {
    const first = new Map<string | number, readonly [file: string, index: number]>();
    for (const { file, content } of vocabularies) {
      for (const [index, term] of content.terms.entries()) {
        const [otherFile, otherIndex] = first.get(term[member]) ?? [];
        const claimed = member === 'uuid' ? claims.get(`uuid ${term.uuid}`) : undefined;
        if (otherIndex === undefined && claimed === undefined) {
          first.set(term[member], [file, index]);
          continue;
        }
        const value = `${member} ${term[member]}`;
        const other = claimed ?? { file: otherFile ?? file, key: `terms.${otherIndex ?? 0}.${member}`, value };
        violations.push(takenBy({ file, key: `terms.${index}.${member}`, value }, other));
      }
    }
  }
  return violations;
};
