/** Loads the YAML libraries, which the start of an unchanged package does not need. */
import type * as QuickYaml from 'js-yaml';
import type * as Yaml from 'yaml';
import { lazyModule } from '../lazy-module.ts';

export const loadYaml: () => Promise<typeof Yaml> = lazyModule(() => import('yaml'), 'parseDocument');

/** Takes a sixth of the time, and does not know where in a file a value is. For files that nobody has edited. */
export const loadQuickYaml: () => Promise<typeof QuickYaml> = lazyModule(() => import('js-yaml'), 'load');
