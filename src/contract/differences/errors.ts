/** Explains how errors look. */
import { at, status, type ExplanationRule } from './explain.ts';

const asJson = [
  at('/headers/Content-Type', { target: /^text\/|^application\/ld\+json/, atoll: /^application\/json/ }),
  at('/body', { target: /^\s*(?![\s{[])/ }),
];

export const errorRules: readonly ExplanationRule[] = [
  {
    page: 'differences',
    row: 'GET without `_format`, or with an unknown one',
    method: /^(?:GET|HEAD)$/,
    path: /^(?!.*[?&]_format=json(?:ld)?(?:&|$))/,
    differs: [
      status('\\d+', '406'),
      at('/headers/Content-Type', { atoll: /^application\/json/ }),
      at('/headers/Link'),
      at('/headers/Location', { atoll: /^$/ }),
      at('/headers/Cache-Control'),
      at('/body'),
    ],
  },
  { page: 'differences', row: 'Errors', ours: /^\{"message":/, differs: asJson },
];
