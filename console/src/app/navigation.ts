/** The pages of the console, in the order of the navigation, with the keys that open them and the pages of the manual about them. */

export type Destination = {
  readonly to: '/' | '/repository' | '/collections' | '/traffic' | '/worlds' | '/faults' | '/coverage' | '/interface';
  readonly label: string;
  /** Pressed after `g`. */
  readonly key: string;
  readonly help: string;
};

const destinations: readonly Destination[] = [
  { to: '/', label: 'Overview', key: 'o', help: 'first-ten-minutes.html' },
  { to: '/repository', label: 'Repository', key: 'r', help: 'console.html' },
  { to: '/collections', label: 'Collections', key: 'l', help: 'console.html#collections' },
  { to: '/traffic', label: 'Traffic', key: 't', help: 'traffic-and-coverage.html' },
  { to: '/worlds', label: 'Worlds', key: 'w', help: 'worlds.html' },
  { to: '/faults', label: 'Faults', key: 'f', help: 'faults.html' },
  { to: '/coverage', label: 'Coverage', key: 'c', help: 'traffic-and-coverage.html' },
  { to: '/interface', label: 'Interface', key: 'i', help: 'tools.html' },
];

type Served = { readonly hasRepository: boolean; readonly collections: number };

/** Without a repository there is no page of it, and without collections none of them. */
export const destinationsOf = (server: Served | undefined): readonly Destination[] =>
  destinations.filter(
    ({ to }) =>
      !(to === '/repository' && server?.hasRepository === false) &&
      !(to === '/collections' && (server?.collections ?? 0) === 0),
  );

/** The page of the navigation that a path belongs to, where it is not its own: objects and forms are of the repository. */
export const placeOf = (pathname: string): Destination['to'] | undefined => {
  if (pathname.startsWith('/collections/')) return '/collections';
  return /^\/(?:entities|create)\b/.test(pathname) ? '/repository' : undefined;
};

/** The page of the manual about a page of the console: forms are about bytes, too. */
export const helpOf = (pathname: string): string => {
  if (/^\/(?:create|entities\/.*\/edit)\b/.test(pathname)) return 'uploading.html';
  const place = placeOf(pathname) ?? pathname;
  return destinations.find(({ to }) => to === place)?.help ?? 'index.html';
};
