/** Has the exports of `provider-testing.ts`. The build replaces this module by one that loads them when they are asked for: see `scripts/bundle.mjs`. */
import * as providerTestingModule from '../entries/provider-testing.ts';

export const providerTesting = (): typeof providerTestingModule => providerTestingModule;
