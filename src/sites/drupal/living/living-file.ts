/** Puts together what a site answers from its records besides them: `living.yml`. */
import type { JsonObject } from '../../../core/model/entity.ts';
import type { Configuration } from '../configuration.ts';
import type { Reporter } from '../report.ts';
import { harvestIn } from './harvest.ts';
import { manifestsIn } from './manifests.ts';

type Living = {
  /** The content of the file. Undefined for a site that has none of it. */
  readonly content: JsonObject | undefined;
  /** The paths that lists may not have. */
  readonly paths: readonly string[];
};

export const livingOf = (configuration: Configuration, reporter: Reporter): Living => {
  const [manifests, harvest] = [manifestsIn(configuration, reporter), harvestIn(configuration, reporter)];
  const content = { ...(manifests && { manifests: manifests.section }), ...(harvest && { harvest: harvest.section }) };
  return {
    content: Object.keys(content).length === 0 ? undefined : content,
    paths: [...(manifests?.paths ?? []), ...(harvest?.paths ?? [])],
  };
};
