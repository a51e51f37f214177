/** Finds the best picture of an entity that the account may see, and who may see one where it may not. */
import { queryOptions, useQuery } from '@tanstack/react-query';
import { isAtollError } from '../../../src/client/client.ts';
import { clientOf, useActing, type Acting } from '../api/acting.ts';
import { addressFromHere } from '../api/address.ts';
import type { ControlSchemas } from '../api/control.ts';
import { bytesQuery, contentKey, queries, repositoryQuery, type EntitySummary } from '../api/queries.ts';
import { useList } from './summaries.ts';

/** The media of an object: those first that show it best. */
export const bestFirst = (media: readonly EntitySummary[]): readonly EntitySummary[] =>
  [...media].sort((a, b) => (a.rank ?? 0) - (b.rank ?? 0));

/** Formats that browsers show. A TIFF or a JPEG 2000 is a picture for other programs. */
const isShowable = ({ mime }: EntitySummary): boolean =>
  mime !== undefined && /^image\/(?:jpeg|png|gif|webp|avif|svg\+xml)$/.test(mime);

type Candidates = { readonly addresses: readonly string[]; readonly isPending: boolean };

/** The addresses of its pictures, the best first. */
const useCandidates = (entity: EntitySummary): Candidates => {
  const isNode = entity.type === 'node';
  const media = useList({ type: 'media', media_of: String(entity.id) }, isNode);
  if (!isNode) {
    const own = entity.thumbnail === undefined || !isShowable(entity) ? [] : [entity.thumbnail];
    return { addresses: own, isPending: false };
  }
  const shown = bestFirst(media.data?.entities ?? []).filter(isShowable);
  return { addresses: shown.flatMap(({ thumbnail }) => thumbnail ?? []), isPending: media.isPending };
};

/** `source` is an object URL, null where the account may see none of the pictures, and undefined while it is awaited. */
export type Picture = { readonly source: string | null | undefined; readonly addresses: readonly string[] };

/** Undefined for an entity without pictures. */
export const usePicture = (entity: EntitySummary): Picture | undefined => {
  const acting = useActing();
  const { addresses, isPending } = useCandidates(entity);
  const found = useQuery({
    queryKey: contentKey(acting, 'picture', ...addresses),
    queryFn: () => firstSeen(acting, addresses),
    enabled: addresses.length > 0,
    staleTime: 60_000,
  });
  const isExpected = isPending ? entity.thumbnail !== undefined : addresses.length > 0;
  if (!isExpected || found.isError) return undefined;
  return { source: found.data, addresses };
};

const firstSeen = async (acting: Acting, addresses: readonly string[]): Promise<string | null> => {
  for (const address of addresses) {
    try {
      return await queries.query(bytesQuery(acting, address));
    } catch (error) {
      if (!isAtollError(error)) throw error;
    }
  }
  return null;
};

type Account = ControlSchemas['Repository']['accounts'][number];

/** The first account with a known password that may see one of these. Each is asked of the server, so it is so. */
export const useWhoMaySee = (addresses: readonly string[]): Account | undefined => {
  const { data } = useQuery(repositoryQuery);
  const accounts = (data?.accounts ?? []).filter(({ password, blocked }) => password !== undefined && !blocked);
  return useQuery(whoMaySee(addresses, accounts)).data ?? undefined;
};

const whoMaySee = (addresses: readonly string[], accounts: readonly Account[]) =>
  queryOptions({
    queryKey: ['content', 'who-may-see', ...addresses, ...accounts.map(({ name }) => name)],
    queryFn: async (): Promise<Account | null> => {
      for (const account of accounts) {
        const { name, password = '' } = account;
        const client = clientOf({ name, password, scheme: 'password' });
        for (const address of addresses) {
          const isSeen = client.fetch(addressFromHere(address), { method: 'HEAD' }).then(
            () => true,
            () => false,
          );
          if (await isSeen) return account;
        }
      }
      return null;
    },
    enabled: addresses.length > 0 && accounts.length > 0,
    staleTime: 60_000,
  });
