/** How much a test tries: a share of it in `npm test`, all of it in the suite `crawl`, which `.ci/run` runs. */
export const isLong = process.env['SUITE'] === 'crawl';

/** The number of tries out of `all`. */
export const tries = (all: number): number => (isLong ? all : Math.ceil(all / 4));

/** Every fourth of them, with the first. */
export const someOf = <T>(all: readonly T[]): readonly T[] => (isLong ? all : all.filter((_each, at) => at % 4 === 0));
