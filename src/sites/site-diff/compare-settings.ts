/** Compares what holds for a whole site: paths, switches, storages, limits, languages. */
import { beyondNames, type BeyondName, type Site, type StorageMount } from '../../core/site/site.ts';
import {
  answers,
  both,
  bySubject,
  differencesOf,
  harmless,
  requests,
  type Difference,
  type Side,
} from './difference.ts';

export const compareSettings = (before: Site, after: Site): readonly Difference[] => [
  ...paths(before, after),
  ...storages(before, after),
  ...switches(before, after),
  ...lists(before, after),
  ...limits(before, after),
];

/** The switches of lists are compared with the lists. */
const pathsBeyond: { readonly [N in Exclude<BeyondName, 'node_lists' | 'term_lookup'>]: string } = {
  file_upload: 'POST /file/upload/{entity_type}/{bundle}/{field_name}',
  media_edit_alias: '/media/{media_id}/edit',
  session_token_alias: 'GET /rest/session/token',
  workbench_integration: 'GET /islandora_workbench_integration/…',
  token_keys: 'GET /oauth/discovery/keys',
  linkset: 'GET /node/{node_id}/linkset and GET /media/{media_id}/linkset',
};

const paths = (before: Site, after: Site): readonly Difference[] => {
  const change = (name: string, path: string, was: boolean, is: boolean): readonly Difference[] => {
    const { found, toggled } = differencesOf(`site.${name}`);
    const [off, on] = [`is off: ${path} cannot be asked any more (404)`, `is on: ${path} can be asked now`];
    toggled(was, is, [off, requests], [on, harmless]);
    return found;
  };
  const uploads = 'PUT /node/{node_id}/media/{media_type}/{term_id} and PUT /media/{media_id}/source';
  const media = differencesOf('site.media.standalone_url');
  media.toggled(
    before.standaloneMedia,
    after.standaloneMedia,
    ['is off: a media is at /media/{media_id}/edit only', both],
    ['is on: the address of a media is /media/{media_id}', answers],
  );
  return [
    ...beyondNames.flatMap((name) =>
      name === 'node_lists' || name === 'term_lookup'
        ? []
        : change(`beyond.${name}`, pathsBeyond[name], before.beyond[name], after.beyond[name]),
    ),
    ...change('modules.islandora', uploads, before.modules.islandora, after.modules.islandora),
    ...change('modules.jwt_auth_issuer', 'GET /jwt/token', before.modules.tokenIssuer, after.modules.tokenIssuer),
    ...media.found,
  ];
};

const storages = (before: Site, after: Site): readonly Difference[] => {
  const bySchemes = ({ storages: mounts }: Site): ReadonlyMap<string, StorageMount> =>
    new Map(mounts.map((mount) => [mount.scheme, mount]));
  const own = bySubject(
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
  const scheme = differencesOf('site.default_scheme');
  scheme.note(
    before.defaultScheme !== after.defaultScheme,
    `is ${after.defaultScheme} instead of ${before.defaultScheme}`,
    harmless,
  );
  return [...own, ...scheme.found];
};

type Switch = readonly [key: string, read: (site: Site) => boolean, whenOff: readonly Side[], whenOn: readonly Side[]];

const switchKeys: readonly Switch[] = [
  ['links.headers', ({ linkHeaders }) => linkHeaders, answers, harmless],
  ['links.platform', ({ platformLinks }) => platformLinks, answers, harmless],
  ['jsonld.format_suffix', ({ jsonldFormatSuffix }) => jsonldFormatSuffix, answers, answers],
  ['tokens.of_today', ({ tokensOfToday }) => tokensOfToday, answers, answers],
  ['tokens.at_login', ({ tokenAtLogin }) => tokenAtLogin, answers, harmless],
  ['method_override', ({ methodOverride }) => methodOverride, requests, harmless],
];

const switches = (before: Site, after: Site): readonly Difference[] => {
  const own = switchKeys.flatMap(([key, read, whenOff, whenOn]) => {
    const { found, toggled } = differencesOf(`site.${key}`);
    toggled(read(before), read(after), ['is off now', whenOff], ['is on now', whenOn]);
    return found;
  });
  const others = differencesOf('site');
  others.note(before.relationsBase !== after.relationsBase, `has the relations base ${after.relationsBase}`, answers);
  others.note(before.name !== after.name, `is called "${after.name}" instead of "${before.name}"`, harmless);
  const isStricter = before.leniency === 'reference' && after.leniency === 'none';
  others.note(
    before.leniency !== after.leniency,
    `has the leniency ${after.leniency}`,
    isStricter ? requests : harmless,
  );
  return [...own, ...others.found];
};

const lists = (before: Site, after: Site): readonly Difference[] => {
  const compare = (key: string, was: readonly string[], is: readonly string[]): readonly Difference[] => {
    const { found, members } = differencesOf(`site.${key}`);
    members(was, is, ['does not have % any more', requests], ['has % now', harmless]);
    return found;
  };
  const language = differencesOf('site.langcode');
  language.note(before.langcode !== after.langcode, `is ${after.langcode} instead of ${before.langcode}`, answers);
  return [
    ...compare('languages', before.languages, after.languages),
    ...compare('language_prefixes', before.prefixLanguages, after.prefixLanguages),
    ...language.found,
    ...compare('text_formats', before.textFormats, after.textFormats),
  ];
};

type Limit = readonly [key: string, read: (site: Site) => number];

const limitKeys: readonly Limit[] = [
  ['limits.json_bytes', ({ maxJsonBytes }) => maxJsonBytes],
  ['limits.upload_bytes', ({ maxUploadBytes }) => maxUploadBytes],
  ['tokens.lifetime', ({ tokenSeconds }) => tokenSeconds],
  ['sessions.lifetime', ({ sessionSeconds }) => sessionSeconds],
];

/** A shorter lifetime makes clients sign in again sooner, which every client must be able to do. */
const limits = (before: Site, after: Site): readonly Difference[] =>
  limitKeys.flatMap(([key, read]) => {
    const { found, note } = differencesOf(`site.${key}`);
    const [was, is] = [read(before), read(after)];
    note(was !== is, `is ${is} instead of ${was}`, key.startsWith('limits.') && is < was ? requests : harmless);
    return found;
  });
