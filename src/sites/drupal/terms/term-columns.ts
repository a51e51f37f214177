/** Puts values under destinations such as `field_authority_link/uri` together to field items. */
import type { Data } from '../lenient-values.ts';

/** The member of an item that a destination without a property means. Types read the one that they know. */
const bareMember = 'value';

/**
 * Items by field name. `field_code` gives `{ value }`, `field_link/uri` gives `{ uri }`, `field_link/1/uri` belongs to
 * the second item. A list of values makes one item each.
 */
export const itemsFrom = (
  cells: readonly (readonly [destination: string, value: string | readonly string[]])[],
): Readonly<Record<string, readonly Data[]>> => {
  const fields = new Map<string, Record<string, string>[]>();
  for (const [destination, value] of cells) {
    const [field = '', ...path] = destination.split('/');
    const position = /^\d{1,3}$/.test(path[0] ?? '') ? Number(path.shift()) : 0;
    const member = path[0] ?? bareMember;
    const items = fields.get(field) ?? [];
    fields.set(field, items);
    for (const [index, text] of [value].flat().entries()) {
      if (text === '') continue;
      const item = (items[position + index] ??= {});
      item[member] = text;
    }
  }
  return Object.fromEntries(
    [...fields].map(([field, items]) => [field, items.filter((item) => Object.keys(item).length > 0)] as const),
  );
};
