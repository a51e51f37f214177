/** Explains differences by the request: bodies that a real site cannot store, or stores as they are. */
import { at, status, type ExplanationRule } from './explain.ts';

/** A real site fails with its error page, and Atoll refuses with a reason. */
const fails = (row: string, sent: RegExp): ExplanationRule => ({
  page: 'differences',
  row,
  method: /^(?:POST|PATCH)$/,
  sent,
  theirs: /website encountered|unexpected error/,
  differs: [status('500', '422|409')],
});

export const bodyRules: readonly ExplanationRule[] = [
  {
    page: 'differences',
    row: 'JSON beyond 1 MiB or 32 levels, dangerous member names, characters and numbers that cannot be stored',
    method: /^(?:POST|PATCH)$/,
    ours: /nested|The member name|The body (?:holds|is longer)|"The JSON/,
    differs: [status('200|201|400|422|500', '400|413|422'), at('/body/message')],
  },
  fails('A UUID that is taken, on POST', /"uuid"\s*:\s*\[\s*\{\s*"value"\s*:\s*"[0-9a-f-]{36}"/i),
  fails('`created` as a bare number', /"created"\s*:\s*\[\s*(?:\d+|\{\s*"value"\s*:\s*true)/),
  fails('`description` with `processed`', /"processed"\s*:/),
  fails(
    'Another `vid` in PATCH, one that is taken in POST; `default_langcode` false in PATCH',
    /"(?:vid|revision_id)"\s*:\s*\[\s*\{\s*"value"\s*:\s*\d+|"default_langcode"\s*:\s*\[\s*\{\s*"value"\s*:\s*false/,
  ),
  fails(
    '`status`, `uuid`, `langcode` or `created` that is null or an empty list',
    /"(?:status|uuid|langcode|created)"\s*:\s*(?:null|false|\[\s*\]|\[\s*\{\s*"value"\s*:\s*null)/,
  ),
  fails('A list or an object where a text belongs', /"value"\s*:\s*[[{]/),
  fails(
    'Fields of another bundle',
    /"bundle"\s*:[^]*"field_media_(?:file|image)"\s*:|"type"\s*:[^]*"field_media_of"\s*:/,
  ),
  fails('A body that is not an object', /\n\n\s*(?:null|true|false|"[^"]*"|-?\d[\d.]*|\[[^]*\])\s*$/),
  {
    ...fails('Unknown field in POST or PATCH', /"[^"]*"\s*:/),
    ours: /Unknown field|no field|does not exist|not a field|There is no|is unknown/i,
  },
  {
    page: 'differences',
    row: 'A malformed UUID, on POST',
    method: /^POST$/,
    sent: /"uuid"\s*:\s*\[\s*\{\s*"value"\s*:\s*"(?![0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")/i,
    differs: [status('201', '422')],
  },
  {
    page: 'differences',
    row: '`path` and `menu_link` as fields',
    sent: /"(?:path|menu_link)"\s*:/,
    ours: /path: |menu_link: /,
    differs: [status('200|201|403|404', '422'), at('/body/message')],
  },
  {
    page: 'differences',
    row: 'Texts beyond the column of the database',
    sent: /"[^"]{256,}"/,
    differs: [status('201|200|500', '422')],
  },
  {
    page: 'differences',
    row: 'A time with the name of a zone, such as `2020-01-02T03:04:05EST`',
    sent: /T\d\d:\d\d:\d\d[A-Z]{2,}/,
    differs: [status('200|201', '422')],
  },
  {
    page: 'differences',
    row: '`Content-Type: APPLICATION/JSON`',
    sent: /Content-Type: (?=[^\n]*[A-Z])APPLICATION\//,
    differs: [status('415', '\\d+')],
  },
  {
    page: 'differences',
    row: 'A name of a standard upload that is not UTF-8',
    path: /^\/file\/upload\//,
    sent: /Content-Disposition: [^\n]*[\u0080-\u00ff]/i,
    differs: [status('500', '400')],
  },
  {
    page: 'differences',
    row: 'A malformed `Content-Type` of an upload',
    method: /^PUT$/,
    ours: /Content-Type/,
    differs: [status('20[14]', '400')],
  },
  {
    page: 'differences',
    row: '`Content-Location` that is missing, malformed, of an unknown scheme, or leads upwards',
    method: /^PUT$/,
    path: /^\/node\/\d+\/media\//,
    differs: [status('\\d+', '400'), at('/body/message', { target: /Content-Location|filename|file/i })],
  },
];
