/** Loads the YAML library, which the start of an unchanged package does not need. */
import type * as Yaml from 'yaml';
import { lazyModule } from '../model/lazy-module.ts';

export const loadYaml: () => Promise<typeof Yaml> = lazyModule(() => import('yaml'), 'parseDocument');
