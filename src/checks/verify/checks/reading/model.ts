/** Checks the reads of the content model: bundles and fields are as the site has them, and only for those who may see them. */
import type { Operation } from '../../../../repository/repository-engine.ts';
import { type Bundle, type FieldDefinition, identityOf } from '../../../../repository/repository.ts';
import type { TargetContract } from '../../../target/contract-source.ts';
import { expectRefusal, expectSame, expectThat, shown } from '../../answer.ts';
import type { Check } from '../../check.ts';
import { memberOf, recordOf, valueIn, type JsonRecord } from '../../record-members.ts';
import { accountFor, readAddress, readsOf } from './addresses.ts';
import { isVisitor, readOk } from './reading-check.ts';
import { readKind, seenKinds, type SeenKind } from './seen-records.ts';
import { contractRule, checksThatRead, type Rule } from '../../rule.ts';

export const modelChecks = (contract: TargetContract): readonly Check[] => {
  const { model } = contract.site;
  const rules = [
    ...bundleReads.flatMap((read) => model.bundles(read.kind.type).map((bundle) => bundleRule(bundle, read))),
    ...fieldsOf(contract).flatMap(([bundle, field]) => [fieldRule(bundle, field), storageRule(bundle, field)]),
    ...modelReads(contract).map(visitors),
    ...bundleReads.map(sameUuid),
  ];
  return checksThatRead(rules, { topic: 'model' });
};

/** The configuration of the bundles of a kind of records, and what it shows of one. */
type BundleRead = {
  readonly kind: SeenKind;
  readonly word: string;
  readonly operation: string;
  readonly path: string;
  readonly shows: (bundle: Bundle) => JsonRecord;
};

const bundleReads: readonly BundleRead[] = [
  {
    ...{ kind: seenKinds.node, word: 'node-type', operation: 'getNodeType', path: '/entity/node_type' },
    shows: ({ id, label }) => ({ type: id, name: label, status: true }),
  },
  {
    ...{ kind: seenKinds.media, word: 'media-type', operation: 'getMediaType', path: '/entity/media_type' },
    shows: ({ id, label }) => ({ id, label, status: true }),
  },
  {
    ...{ kind: seenKinds.term, word: 'vocabulary', operation: 'getVocabulary', path: '/entity/taxonomy_vocabulary' },
    shows: ({ id, label }) => ({ vid: id, name: label, status: true }),
  },
];

const expectMembers = (json: JsonRecord, wanted: JsonRecord): void => {
  for (const [name, value] of Object.entries(wanted)) expectSame(json[name], value, name);
};

const bundleRule = (bundle: Bundle, { word, operation, path, shows }: BundleRead): Rule =>
  contractRule(`${word}.${bundle.id}`, `document: ${operation}`)(
    `${path}/${bundle.id} shows the name, the label and the source of what the site has.`,
    async (context) => {
      const json = recordOf(await readOk(context, `${path}/${bundle.id}?_format=json`));
      expectMembers(json, shows(bundle));
      const source = memberOf(json['source_configuration'], 'source_field');
      if (bundle.entityType === 'media') expectSame(source, bundle.source?.field, 'The source field');
    },
    { also: [operation] },
  );

/** The fields of the nodes and media of the repository: required ones, and the first of each type. */
const fieldsOf = ({ site }: TargetContract): readonly (readonly [Bundle, FieldDefinition])[] => {
  const bundles = [...site.model.bundles('node'), ...site.model.bundles('media')].filter(
    ({ fields }) => fields.has('field_model') || fields.has('field_media_of'),
  );
  const types = new Set<string>();
  return bundles.flatMap((bundle) =>
    [...bundle.fields.values()].flatMap((field) => {
      const kind = `${bundle.entityType} ${field.type}`;
      if (!field.configured || (!field.required && types.has(kind))) return [];
      types.add(kind);
      return [[bundle, field] as const];
    }),
  );
};

const fieldRule = ({ entityType, id }: Bundle, { name, label, required }: FieldDefinition): Rule =>
  contractRule(`field.${entityType}.${id}.${name}`, 'document: getFieldConfig')(
    `The configuration of the field ${name} of ${id} has its label, and whether it is required.`,
    async (context) => {
      const json = recordOf(await readOk(context, `/entity/field_config/${entityType}.${id}.${name}?_format=json`));
      const config = { id: `${entityType}.${id}.${name}`, field_name: name, entity_type: entityType, bundle: id };
      expectMembers(json, { ...config, label, required });
    },
    { also: ['getFieldConfig'] },
  );

const storageRule = ({ entityType, id }: Bundle, { name, cardinality, target }: FieldDefinition): Rule =>
  contractRule(`storage.${entityType}.${id}.${name}`, 'document: getFieldStorageConfig')(
    `The storage of the field ${name} of ${id} has its number of items and the type of its targets.`,
    async (context) => {
      const json = recordOf(await readOk(context, `/entity/field_storage_config/${entityType}.${name}?_format=json`));
      const most = Number.isFinite(cardinality) ? cardinality : -1;
      expectMembers(json, { field_name: name, entity_type: entityType, cardinality: most });
      const type = memberOf(json['settings'], 'target_type');
      expectThat(target === undefined || type === undefined || type === target.type, `Its targets are ${shown(type)}.`);
    },
    { also: ['getFieldStorageConfig'] },
  );

/** Content types may be read by everybody who reads content. */
const modelReads = (contract: TargetContract): readonly Operation[] =>
  readsOf(contract).filter(
    ({ id, path }) => id !== 'getNodeType' && /^\/entity\/(?!file)|^\/islandora_workbench/.test(path),
  );

/** Who may do nothing but read content learns nothing of the model. */
const visitors = (operation: Operation): Rule =>
  contractRule(`${operation.id}.guarded`, `document: ${operation.id}, 401 and 403`)(
    `Visitors and accounts without permissions are refused ${operation.path}, with 401 and 403.`,
    async (context) => {
      const path = readAddress(context, operation);
      expectRefusal(await context.ask({ path }), 401, 403);
      const plain = context.accounts.find((account) => !isVisitor(account) && account.roles?.length === 0);
      if (plain === undefined || isVisitor(accountFor(context, operation))) return;
      expectThat((await context.ask({ path, as: plain })).status === 403, `${plain.name} is not refused with 403.`);
    },
    { also: [operation.id] },
  );

const sameUuid = ({ kind, operation, path }: BundleRead): Rule =>
  contractRule(`uuid.${kind.word}`, 'contract: Element shapes, Reference element')(
    `The target_uuid of the bundle of a ${kind.word} is the uuid of its configuration.`,
    async (context) => {
      const { record, bundle } = await readKind(context, kind);
      const json = recordOf(await readOk(context, `${path}/${bundle.id}?_format=json`));
      expectSame(valueIn(record, identityOf(kind.type).bundle ?? '', 'target_uuid'), json['uuid']);
    },
    { also: [kind.operation, operation] },
  );
