/** Writes a list of a site as a view with a REST display, as Drupal exports it. Only tests need it. */
import type { Data } from '../../src/basics/exported/lenient-values.ts';
import { listedTables } from '../../src/sites/drupal/views/view-fields.ts';
import type { ListInput } from '../support/site-files.ts';

const tableOf = (type: string): string =>
  Object.entries(listedTables).find(([, listed]) => listed === type)?.[0] ?? 'no_table';

/** Configured fields have tables of their own. */
const handler = (list: ListInput, field: string): Data =>
  field.startsWith('field_')
    ? { table: `${list.entity_type}__${field}`, field: `${field}_value`, relationship: 'none', plugin_id: 'string' }
    : { table: tableOf(list.entity_type), field, entity_field: field, relationship: 'none', plugin_id: 'string' };

/** A list that finds terms by each of their addresses is as near to a view as it can be. */
const asField = (name: string): string => (name === 'uri' ? 'field_external_uri' : name);

export const exportedView = (list: ListInput): Data => ({
  base_table: tableOf(list.entity_type),
  display: {
    default: {
      display_plugin: 'default',
      display_options: {
        title: list.label,
        arguments: argumentHandlers(list),
        filters: Object.fromEntries(
          Object.entries(list.where).map(([name, value]) => [name, filter(list, name, value)]),
        ),
        sorts: Object.fromEntries(
          list.sort.map((name) => [
            name,
            { ...handler(list, name.replace(/^-/, '')), order: name.startsWith('-') ? 'DESC' : 'ASC' },
          ]),
        ),
        access: accessOf(list.permissions),
        fields: Object.fromEntries(
          Object.entries(list.fields ?? {}).map(([name, field]) => [
            name,
            { ...handler(list, typeof field === 'string' ? field : field.field), plugin_id: 'field', type: 'string' },
          ]),
        ),
        style: { type: 'table' },
        row: { type: 'fields' },
      },
    },
    rest_export_1: {
      display_plugin: 'rest_export',
      display_options: {
        path: list.path.replace(/^\//, '').replace(/\{(\w+)\}/g, '%$1'),
        auth: list.providers,
        pager: pager(list),
        style: {
          type: 'serializer',
          options: { formats: Object.fromEntries(list.formats.map((name) => [name, name])) },
        },
        ...(list.fields === undefined ? {} : { row: { type: 'data_field', options: { field_options: {} } } }),
      },
    },
    page: { display_plugin: 'page', display_options: { path: 'admin/x' } },
  },
});

const accessOf = (permissions: readonly string[]): Data => {
  const [only, ...others] = permissions;
  if (only === undefined) return { type: 'none' };
  if (others.length === 0) return { type: 'perm', options: { perm: only } };
  return {
    type: 'multiple_permissions',
    options: { permissions: Object.fromEntries(permissions.map((name) => [name, name])) },
  };
};

const pager = ({ page_size: size, largest_page: largest }: ListInput): Data =>
  size === 'all'
    ? { type: 'none', options: { offset: 0 } }
    : {
        type: 'mini',
        options: {
          ...{ offset: 0, items_per_page: size },
          expose: { items_per_page: largest !== undefined, items_per_page_options: `5, ${largest ?? size}` },
        },
      };

const filter = (list: ListInput, name: string, value: unknown): Data =>
  typeof value === 'boolean'
    ? { ...handler(list, name), plugin_id: 'boolean', value: value ? '1' : '0', group: 1 }
    : { ...handler(list, name), operator: '=', value, group: 1 };

const argumentHandlers = (list: ListInput): Data => ({
  ...Object.fromEntries(
    [...list.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => {
      const written = list.arguments[name] ?? '';
      const [field, isChecked] = typeof written === 'string' ? [written, true] : [written.field, written.check];
      return [
        `of_${name}`,
        {
          ...handler(list, field),
          default_action: 'not found',
          validate: { type: isChecked ? 'entity:node' : 'none' },
        },
      ];
    }),
  ),
  ...Object.fromEntries(
    Object.entries(list.parameters).map(([name, written]) => {
      const [field, isRequired] = typeof written === 'string' ? [written, false] : [written.field, written.required];
      return [
        `by_${name}`,
        {
          ...handler(list, asField(field)),
          ...{ default_action: 'default', default_argument_type: 'query_parameter', exception: { value: 'all' } },
          default_argument_options: { query_param: name, fallback: isRequired ? '' : 'all' },
        },
      ];
    }),
  ),
});
