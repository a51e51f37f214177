/** Explains differences in headers and links. */
import { at, type ExplanationRule } from './explain.ts';

const absent = /^$/;

export const headerRules: readonly ExplanationRule[] = [
  {
    page: 'differences',
    row: 'Links to media that the requester may not view',
    path: /^\/node\/\d+/,
    differs: [at('/headers/Link', { target: /^<[^>]*\/media\/\d+[^>]*>; rel="related"/, atoll: absent })],
  },
  {
    page: 'differences',
    row: 'Relations of the platform in `Link`',
    differs: [
      at('/headers/Link', {
        target: /rel="[^"]*\/(?:drupal-content-translation-\w+|revision-(?:delete|revert)-form)"/,
        atoll: absent,
      }),
    ],
  },
  {
    page: 'differences',
    row: 'Titles in `Link`',
    differs: [at('/headers/Link', { target: /title="/, atoll: /title="[^]*(?:[^\x20-\x7e]|["\\])[^]*"(?:; type|$)/ })],
  },
  {
    page: 'differences',
    row: 'More links than clients can read',
    ours: /^/,
    differs: [at('/headers/Link', { atoll: /rel="linkset"/ })],
  },
  {
    page: 'differences',
    row: 'Records in another language',
    differs: [
      at('/headers/Location', { target: /:\/\/[^/]+\/[a-z]{2,3}\// }),
      at('/headers/Link', { target: /^<https?:\/\/[^/]+\/[a-z]{2,3}\/(?:node|media)\// }),
    ],
  },
  {
    page: 'differences',
    row: 'Records in another language',
    theirs: /"langcode":\s*\[\s*\{\s*"value":\s*"(?!en"|und")/,
    differs: [at('/headers/Link', { target: absent, atoll: /rel="(?:canonical|edit-form|self)"/ })],
  },
  {
    page: 'differences',
    row: '`ETag` and `Content-Disposition` of content',
    path: /^\/(?:sites\/default\/files|_flysystem|system\/files)\//,
    differs: [at('/headers/ETag', { target: absent }), at('/headers/Content-Disposition', { target: absent })],
  },
  {
    page: 'differences',
    row: 'Uploaded HTML, SVG, scripts',
    path: /^\/(?:sites\/default\/files|_flysystem|system\/files)\//,
    differs: [
      at('/headers/Cache-Control', { target: /public/, atoll: /private/ }),
      at('/headers/Content-Disposition', { atoll: /^attachment/ }),
    ],
  },
  {
    page: 'differences',
    row: '`bytes=0-` on content',
    sent: /Range: bytes=0-\s/i,
    differs: [at('/status', { target: /200/, atoll: /206/ }), at('/headers/Content-Range')],
  },
  {
    page: 'differences',
    row: 'A range beyond the end of content',
    sent: /Range: bytes=/i,
    differs: [at('/status', { target: /200/, atoll: /416/ }), at('/headers/**'), at('/body')],
  },
  {
    page: 'differences',
    row: '`Allow`',
    differs: [at('/headers/Allow', { target: /POST/ }), at('/body/message', { target: /^No route found|Allow: / })],
  },
  {
    page: 'differences',
    row: 'The `Content-Type` of an empty answer',
    theirs: absent,
    differs: [at('/headers/Content-Type', { atoll: absent })],
  },
];
