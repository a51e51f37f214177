/** Compares what holds for a whole site: paths, switches, storages, limits, languages. */
import type { BeyondName, Site, StorageMount } from '../../core/site/site.ts';
import {
  answers,
  both,
  bySubject,
  differencesOf,
  harmless,
  requests,
  type Difference,
  type Said,
  type Side,
} from './difference.ts';

export const compareSettings = (before: Site, after: Site): readonly Difference[] => [
  ...switched(routes, before, after),
  ...storages(before, after),
  ...switched(switches, before, after),
  ...values.flatMap(([key, read, said]) => {
    const { found, note } = differencesOf(`site${key}`);
    const [was, is] = [read(before), read(after)];
    note(was !== is, ...said(is, was));
    return found;
  }),
  ...lists.flatMap(([key, read]) => {
    const { found, members } = differencesOf(`site.${key}`);
    members(read(before), read(after), ['does not have % any more', requests], ['has % now', harmless]);
    return found;
  }),
];

type Switch = readonly [key: string, read: (site: Site) => boolean, off: Said, on: Said];

const switched = (rows: readonly Switch[], before: Site, after: Site): readonly Difference[] =>
  rows.flatMap(([key, read, off, on]) => {
    const { found, toggled } = differencesOf(`site.${key}`);
    toggled(read(before), read(after), off, on);
    return found;
  });

/** The switches of lists are compared with the lists. */
const pathsBeyond: { readonly [N in Exclude<BeyondName, 'node_lists' | 'term_lookup'>]: string } = {
  file_upload: 'POST /file/upload/{entity_type}/{bundle}/{field_name}',
  media_edit_alias: '/media/{media_id}/edit',
  session_token_alias: 'GET /rest/session/token',
  workbench_integration: 'GET /islandora_workbench_integration/…',
  token_keys: 'GET /oauth/discovery/keys',
  linkset: 'GET /node/{node_id}/linkset and GET /media/{media_id}/linkset',
};

const route = (key: string, path: string, read: (site: Site) => boolean): Switch => [
  ...([key, read] as const),
  [`is off: ${path} cannot be asked any more (404)`, requests],
  [`is on: ${path} can be asked now`, harmless],
];

const uploads = 'PUT /node/{node_id}/media/{media_type}/{term_id} and PUT /media/{media_id}/source';
const routes: readonly Switch[] = [
  ...Object.entries(pathsBeyond).map(
    ([name, path]) => route(`beyond.${name}`, path, ({ beyond }) => beyond[name as BeyondName]), // a name of the table
  ),
  route('modules.islandora', uploads, ({ modules }) => modules.islandora),
  route('modules.jwt_auth_issuer', 'GET /jwt/token', ({ modules }) => modules.tokenIssuer),
  [
    'media.standalone_url',
    ({ standaloneMedia }) => standaloneMedia,
    ['is off: a media is at /media/{media_id}/edit only', both],
    ['is on: the address of a media is /media/{media_id}', answers],
  ],
];

const plain = (
  key: string,
  read: (site: Site) => boolean,
  whenOff: readonly Side[],
  whenOn: readonly Side[],
): Switch => [...([key, read] as const), ['is off now', whenOff], ['is on now', whenOn]];

const switches: readonly Switch[] = [
  plain('links.headers', ({ linkHeaders }) => linkHeaders, answers, harmless),
  plain('links.platform', ({ platformLinks }) => platformLinks, answers, harmless),
  plain('jsonld.format_suffix', ({ jsonldFormatSuffix }) => jsonldFormatSuffix, answers, answers),
  plain('tokens.of_today', ({ tokensOfToday }) => tokensOfToday, answers, answers),
  plain('tokens.at_login', ({ tokenAtLogin }) => tokenAtLogin, answers, harmless),
  plain('method_override', ({ methodOverride }) => methodOverride, requests, harmless),
];

type Value = string | number;
type Sentence = (is: Value, was: Value) => Said;

const instead =
  (breaks: readonly Side[]): Sentence =>
  (is, was) => [`is ${is} instead of ${was}`, breaks];
const limit: Sentence = (is, was) => [`is ${is} instead of ${was}`, is < was ? requests : harmless];

/** A shorter lifetime makes clients sign in again sooner, which every client must be able to do. */
const values: readonly (readonly [key: string, read: (site: Site) => Value, said: Sentence])[] = [
  ['', ({ relationsBase }) => relationsBase, (is) => [`has the relations base ${is}`, answers]],
  ['', ({ name }) => name, (is, was) => [`is called "${is}" instead of "${was}"`, harmless]],
  ['', ({ leniency }) => leniency, (is) => [`has the leniency ${is}`, is === 'none' ? requests : harmless]],
  ['.langcode', ({ langcode }) => langcode, instead(answers)],
  ['.default_scheme', ({ defaultScheme }) => defaultScheme, instead(harmless)],
  ['.limits.json_bytes', ({ maxJsonBytes }) => maxJsonBytes, limit],
  ['.limits.upload_bytes', ({ maxUploadBytes }) => maxUploadBytes, limit],
  ['.tokens.lifetime', ({ tokenSeconds }) => tokenSeconds, instead(harmless)],
  ['.sessions.lifetime', ({ sessionSeconds }) => sessionSeconds, instead(harmless)],
];

const lists: readonly (readonly [key: string, read: (site: Site) => readonly string[]])[] = [
  ['languages', ({ languages }) => languages],
  ['language_prefixes', ({ prefixLanguages }) => prefixLanguages],
  ['text_formats', ({ textFormats }) => textFormats],
];

const storages = (before: Site, after: Site): readonly Difference[] => {
  const bySchemes = ({ storages: mounts }: Site): ReadonlyMap<string, StorageMount> =>
    new Map(mounts.map((mount) => [mount.scheme, mount]));
  return bySubject(
    [bySchemes(before), bySchemes(after)],
    (scheme) => `site.storages.${scheme}`,
    ['is new', ['is gone', both]],
    (subject, was, is) => {
      const { found, note, toggled } = differencesOf(subject);
      note(was.prefix !== is.prefix, `is served at ${is.prefix} instead of ${was.prefix}`, both);
      const [guarded, open] = [
        'is guarded: not everybody reads its files any more',
        'is open: everybody reads its files now',
      ];
      toggled(was.access === 'open', is.access === 'open', [guarded, requests], [open, harmless]);
      return found;
    },
  );
};
