/** The pages of the console, in the order of the navigation, with the keys that open them. */

export type Destination = {
  readonly to: '/' | '/repository' | '/traffic' | '/worlds' | '/faults' | '/coverage' | '/interface';
  readonly label: string;
  /** Pressed after `g`. */
  readonly key: string;
};

export const destinations: readonly Destination[] = [
  { to: '/', label: 'Overview', key: 'o' },
  { to: '/repository', label: 'Repository', key: 'r' },
  { to: '/traffic', label: 'Traffic', key: 't' },
  { to: '/worlds', label: 'Worlds', key: 'w' },
  { to: '/faults', label: 'Faults', key: 'f' },
  { to: '/coverage', label: 'Coverage', key: 'c' },
  { to: '/interface', label: 'Interface', key: 'i' },
];

/** The page of the navigation that a path belongs to, where it is not its own: objects and forms are of the repository. */
export const placeOf = (pathname: string): Destination['to'] | undefined =>
  /^\/(?:entities|create)\b/.test(pathname) ? '/repository' : undefined;
