/** Loads the YAML library, which the start of an unchanged package does not need. */
import type * as Yaml from 'yaml';
import { lazyModule } from '../lazy-module.ts';

export const loadYaml: () => Promise<typeof Yaml> = lazyModule(() => import('yaml'), 'parseDocument');

/** The value of a text. Throws, with the line, when it is not valid. Aliases share their value, so any number of them is small. */
export const parseYamlText = async (text: string): Promise<unknown> => {
  const { parse } = await loadYaml();
  return parse(text, { logLevel: 'error', maxAliasCount: -1 });
};
