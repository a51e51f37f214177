/** Changes a list of control tokens, for the stores that keep one: in a file, or in memory only. */
import { createSemaphore } from '../../basics/semaphore.ts';
import type { ControlTokenStore, StoredControlToken } from '../../openapi/openapi-host.ts';

/** Keeps control tokens in memory, where there is neither a data directory nor a database. They end with the process. */
export const createMemoryControlTokens = (): ControlTokenStore => createListedTokens([], async () => undefined);

type Put = Awaited<ReturnType<ControlTokenStore['put']>>;
type Limits = Parameters<ControlTokenStore['put']>[1];

/** Whether a token is refused for its age. `now` is in milliseconds since 1970. */
export const isExpired = ({ expires }: StoredControlToken, now: number): boolean => expires !== null && expires <= now;

/** The list with a token, without those that have expired, by name. `tokens` is undefined where it could not be added. */
export const withToken = (
  present: readonly StoredControlToken[],
  token: StoredControlToken,
  { now, most }: Limits,
): { readonly result: Put; readonly tokens?: readonly StoredControlToken[] } => {
  const valid = present.filter((each) => !isExpired(each, now));
  if (valid.some(({ name }) => name === token.name)) return { result: 'taken' };
  if (valid.length >= most) return { result: 'full' };
  return { result: 'kept', tokens: byName([...valid, token]) };
};

const byName = (tokens: readonly StoredControlToken[]): readonly StoredControlToken[] =>
  tokens.toSorted((a, b) => (a.name < b.name ? -1 : 1));

/** The store over a list. `change` gives the next list to `save`, and one change waits for the one before. */
export const createListedTokens = (
  first: readonly StoredControlToken[],
  save: (tokens: readonly StoredControlToken[]) => Promise<void>,
): ControlTokenStore => {
  let tokens = first;
  const inTurn = createSemaphore(1);
  const replace = async (next: readonly StoredControlToken[]): Promise<void> => {
    await save(next);
    tokens = next;
  };
  return {
    load: async () => tokens,
    put: (token, limits) =>
      inTurn(async () => {
        const added = withToken(tokens, token, limits);
        if (added.tokens !== undefined) await replace(added.tokens);
        return added.result;
      }),
    remove: (name) =>
      inTurn(async () => {
        const left = tokens.filter((token) => token.name !== name);
        if (left.length === tokens.length) return false;
        await replace(left);
        return true;
      }),
    markUsed: (name, day) =>
      inTurn(async () => {
        if (!tokens.some((token) => token.name === name)) return;
        await replace(tokens.map((token) => (token.name === name ? { ...token, lastUsed: day } : token)));
      }),
  };
};
