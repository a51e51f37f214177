/** Reads the text formats of a site, and which roles may use them. */
import type { RoleInput, SiteInput } from './site-files.ts';

type TextFormats = Pick<SiteInput, 'text_formats'>;

/** The names of the formats. Everybody may use the first. */
export const textFormatsOf = ({ text_formats: formats }: TextFormats): readonly string[] =>
  Array.isArray(formats) ? formats : Object.keys(formats);

/** The formats whose texts are HTML. */
export const htmlFormatsOf = ({ text_formats: formats }: TextFormats): ReadonlySet<string> =>
  new Set(Array.isArray(formats) ? [] : Object.keys(formats).filter((name) => formats[name]?.html === true));

/** The roles that the formats name, by format. */
export const rolesByFormat = ({ text_formats: formats }: TextFormats): readonly (readonly [string, string[]])[] =>
  Array.isArray(formats) ? [] : Object.entries(formats).map(([name, { roles }]) => [name, roles] as const);

/** The permissions of a role with those that the text formats give it. */
export const permissionsWithFormats = (role: RoleInput, formats: TextFormats): readonly string[] => {
  const given = rolesByFormat(formats)
    .filter(([, roles]) => roles.includes(role.id))
    .map(([name]) => `use text format ${name}`);
  return given.length === 0 ? role.permissions : [...new Set([...role.permissions, ...given])];
};
