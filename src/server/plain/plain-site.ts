/** What the server reads of a site where there is none: limits of uploads, and nothing else. */
import { createModel } from '../../core/model/bundle.ts';
import type { Site } from '../../core/site/site.ts';

const off = false;

/** Nothing of it is read from a file, and no request sees it. */
export const plainSite: Site = {
  ...{ name: 'Atoll', langcode: 'en', languages: ['en'], prefixLanguages: [], textFormats: [], htmlFormats: new Set() },
  ...{ leniency: 'none', methodOverride: false, caches: 'fresh', flood: undefined, standaloneMedia: true },
  modules: { islandora: off, tokenIssuer: off } as Site['modules'], // no field of a module is there
  ...{
    iconScheme: '',
    linkHeaders: off,
    mediaLinks: 'every',
    relationsBase: '',
    platformLinks: off,
    jsonldFormatSuffix: off,
  },
  ...{ tokenSeconds: 0, tokensOfToday: off, tokenAtLogin: off, sessionSeconds: 0 },
  ...{ maxUploadBytes: 1024 ** 3, maxJsonBytes: 10 * 1024 ** 2 },
  uploads: { idleSeconds: 60, minBytesPerSecond: 0, maxConcurrent: 8, freeBytes: 64 * 1024 ** 2 },
  beyond: {
    ...{ file_upload: off, term_lookup: off, node_lists: off, media_edit_alias: off, session_token_alias: off },
    ...{ workbench_integration: off, token_keys: off, linkset: off },
  },
  workbench: { integrationModuleVersion: '', coreVersion: '' },
  ...{ lists: [], storages: [], defaultScheme: '', resources: new Map(), model: createModel([]) },
  ...{ roles: new Map(), accounts: [], terms: [], exported: new Map(), living: {}, iconDirectory: '' },
  ...{ seedTime: 0, seedAuthor: 0, timezone: 'UTC', namespaces: new Map() },
};
