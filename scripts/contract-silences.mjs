/** What the contract leaves out, in its own order, with what Atoll does instead: the data of docs/not-emulated.md. */

/** Places where the contract says "not shown" or "not described". `from`: recorded on a real site, or decided here. */
export const silences = [
  {
    place: 'Node fields',
    silent: 'the shape of the elements of `field_subject`, `field_linked_agent` and the other lists',
    choice: 'each as its field type is on a real site, described as a schema of the document',
    from: 'recorded',
  },
  {
    place: 'Entities',
    silent: 'the fields of terms and users',
    choice:
      'terms have those of their vocabulary; users a short public form, with `roles`, `mail` and `status` for themselves and administrators',
    from: 'recorded, users decided',
  },
  {
    place: 'States',
    silent: 'what `status` means, and what changes it',
    choice:
      'published or not: what is unpublished is seen by administrators, and by its owner with `view own unpublished content` (or media); administrators change it by PATCH',
    from: 'recorded',
  },
  {
    place: 'Endpoints 8',
    silent: 'the methods of `/media/{media_id}/source`',
    choice: 'PUT replaces the bytes, 204',
    from: 'reference',
  },
  {
    place: 'Endpoints 9',
    silent: 'POST and PUT to create media and files through the standard routes',
    choice:
      '`POST /entity/media` with a file that exists, and `POST /file/upload/{entity_type}/{bundle}/{field_name}`; both can be switched off in the site',
    from: 'recorded',
  },
  {
    place: 'Endpoints 10',
    silent: 'the status when an upload replaces a file',
    choice: '204, no `Location`; media, file, uuid and uri stay',
    from: 'recorded',
  },
  {
    place: 'Endpoints 11',
    silent: 'the full shape of JSON-LD',
    choice: 'a graph by the `rdf` keys of the site, with references as nodes of their own',
    from: 'recorded',
  },
  {
    place: 'Authentication 3',
    silent: 'how long a token lives',
    choice: 'two hours; `tokens.lifetime` in the site',
    from: 'recorded',
  },
  {
    place: 'Authentication 6',
    silent: 'names of permissions',
    choice: "the platform's own, given to roles in the site",
    from: 'reference',
  },
  {
    place: 'Events',
    silent: 'events, hooks, notifications',
    choice: 'none; a test can watch `/_atoll/traffic`',
    from: 'decided',
  },
  {
    place: 'Events',
    silent: 'how derivatives are made',
    choice: 'none are: thumbnails and service files are media that somebody uploads',
    from: 'decided',
  },
  {
    place: 'Errors',
    silent: 'status and body when `Content-type` does not fit',
    choice: '415 with a `message`',
    from: 'recorded',
  },
  {
    place: 'Errors',
    silent: 'bodies of 401, 403 and of validation errors',
    choice: '`{"message": …}` with the platform\'s texts; validation is 422 with a line for each fault',
    from: 'recorded',
  },
  {
    place: 'Limits',
    silent: 'rates, sizes, pages, time-outs',
    choice: 'those of [limits](limits.md)',
    from: 'decided',
  },
  {
    place: 'Versioning',
    silent: 'versions of the interface',
    choice: 'none in addresses or headers; the document has one, and its [breaking changes](sdks.md) are listed',
    from: 'decided',
  },
  {
    place: 'Versioning',
    silent: 'how revisions are listed or chosen',
    choice: '`vid` and its companions are there; a change makes no new revision and no other can be read',
    from: 'recorded',
  },
];

/** Parts of a real repository that have no stand-in at all. */
export const absences = [
  ['HTML pages', 'links such as `edit-form` and `version-history` lead to no page'],
  ['path aliases', 'records are at their canonical addresses only'],
  ['revisions as resources', 'see Versioning above'],
  ['the admin listing of file usage', 'Endpoints 7; a file id is in the media that uses it'],
  ['tokens passed on to other services', 'Authentication 5; there are no other services'],
  ['JSON:API, views, search', 'not part of the contract; node lists beyond it are in the document'],
  ['Fedora, triple store, microservices', 'the scheme `fedora` keeps bytes, and nothing else'],
  ['more than one language of a record', 'language members are there, translations are not'],
  ['sessions over a restart', 'sessions and flood counters live in memory'],
];
