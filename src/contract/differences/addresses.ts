/** Explains differences by the address that was asked for. */
import { at, status, type ExplanationRule } from './explain.ts';

export const addressRules: readonly ExplanationRule[] = [
  {
    page: 'differences',
    row: 'A path in another spelling: `/NODE/2`, `/%6eode/2`, `/node/+2`, `/node/1.0`, `//`',
    path: /^\/[^?]*(?:\/\/|%[46][0-9a-f]|[A-Z]|\/\+\d|\/\d+\.\d)/,
    differs: [status('\\d+', '404')],
  },
  {
    page: 'differences',
    row: 'Ids such as `01`',
    path: /\/0\d+(?:[/?]|$)/,
    differs: [status('\\d+', '404')],
  },
  {
    page: 'differences',
    row: '`_format` as a list, `?_format[]=json`',
    path: /[?&]_format(?:\[|%5B)/i,
    differs: [status('400|500', '\\d+')],
  },
  {
    page: 'differences',
    row: '`PATCH /entity/file/{id}`',
    method: /^PATCH$/,
    path: /^\/entity\/file\/\d+(?:\?|$)/,
    differs: [status('\\d+', '405')],
  },
  {
    page: 'differences',
    row: 'A body that is sent with GET',
    method: /^(?:GET|HEAD)$/,
    sent: /\n\n./s,
    differs: [status('400', '\\d+')],
  },
  {
    page: 'differences',
    row: 'A standard upload for a type that does not exist',
    path: /^\/file\/upload\//,
    differs: [status('500', '404')],
  },
  {
    page: 'differences',
    row: 'Content of the external scheme',
    path: /^\/_flysystem\//,
    differs: [status('403', '401|200'), at('/headers/Content-Disposition')],
  },
  {
    page: 'differences',
    row: 'Who may ask for these lists',
    method: /^(?:GET|HEAD)$/,
    path: /^\/(?:node\/\d+\/(?:media|members)|term_from_\w+|vocabulary)(?:\?|$)/,
    differs: [status('401|403', '200')],
  },
  {
    page: 'differences',
    row: '`?page=` of a list that is not a whole number from 0, such as `-1`, nothing, `one` or `0,1`',
    path: /[?&]page=(?!\d+(?:&|$))/,
    differs: [status('200', '400')],
  },
  {
    page: 'not-emulated',
    row: 'revisions as resources',
    path: /^\/(?:node|media)\/\d+\/revisions/,
    differs: [status('\\d+', '404')],
  },
  {
    page: 'not-emulated',
    row: 'JSON:API, views, search',
    path: /^\/(?:jsonapi|search|solr-search|oai)(?:[/?]|$)/,
    differs: [status('\\d+', '404')],
  },
];
