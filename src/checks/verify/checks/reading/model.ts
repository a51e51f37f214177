/** Checks the reads of the content model: bundles and fields are as the site has them, and only for those who may see them. */
import type { Operation } from '../../../../core/document/operation.ts';
import type { Bundle, FieldDefinition } from '../../../../core/model/bundle.ts';
import type { TargetContract } from '../../../target/contract-source.ts';
import { expectRefusal, expectSame, expectThat, shown } from '../../answer.ts';
import { type Check, contractRule } from '../../check.ts';
import { memberOf, recordOf, valueIn, type JsonRecord } from '../../record-members.ts';
import { accountFor, readAddress, readsOf } from './addresses.ts';
import { isVisitor, readingCheck, readOk } from './reading-check.ts';
import { readKind, seenKinds } from './seen-records.ts';

export const modelChecks = (contract: TargetContract): readonly Check[] => {
  const { model } = contract.site;
  return [
    ...model.bundles('node').map((bundle) => bundleCheck(bundle, nodeType)),
    ...model.bundles('media').map((bundle) => bundleCheck(bundle, mediaType)),
    ...model.bundles('taxonomy_term').map((bundle) => bundleCheck(bundle, vocabulary)),
    ...fieldsOf(contract).flatMap(([bundle, field]) => [fieldCheck(bundle, field), storageCheck(bundle, field)]),
    ...modelReads(contract).map(visitors),
    ...configurations.map(sameUuid),
  ];
};

type BundleRead = readonly [
  word: string,
  operation: string,
  path: string,
  expect: (json: JsonRecord, bundle: Bundle) => void,
];

const expectMembers = (json: JsonRecord, wanted: JsonRecord): void => {
  for (const [name, value] of Object.entries(wanted)) expectSame(json[name], value, name);
};

const nodeType: BundleRead = [
  ...(['node-type', 'getNodeType', '/entity/node_type'] as const),
  (json, { id, label }) => expectMembers(json, { type: id, name: label, status: true }),
];

const mediaType: BundleRead = [
  ...(['media-type', 'getMediaType', '/entity/media_type'] as const),
  (json, { id, label, source }) => {
    expectMembers(json, { id, label, status: true });
    expectSame(memberOf(json['source_configuration'], 'source_field'), source?.field, 'The source field');
  },
];

const vocabulary: BundleRead = [
  ...(['vocabulary', 'getVocabulary', '/entity/taxonomy_vocabulary'] as const),
  (json, { id, label }) => expectMembers(json, { vid: id, name: label, status: true }),
];

const bundleCheck = (bundle: Bundle, [word, operation, path, expect]: BundleRead): Check =>
  readingCheck({
    ...contractRule(`model.${word}.${bundle.id}`, `document: ${operation}`),
    rule: `${path}/${bundle.id} shows the name, the label and the source of what the site has.`,
    operations: [operation],
    run: async (context) => expect(recordOf(await readOk(context, `${path}/${bundle.id}?_format=json`)), bundle),
  });

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

const fieldCheck = ({ entityType, id }: Bundle, { name, label, required }: FieldDefinition): Check =>
  readingCheck({
    ...contractRule(`model.field.${entityType}.${id}.${name}`, 'document: getFieldConfig'),
    rule: `The configuration of the field ${name} of ${id} has its label, and whether it is required.`,
    operations: ['getFieldConfig'],
    run: async (context) => {
      const json = recordOf(await readOk(context, `/entity/field_config/${entityType}.${id}.${name}?_format=json`));
      const config = { id: `${entityType}.${id}.${name}`, field_name: name, entity_type: entityType, bundle: id };
      expectMembers(json, { ...config, label, required });
    },
  });

const storageCheck = ({ entityType, id }: Bundle, { name, cardinality, target }: FieldDefinition): Check =>
  readingCheck({
    ...contractRule(`model.storage.${entityType}.${id}.${name}`, 'document: getFieldStorageConfig'),
    rule: `The storage of the field ${name} of ${id} has its number of items and the type of its targets.`,
    operations: ['getFieldStorageConfig'],
    run: async (context) => {
      const json = recordOf(await readOk(context, `/entity/field_storage_config/${entityType}.${name}?_format=json`));
      const most = Number.isFinite(cardinality) ? cardinality : -1;
      expectMembers(json, { field_name: name, entity_type: entityType, cardinality: most });
      const type = memberOf(json['settings'], 'target_type');
      expectThat(target === undefined || type === undefined || type === target.type, `Its targets are ${shown(type)}.`);
    },
  });

/** Content types may be read by everybody who reads content. */
const modelReads = (contract: TargetContract): readonly Operation[] =>
  readsOf(contract).filter(
    ({ id, path }) => id !== 'getNodeType' && /^\/entity\/(?!file)|^\/islandora_workbench/.test(path),
  );

/** Who may do nothing but read content learns nothing of the model. */
const visitors = (operation: Operation): Check =>
  readingCheck({
    ...contractRule(`model.${operation.id}.guarded`, `document: ${operation.id}, 401 and 403`),
    rule: `Visitors and accounts without permissions are refused ${operation.path}, with 401 and 403.`,
    operations: [operation.id],
    run: async (context) => {
      const path = readAddress(context, operation);
      expectRefusal(await context.ask({ path }), 401, 403);
      const plain = context.accounts.find((account) => !isVisitor(account) && account.roles?.length === 0);
      if (plain === undefined || isVisitor(accountFor(context, operation))) return;
      expectThat((await context.ask({ path, as: plain })).status === 403, `${plain.name} is not refused with 403.`);
    },
  });

/** The configurations of the bundles of records, and the field with its reference. */
const configurations = [
  [seenKinds.node, nodeType, 'type'],
  [seenKinds.media, mediaType, 'bundle'],
  [seenKinds.term, vocabulary, 'vid'],
] as const;

const sameUuid = ([kind, [, operation, path], field]: (typeof configurations)[number]): Check =>
  readingCheck({
    ...contractRule(`model.uuid.${kind.word}`, 'contract: Element shapes, Reference element'),
    rule: `The target_uuid of the bundle of a ${kind.word} is the uuid of its configuration.`,
    operations: [kind.operation, operation],
    run: async (context) => {
      const { record, bundle } = await readKind(context, kind);
      const json = recordOf(await readOk(context, `${path}/${bundle.id}?_format=json`));
      expectSame(valueIn(record, field, 'target_uuid'), json['uuid']);
    },
  });
