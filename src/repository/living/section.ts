/** Reads a section of `living.yml` by its schema. */
import * as v from 'valibot';
import { ConfigurationError } from '../../basics/configuration-error.ts';
import type { LivingSection } from '../site/living-file.ts';
import type { Site } from '../site/site.ts';

/** Undefined where the site does not have it. Throws `ConfigurationError` with the key. */
export const readSection = <S extends v.GenericSchema>(
  { living }: Pick<Site, 'living'>,
  name: LivingSection,
  schema: S,
): v.InferOutput<S> | undefined => {
  const section = living[name];
  if (section === undefined) return undefined;
  const result = v.safeParse(schema, section);
  if (result.success) return result.output;
  const [issue] = result.issues;
  const key = [name, v.getDotPath(issue)].filter((part) => part !== null).join('.');
  throw new ConfigurationError(`living.yml: ${key}: ${issue.message}`);
};
