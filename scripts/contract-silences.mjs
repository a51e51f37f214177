/** What the contract leaves out, in its own order, with what Atoll does instead: the data of docs/use/not-emulated.md. */

/** Topics that the contract does not describe. `source` says what the choice is based on; the page explains its values. */
export const silences = [
  {
    topic: 'Node fields',
    unspecified: 'the shape of the elements of `field_subject`, `field_linked_agent` and the other lists',
    choice: 'each as its field type is on a real site, described by a schema of the document',
    source: 'recorded',
  },
  {
    topic: 'Entities',
    unspecified: 'the fields of terms and users',
    choice:
      'terms have those of their vocabulary; users have a short public form, and `roles`, `mail` and `status` for themselves and administrators',
    source: 'recorded, users decided',
  },
  {
    topic: 'States',
    unspecified: 'what `status` means, and what changes it',
    choice:
      'published or not: administrators see what is unpublished, and its owner does with `view own unpublished content` (or media); administrators change it by PATCH',
    source: 'recorded',
  },
  {
    topic: 'Endpoints: content of a media',
    unspecified: 'the methods of `/media/{media_id}/source`',
    choice: 'PUT replaces the bytes, 204',
    source: 'platform',
  },
  {
    topic: 'Endpoints: new media and files',
    unspecified: 'POST and PUT to create media and files through the standard routes',
    choice:
      '`POST /entity/media` with a file that exists, and `POST /file/upload/{entity_type}/{bundle}/{field_name}`; the site can switch both off',
    source: 'recorded',
  },
  {
    topic: 'Endpoints: uploads',
    unspecified: 'the status when an upload replaces a file',
    choice: '204, no `Location`; media, file, uuid and uri stay',
    source: 'recorded',
  },
  {
    topic: 'Endpoints: formats',
    unspecified: 'the full shape of JSON-LD',
    choice: 'a graph by the `rdf` keys of the site, with references as nodes of their own',
    source: 'recorded',
  },
  {
    topic: 'Authentication: tokens',
    unspecified: 'the lifetime of a token',
    choice: 'two hours; `tokens.lifetime` in the site',
    source: 'recorded',
  },
  {
    topic: 'Authentication: permissions',
    unspecified: 'names of permissions',
    choice: "the platform's own, given to roles in the site",
    source: 'platform',
  },
  {
    topic: 'Events',
    unspecified: 'events, hooks, notifications',
    choice: 'none; a test can watch `/_atoll/traffic`',
    source: 'decided',
  },
  {
    topic: 'Events',
    unspecified: 'how derivatives are made',
    choice: 'none are made: a client uploads thumbnails and service files as media',
    source: 'decided',
  },
  {
    topic: 'Errors',
    unspecified: 'status and body when the `Content-Type` is not accepted',
    choice: '415 with a `message`',
    source: 'recorded',
  },
  {
    topic: 'Errors',
    unspecified: 'bodies of 401, 403 and of validation errors',
    choice: '`{"message": …}` with the platform\'s texts; validation is 422 with a line for each violation',
    source: 'recorded',
  },
  {
    topic: 'Limits',
    unspecified: 'rates, sizes, pages, time-outs',
    choice: 'those of [limits](limits.md)',
    source: 'decided',
  },
  {
    topic: 'Versioning',
    unspecified: 'versions of the interface',
    choice: 'none in addresses or headers; the document has one, and its [breaking changes](sdks.md) are listed',
    source: 'decided',
  },
  {
    topic: 'Versioning',
    unspecified: 'how revisions are listed or chosen',
    choice:
      'records have `vid` and its companions, and only the current one can be read; a change makes a new one only where the bundle says `new_revision` and the site has `beyond.workbench_integration`',
    source: 'recorded',
  },
];

/** Parts of a real repository that Atoll does not have. */
export const absences = [
  ['HTML pages', 'links such as `edit-form` and `version-history` lead to no page'],
  ['aliases of other pages', 'only records have [aliases](own-site.md#aliases-and-redirects)'],
  [
    'URL aliases that a module makes by itself (pathauto), on a site without patterns',
    'a record has the [alias](own-site.md#aliases-and-redirects) that a client gives it; a site can [have patterns](living-repository.md)',
  ],
  [
    'Checksums in the records of files (filehash), on a site without them',
    '`/checksum/{file}` answers them; files can [have hashes](living-repository.md)',
  ],
  ['revisions as resources', 'see Versioning above'],
  ['the admin listing of file usage', 'find the id of a file in the media that uses it'],
  ['tokens passed on to other services', 'there are no other services'],
  [
    'JSON:API, views, search',
    'a site declares [lists](lists.md) of any type; an import makes them of the REST displays of views',
  ],
  ['Fedora, triple store, microservices', 'the scheme `fedora` keeps only bytes'],
  [
    'changes of translations',
    'records may have [translations](own-site.md#settings-of-real-sites), shown at `/fr/…`; they come with a fixture or an import of data',
  ],
  ['sessions over a restart', 'sessions and flood counters are kept in memory'],
];
