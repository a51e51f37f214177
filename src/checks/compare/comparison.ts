/** Begins a comparison of a target with an Atoll: nothing is known yet of which ids and secrets stand for each other. */
import type { Site } from '../../repository/repository.ts';
import { createAliases, sameAliases } from './aliases.ts';
import type { JsonComparison } from './compare-json.ts';
import { createHosts } from './equal-values.ts';
import { createPairs } from './id-map.ts';
import { createIdPlaces } from './json-paths.ts';

type Compared = Pick<JsonComparison, 'sameClockSince'> & {
  /** Atoll's. */
  readonly site: Site;
  readonly atollUrl: string;
  /** The addresses by which clients and links name the target, its base URL first. */
  readonly targetUrls: readonly string[];
};

export const createComparison = ({ site, atollUrl, targetUrls, sameClockSince }: Compared): JsonComparison => ({
  pairs: createPairs(),
  aliases: site.modules.automaticPaths ? sameAliases : createAliases(),
  hosts: createHosts({ target: targetUrls, atoll: [atollUrl] }),
  sentTimes: new Set(),
  sameClockSince,
  idKindAt: createIdPlaces(site),
});
