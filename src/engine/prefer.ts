/** Reads the `Prefer` header (RFC 7240). */
import type { MockPreference } from './backend.ts';

/** Any of `code=404, example=nodeMissing, dynamic=true`; undefined without them. Other preferences are ignored. */
export const mockPreference = (header: string | undefined): MockPreference | undefined => {
  if (header === undefined) return undefined;
  const preferences = new Map(
    header.split(/[,;]/).map((part) => {
      const [name = '', value = ''] = part.split('=').map((text) => text.trim().replace(/^"|"$/g, ''));
      return [name.toLowerCase(), value] as const;
    }),
  );
  const code = preferences.get('code');
  const example = preferences.get('example');
  const dynamic = preferences.get('dynamic') === 'true';
  return code === undefined && example === undefined && !dynamic ? undefined : { code, example, dynamic };
};
