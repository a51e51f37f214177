/** Explains differences of logins, tokens and the forms for people. */
import { at, status, type ExplanationRule } from './explain.ts';

const cookies = at('/headers/Set-Cookie');

export const sessionRules: readonly ExplanationRule[] = [
  {
    page: 'differences',
    row: 'Login with another `_format` than `json`',
    path: /^\/user\/login\?(?:.*&)?_format=(?!json(?:&|$))/,
    differs: [status('\\d+', '406'), cookies],
  },
  {
    page: 'differences',
    row: 'Login with a body that is not JSON, or with a password that is a list',
    method: /^POST$/,
    path: /^\/user\/login/,
    differs: [status('500', '400')],
  },
  {
    page: 'differences',
    row: 'Forms for people',
    path: /^\/user\/(?:login|logout|register|password)(?:\?|$)/,
    differs: [status('\\d+', '404|405|204|406'), cookies],
  },
  {
    page: 'differences',
    row: 'Forms for people',
    path: /^\/user\/login$/,
    theirs: /^\s*[<(]/,
    differs: [at('/body'), at('/headers/Content-Type')],
  },
  {
    page: 'differences',
    row: 'Forms for people',
    path: /^\/user(?:\/\d+)?(?:\?|$)/,
    differs: [status('403', '404|405|406')],
  },
  {
    page: 'differences',
    row: 'A token whose `aud` is a text',
    sent: /Authorization: Bearer /i,
    differs: [status('500', '403|200')],
  },
  {
    page: 'differences',
    row: 'Tokens of today: `JWT-Authorization`, `access_token` of a login, claims made elsewhere',
    path: /^\/user\/login/,
    differs: [at('/body/access_token')],
  },
  {
    page: 'differences',
    row: 'A header that may be sent once, sent twice',
    sent: /(?:^|\n)(authorization|content-type|content-location|host|x-csrf-token): [^\n]*\n(?:[^\n]+\n)*?\1: /i,
    differs: [status('\\d+', '400')],
  },
  {
    page: 'differences',
    row: '`X-HTTP-Method-Override` in a POST',
    sent: /X-HTTP-Method-Override: /i,
    differs: [status('\\d+', '\\d+')],
  },
  {
    page: 'differences',
    row: '`access` and `init` of an account',
    path: /^\/user\/\d+/,
    differs: [at('/body/access/**'), at('/body/init/**'), at('/body/login/**')],
  },
];
