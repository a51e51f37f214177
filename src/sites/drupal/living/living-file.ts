/** Puts together what a site does and answers by itself: the sections of `living.yml`. */
import { given, type JsonObject } from '../../../basics/json.ts';
import type { LivingInput } from '../../../repository/repository-sites.ts';
import type { Configuration } from '../configuration.ts';
import type { Reporter } from '../report.ts';
import { aliasPatternsOf, fileHashesOf } from './aliases-and-hashes.ts';
import { derivativesOf } from './derivatives.ts';
import { harvestIn } from './harvest.ts';
import { manifestsIn } from './manifests.ts';
import { workflowsIn } from './workflows.ts';

export type Living = {
  /** Empty for a site that does nothing by itself. */
  readonly sections: LivingInput;
  /** The paths that lists may not have. */
  readonly paths: readonly string[];
};

export const livingOf = (
  configuration: Configuration,
  around: { readonly schemes: ReadonlySet<string>; readonly reporter: Reporter },
): Living => {
  const { reporter } = around;
  const derivatives = derivativesOf(configuration, around) as JsonObject | undefined; // read from YAML
  const workflows = workflowsIn(configuration, reporter);
  const [manifests, harvest] = [manifestsIn(configuration, reporter), harvestIn(configuration, reporter)];
  const aliasPatterns = aliasPatternsOf(configuration, reporter);
  const fileHashes = fileHashesOf(configuration, reporter);
  return {
    sections: given({
      ...{ aliasPatterns, fileHashes, workflows, derivatives },
      ...{ manifests: manifests?.section, harvest: harvest?.section },
    }),
    paths: [...(manifests?.paths ?? []), ...(harvest?.paths ?? [])],
  };
};
