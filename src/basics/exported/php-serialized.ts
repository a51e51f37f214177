/** Writes a value of texts and arrays as PHP serialises it: the names of an array in order, lengths in bytes. */
export const phpSerialized = (value: unknown): string => {
  if (typeof value !== 'object' || value === null) {
    const text = typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value);
    return `s:${Buffer.byteLength(text)}:"${text}";`;
  }
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  const members = entries.map(([name, member]) => serializedName(name) + phpSerialized(member));
  return `a:${entries.length}:{${members.join('')}}`;
};

/** A name of digits is a number for PHP. */
const serializedName = (name: string): string =>
  /^(0|[1-9]\d{0,17})$/.test(name) ? `i:${name};` : `s:${Buffer.byteLength(name)}:"${name}";`;
