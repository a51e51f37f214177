/** Joins the instances of fields with their storages. */
import { fieldedTypes } from '../../../repository/repository-sites.ts';
import type { Configuration } from '../configuration.ts';
import { type Data, dataOf, filledTextOf } from '../../../basics/exported/lenient-values.ts';
import type { Reporter } from '../report.ts';

/** A field of one bundle, as the configuration says it. */
export type FieldSource = {
  /** The name of the configuration object, for the report. */
  readonly where: string;
  readonly entityType: string;
  readonly bundle: string;
  readonly name: string;
  /** The type as Drupal calls it. */
  readonly type: string;
  readonly instance: Data;
  /** The settings of the instance and of the storage. */
  readonly settings: Data;
  readonly storage: Data;
  readonly storageSettings: Data;
};

export const fieldSourcesOf = (configuration: Configuration, reporter: Reporter): readonly FieldSource[] =>
  configuration.family('field.field').flatMap(({ id, name: where, data: instance }) => {
    const [entityType = '', bundle = '', ...rest] = id.split('.');
    if (!(fieldedTypes as readonly string[]).includes(entityType)) {
      reporter.remark(where, `records of type ${entityType} are not served`);
      return [];
    }
    const name = filledTextOf(instance['field_name']) ?? rest.join('.');
    const storage = configuration.one('field.storage', `${entityType}.${name}`);
    const type = filledTextOf(storage?.['type']) ?? filledTextOf(instance['field_type']);
    if (type === undefined) {
      reporter.partly(where, 'neither the field nor its storage says its type, so it is left out');
      return [];
    }
    if (storage === undefined) reporter.remark(where, 'the storage of the field is missing, so defaults are taken');
    return {
      ...{ where, entityType, bundle, name, type, instance },
      settings: dataOf(instance['settings']),
      storage: storage ?? {},
      storageSettings: dataOf(storage?.['settings']),
    };
  });

/** The fields of a bundle, by name. */
export const sourcesOfBundle = (
  sources: readonly FieldSource[],
  entityType: string,
  bundle: string,
): readonly FieldSource[] => sources.filter((source) => source.entityType === entityType && source.bundle === bundle);
