/** Joins the rules that explain differences by rows of the guide. */
import { addressRules } from './addresses.ts';
import { bodyRules } from './bodies.ts';
import { at, type ExplanationRule, status } from './explain.ts';
import { headerRules } from './headers.ts';
import { recordRules } from './records.ts';
import { sessionRules } from './sessions.ts';

const asJson = [
  at('/headers/Content-Type', { target: /^text\/|^application\/ld\+json/, atoll: /^application\/json/ }),
  at('/body', { target: /^\s*(?![\s{[])/ }),
];

const errorRules: readonly ExplanationRule[] = [
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

/** The first rule that fits counts, so that the narrow ones stand before the wide ones. */
export const explanationRules: readonly ExplanationRule[] = [
  ...addressRules,
  ...sessionRules,
  ...bodyRules,
  ...recordRules,
  ...headerRules,
  ...errorRules,
];
