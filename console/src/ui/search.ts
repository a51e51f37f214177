/** Keeps what a page shows in its address, so that it can be shared and survives a reload. */
import { useNavigate, useSearch } from '@tanstack/react-router';

export type SearchValues = Readonly<Record<string, string | undefined>>;

/** Any of the values; undefined or an empty text takes a value out of the address. */
export type SearchChange<Values> = { readonly [Key in keyof Values]?: Values[Key] | '' | undefined };

type ChangeOptions = {
  /** Adds no step to the history. */
  readonly replace?: boolean;
  /** Does not scroll to the top, because the user goes on where they are. */
  readonly staysInPlace?: boolean;
};

type ChangeSearch<Values> = (change: SearchChange<Values>, options?: ChangeOptions) => void;

/** The values of the address, and a function that changes some of them. */
export const useSearchValues = <Values extends SearchValues>(): readonly [Partial<Values>, ChangeSearch<Values>] => {
  const values: Record<string, unknown> = useSearch({ strict: false });
  const navigate = useNavigate();
  const texts = Object.fromEntries(Object.entries(values).map(([key, value]) => [key, String(value)]));
  const change: ChangeSearch<Values> = (next, { replace = false, staysInPlace = false } = {}) => {
    const all = Object.entries<string | undefined>({ ...texts, ...next }).filter(
      ([, value]) => value !== undefined && value !== '',
    );
    void navigate({ to: '.', search: Object.fromEntries(all), replace, resetScroll: !staysInPlace });
  };
  return [texts as Partial<Values>, change]; // the page reads only its own keys
};
