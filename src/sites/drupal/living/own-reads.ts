/** Puts together what a site answers from its records besides them: sections of `living.yml`, and their paths. */
import type { LivingInput } from '../../../core/site/living-file.ts';
import type { Configuration } from '../configuration.ts';
import type { Reporter } from '../report.ts';
import { harvestIn } from './harvest.ts';
import { manifestsIn } from './manifests.ts';

export type OwnReads = {
  readonly sections: Pick<LivingInput, 'manifests' | 'harvest'>;
  /** The paths that lists may not have. */
  readonly paths: readonly string[];
};

export const ownReadsOf = (configuration: Configuration, reporter: Reporter): OwnReads => {
  const [manifests, harvest] = [manifestsIn(configuration, reporter), harvestIn(configuration, reporter)];
  return {
    sections: { ...(manifests && { manifests: manifests.section }), ...(harvest && { harvest: harvest.section }) },
    paths: [...(manifests?.paths ?? []), ...(harvest?.paths ?? [])],
  };
};
