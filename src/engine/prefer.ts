/** The `Prefer` header (RFC 7240) as a wish for a mocked answer. */
import type { MockWish } from './backend.ts';

/** `code=404, example=nodeMissing, dynamic=true`, any of them; undefined when none is asked: other preferences are not ours. */
export const wishOf = (header: string | undefined): MockWish | undefined => {
  if (header === undefined) return undefined;
  const wishes = new Map(
    header.split(/[,;]/).map((part) => {
      const [name = '', value = ''] = part.split('=').map((text) => text.trim().replace(/^"|"$/g, ''));
      return [name.toLowerCase(), value] as const;
    }),
  );
  const wish = { code: wishes.get('code'), example: wishes.get('example'), dynamic: wishes.get('dynamic') === 'true' };
  return wish.code === undefined && wish.example === undefined && !wish.dynamic ? undefined : wish;
};
