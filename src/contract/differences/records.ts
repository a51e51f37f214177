/** Explains differences within a record. */
import { at, status, type ExplanationRule } from './explain.ts';

export const recordRules: readonly ExplanationRule[] = [
  {
    page: 'differences',
    row: '`path` and `menu_link` as fields',
    differs: [
      at('/body/path', { atoll: /^$/ }),
      at('/body/menu_link', { atoll: /^$/ }),
      at('/body/*/path', { atoll: /^$/ }),
    ],
  },
  {
    page: 'differences',
    row: 'The revision log',
    differs: [
      at('/body/revision_log', { target: /^$/ }),
      at('/body/revision_log_message', { target: /^$/ }),
      at('/body/revision_log_message/0', { target: /^\{"value":null\}$/ }),
      at('/body/revision_log_message/0', { target: /^$/ }),
    ],
  },
  {
    page: 'differences',
    row: 'Comments',
    differs: ['last_comment_timestamp', 'last_comment_name', 'last_comment_uid', 'comment_count', 'cid'].map((name) =>
      at(`/body/*/*/${name}`),
    ),
  },
  {
    page: 'differences',
    row: 'A UUID in upper case',
    differs: [at('/body/uuid/0/value', { target: /^[0-9A-F-]{36}$/, atoll: /^[0-9a-f-]{36}$/ })],
  },
  {
    page: 'differences',
    row: 'An id as a fraction, such as `24.0`',
    sent: /"target_id"\s*:\s*\d+\.0\b/,
    differs: ['target_type', 'target_uuid', 'url'].map((name) => at(`/body/*/*/${name}`, { target: /^$/ })),
  },
  {
    page: 'differences',
    row: 'Generic icons',
    theirs: /media-icons\/generic|\/generic\/|no-thumbnail/,
    differs: [at('/body/thumbnail/0/width'), at('/body/thumbnail/0/height'), at('/body/filesize/0/**')],
  },
  {
    page: 'differences',
    row: 'The thumbnail after the bytes of a media were replaced, or its file deleted',
    differs: ['width', 'height'].map((name) => at(`/body/thumbnail/0/${name}`, { target: /^\d+$/, atoll: /^\d+$/ })),
  },
  {
    page: 'differences',
    row: 'The thumbnail after the bytes of a media were replaced, or its file deleted',
    theirs: /no-thumbnail/,
    differs: [at('/body/thumbnail/**')],
  },
  {
    page: 'differences',
    row: 'JSON-LD of a node or media whose model or media use was deleted',
    path: /_format=jsonld/,
    differs: [status('500', '200'), at('/headers/**'), at('/body/**')],
  },
  {
    page: 'differences',
    row: 'A backslash in the name of a standard upload',
    sent: /filename=[^\n]*\\/,
    differs: [at('/body/filename/0/value'), at('/body/uri/0/*')],
  },
  {
    page: 'differences',
    row: 'The same `Content-Location` for two files',
    method: /^(?:GET|HEAD)$/,
    path: /^\/(?:media|entity\/file)\//,
    differs: [
      at('/body/uri/0/*', { atoll: /_\d+(?:\.\w+)?$/ }),
      at('/body/filename/0/value', { atoll: /_\d+(?:\.\w+)?$/ }),
    ],
  },
];
