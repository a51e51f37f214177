/** Reads members of values that a server has sent, of which nothing is known. */

/** A member of an object. Undefined for everything else. */
export const memberOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>)[name] : undefined; // of any object

/** A member of the first item of a field of a record. */
export const firstMember = (record: unknown, field: string, member = 'value'): unknown => {
  const items = memberOf(record, field);
  return Array.isArray(items) ? memberOf(items[0], member) : undefined;
};
