/** Planted bugs in records, links, formats and the bytes of files. */
import {
  body,
  both,
  bug,
  by,
  called,
  content,
  eachItem,
  eachLine,
  entity,
  entityWithLinks,
  everyField,
  field,
  file,
  formatOf,
  get,
  header,
  isAnonymous,
  isRead,
  isRequest,
  media,
  node,
  omit,
  one,
  onRefusal,
  onReply,
  onRequest,
  planted,
  read,
  reads,
  record,
  rewritten,
  sending,
  sent,
  set,
  status,
  value,
  valuesOf,
  without,
  type Bug,
  type Change,
  type Match,
  type SeenReply,
} from './mutant.ts';

const isFormat =
  (format: string): Match =>
  (request) =>
    formatOf(request) === format;
const asJson = (path: RegExp): ((...changes: readonly Change[]) => Bug) => onReply(both(reads(path), isFormat('json')));
const inNode = asJson(node);
const inMedia = asJson(media);
const inFile = asJson(file);
const inRecord = asJson(record);

const node5 = read('/node/5', 'editor');
const media1 = read('/media/1', 'editor');
const file1 = read('/entity/file/1', 'editor');

const recordMutants = planted('records', node5, {
  'All fields of a record are lists.': { 'title-is-no-list': inNode(field('title', ([first]) => first)) },
  'Scalar elements have the shape {"value": <scalar>}.': {
    'title-is-plain-text': inNode(eachItem('title', (item) => item['value'])),
  },
  'A list with no value is `[]`.': {
    'empty-fields-are-null': inRecord(everyField((items) => (items.length === 0 ? null : items))),
  },
  'A list with no value is `[]`: the field is there.': {
    'empty-fields-are-left-out': inNode(everyField((items) => (items.length === 0 ? undefined : items))),
  },
  'nid: scalar, integer.': { 'node-id-is-text': inNode(value('nid', String)) },
  'status: scalar, boolean.': { 'status-is-a-number': inNode(value('status', Number)) },
  'mid: media id, an integer.': { 'media-id-is-text': inMedia(value('mid', String)).seenBy(media1) },
  'filesize: scalar, integer.': { 'file-size-is-text': inFile(value('filesize', String)).seenBy(file1) },
  'Datetime element: `value`: ISO 8601 with UTC offset.': {
    'dates-have-no-offset': inNode(value('created', (date) => String(date).slice(0, 19))),
  },
  'Datetime element: `value`: string, ISO 8601.': {
    'dates-are-unix-seconds': inNode(value('changed', (date) => Date.parse(String(date)) / 1000)),
  },
  'Datetime element: `format`: string, the pattern used.': {
    'dates-have-no-format': inMedia(without('created', 'format')).seenBy(media1),
  },
  'Reference element: `target_type`.': { 'references-have-no-type': inNode(without('field_model', 'target_type')) },
  'Reference element: `target_id`: integer.': {
    'reference-ids-are-text': inNode(
      eachItem('field_model', (item) => ({ ...item, target_id: String(item['target_id']) })),
    ),
  },
  'Reference element: `url`: relative path of the referenced entity.': {
    'reference-urls-are-missing': inNode(without('field_model', 'url')),
  },
  'Reference element: `url`: path of the referenced entity.': {
    'reference-urls-lead-elsewhere': inRecord(
      everyField((items) =>
        items.map((item) =>
          'target_id' in item && 'url' in item
            ? { ...item, url: String(item['url']).replace('/taxonomy/term/', '/term/') }
            : item,
        ),
      ),
    ),
  },
  'Reference element: `target_uuid`: the UUID of the referenced entity.': {
    'reference-uuid-of-another': inNode(
      eachItem('field_model', (item) => ({ ...item, target_uuid: '11111111-1111-4111-8111-111111111111' })),
    ),
  },
  'uuid: scalar, string UUID.': {
    'node-uuid-is-none': inNode(value('uuid', (uuid) => String(uuid).replaceAll('-', '').slice(4))),
  },
  'GET /node/{node_id}: the node.': { 'record-of-another-node': inNode(value('nid', (id) => Number(id) + 1)) },
  'field_media_of: the node(s) the media belongs to.': {
    'media-has-no-media-of': inMedia(entity((all) => omit(all, 'field_media_of'))).seenBy(media1),
  },
  'field_file_size: bytes.': {
    'media-size-is-not-the-file’s': inMedia(value('field_file_size', (size) => Math.ceil(Number(size) / 1024))).seenBy(
      media1,
    ),
  },
  'field_mime_type: MIME type.': {
    'media-type-is-not-the-file’s': inMedia(value('field_mime_type', () => 'application/octet-stream')).seenBy(media1),
  },
  'File, uri: {value, url}.': { 'file-uri-has-no-url': inFile(without('uri', 'url')).seenBy(file1) },
  'File, uri: `value`: scheme-qualified storage location (<scheme>://<path>).': {
    'file-uri-has-no-scheme': inFile(value('uri', (uri) => String(uri).replace(/^\w+:\/\//, ''))).seenBy(file1),
  },
  'File, uri: `url`: path at which the content is served.': {
    'file-url-leads-nowhere': inFile(
      eachItem('uri', (item) => ({ ...item, url: `/files${String(item['url'])}` })),
    ).seenBy(file1),
  },
  'filesize: bytes.': {
    'file-size-is-not-that-of-the-content': onReply(reads(file))(value('filesize', (size) => Number(size) + 1)).seenBy(
      file1,
    ),
  },
});

const nodeLinks = reads(node);
const mediaLinks = reads(media);
const all = reads(entityWithLinks);

const lacks = (match: Match, wrong: RegExp): Bug =>
  onReply(match)(eachLine('Link', (link) => (wrong.test(link) ? undefined : link)));
const replaced = (match: Match, from: RegExp, to: string): Bug => onReply(match)(rewritten('Link', from, to));
/** Links as the admin sees them. */
const linksOfAdmin = (match: Match): Bug =>
  bug(() => async (request, ask) => {
    const reply = await ask(request);
    if (!match(request, reply)) return reply;
    return header('Link', ...valuesOf(await ask(by('admin')(request)), 'Link'))(reply);
  });

const linkMutants = planted('links', node5, {
  'GET and HEAD responses carry Link headers.': {
    'nodes-have-no-links': lacks(nodeLinks, /./),
    'media-have-no-links': lacks(mediaLinks, /./).seenBy(media1),
  },
  'Other representation: rel `alternate`.': { 'alternate-is-missing': lacks(all, /rel="alternate"/) },
  'Other representation: the same URI with another `_format`.': {
    'alternate-names-itself': onReply(all)(
      eachLine('Link', (link, request) =>
        link.includes('rel="alternate"') ? link.replace(/_format=\w+/, `_format=${formatOf(request) ?? 'json'}`) : link,
      ),
    ),
  },
  'Other representation: `type` is the MIME type of that representation.': {
    'alternate-has-no-type': replaced(all, /(rel="alternate"); type="[^"]*"/, '$1'),
  },
  'Other representation: `type` is `application/ld+json` for jsonld.': {
    'alternate-has-the-wrong-type': replaced(
      all,
      /(rel="alternate"; type=)"application\/ld\+json"/,
      '$1"application/json"',
    ),
  },
  'Entity reference field: title: the field’s display label.': {
    'related-has-no-title': replaced(all, /(rel="related"); title=.*/, '$1'),
    'title-is-the-machine-name': replaced(all, /title="Member of"/, 'title="field_member_of"'),
  },
  'Taxonomy term tag: rel `tag`.': { 'tags-are-missing': lacks(all, /rel="tag"/) },
  'Taxonomy term tag: title: the term’s display label.': {
    'tags-have-no-title': replaced(all, /(rel="tag"); title=.*/, '$1'),
  },
  'Taxonomy term tag: the term’s external URI if it has `field_external_uri`.': {
    'tags-are-always-local': replaced(
      all,
      /<http:\/\/pcdm\.org\/use#OriginalFile>|<http:\/\/purl\.org\/coar[^>]*>/,
      '</taxonomy/term/16>',
    ),
  },
  'Entity reference field: rel `related`, target: the referenced entity.': {
    'collection-is-missing': lacks(nodeLinks, /rel="related"; title="Member of"/),
  },
  'Media of a node: rel `related`, target: the media URI.': {
    'media-of-a-node-are-missing': lacks(nodeLinks, /\/media\/\d+>; rel="related"/),
  },
  'Media of a node: title: the display label of the media’s `field_media_use` term.': {
    'media-of-a-node-are-called-media': replaced(
      nodeLinks,
      /(\/media\/\d+>; rel="related"); title=.*/,
      '$1; title="Media"',
    ),
  },
  'Node of a media: rel `related`, target: the node URI.': {
    'node-of-a-media-is-missing': lacks(mediaLinks, /\/node\/\d+>; rel="related"/).seenBy(media1),
  },
  'Source file of a media: rel `describes`.': {
    'describes-is-missing': lacks(mediaLinks, /rel="describes"/).seenBy(media1),
  },
  'Source file of a media: `describes`, with `type` = file MIME type.': {
    'describes-has-no-type': replaced(mediaLinks, /(rel="describes"); type=.*/, '$1').seenBy(media1),
  },
  'Source file of a media: target: the file’s content URI.': {
    'describes-names-the-record-of-the-file': replaced(
      mediaLinks,
      /<[^>]*>(; rel="describes")/,
      '</entity/file/1>$1',
    ).seenBy(media1),
  },
  'Edit source file: rel `edit-media`, target `/media/{media_id}/source`.': {
    'edit-media-is-missing': lacks(mediaLinks, /rel="edit-media"/).seenBy(media1),
  },
  'Edit source file: target `/media/{media_id}/source`.': {
    'edit-media-names-the-form': replaced(mediaLinks, /\/source>(; rel="edit-media")/, '/edit>$1').seenBy(media1),
  },
  'The platform supplies `canonical`.': { 'canonical-is-missing': lacks(all, /rel="canonical"/) },
  '`canonical` is the address of the entity itself.': {
    'canonical-names-another': replaced(all, /\/(\d+)>; rel="canonical"/, '/1$1>; rel="canonical"'),
  },
  'The platform supplies `edit-form`.': { 'edit-form-is-missing': lacks(all, /rel="edit-form"/) },
  'The platform supplies `version-history`.': { 'version-history-is-missing': lacks(nodeLinks, /version-history/) },
  'Relations are named `{relations_base}/delete-form` and so on.': {
    'relations-have-no-base': replaced(all, /rel="https:\/\/drupal\.org\/link-relations\//, 'rel="'),
  },
  'Each Link header follows RFC 8288.': { 'links-are-not-well-formed': replaced(all, /<([^>]*)>/, '$1') },
  'Each Link header follows RFC 8288: a value with spaces is quoted.': {
    'titles-are-not-quoted': replaced(all, /title="([^"]* [^"]*)"/, 'title=$1'),
  },
  'Link headers are the same for every body format.': {
    'jsonld-has-fewer-links': lacks(both(all, isFormat('jsonld')), /rel="related"/).seenBy(
      get('/node/5?_format=jsonld', 'editor'),
    ),
  },
  'Link headers for entities are omitted when the requester cannot view the linked entity.': {
    'media-are-linked-for-anonymous': linksOfAdmin(both(nodeLinks, isAnonymous)).seenBy(read('/node/5')),
  },
  'Link headers are omitted when the requester may not use them: `edit-media` needs `update media`.': {
    'edit-media-is-shown-to-viewers': linksOfAdmin(
      both(mediaLinks, ({ headers }) => headers['authorization'] !== undefined),
    ).seenBy(read('/media/1', 'viewer')),
  },
  'The linkset of a node has all its links (RFC 9264).': {
    'linkset-leaves-out-media': onReply(reads(/^\/node\/\d+\/linkset$/))((reply) => {
      const less = reply.body.toString().replace(/\{"href":"[^"]*\/media\/\d+"[^}]*\},?/g, '');
      return body(less.replaceAll(',]', ']'))(reply);
    }).seenBy(get('/node/5/linkset', 'editor')),
  },
  'The anchor of a linkset is the entity (RFC 9264 §4.2.2).': {
    'linkset-has-another-anchor': onReply(reads(/\/linkset$/))((reply) =>
      body(reply.body.toString().replace(/"anchor":"([^"]*)"/, '"anchor":"$1/linkset"'))(reply),
    ).seenBy(get('/node/5/linkset', 'editor')),
  },
});

const isJsonld = both(reads(node), isFormat('jsonld'));
const inJsonld = onReply(isJsonld);

type Thing = Record<string, unknown>;
/** Changes the graph of a node in JSON-LD. */
const graph = (change: (things: readonly Thing[]) => unknown): Bug =>
  inJsonld((reply) => {
    if (reply.body.length === 0) return reply;
    const { '@graph': things } = JSON.parse(reply.body.toString()) as { '@graph': readonly Thing[] }; // the healthy server's JSON-LD
    return body(JSON.stringify(change(things)))(reply);
  });
const eachThing = (change: (thing: Thing) => Thing): Bug => graph((things) => ({ '@graph': things.map(change) }));
const isThing = (given: unknown): given is Thing => typeof given === 'object' && given !== null;
const eachValue = (change: (value: Thing) => unknown): Bug =>
  eachThing((thing) => {
    const changed = (given: unknown): unknown => (isThing(given) ? change(given) : given);
    const members = Object.entries(thing);
    return Object.fromEntries(members.map(([name, own]) => [name, Array.isArray(own) ? own.map(changed) : own])); // values of JSON-LD
  });
const jsonAgain = set({ query: '_format=json' });

const formatMutants = planted('formats', get('/node/5?_format=jsonld'), {
  'The format of a representation is chosen with the query parameter `_format`: without it a file has none (406).': {
    'missing-format-is-json': onRefusal(both(reads(file, 406), (request) => formatOf(request) === null))(
      jsonAgain,
    ).seenBy(get('/entity/file/2')),
  },
  'Values of `_format` are those configured for the resource; another one: 406.': {
    'unknown-formats-are-json': onRefusal(both(reads(record, 406), (request) => formatOf(request) !== null))(
      jsonAgain,
    ).seenBy(get('/node/5?_format=foo')),
  },
  '`_format=jsonld`: a graph with `@id`, `@type`.': {
    'jsonld-is-json': bug(() => async (request, ask) => {
      const reply = await ask(request);
      if (!isJsonld(request, reply)) return reply;
      return body((await ask(jsonAgain(request))).body, 'application/ld+json')(reply);
    }),
  },
  '`application/ld+json` for jsonld.': { 'jsonld-is-called-json': inJsonld(called('application/json')) },
  'The format of a representation is chosen with the query parameter `_format`, not with Accept.': {
    'format-follows-accept': onRequest(
      (request) => isRead(request) && node.test(request.path) && /ld\+json/.test(request.headers['accept'] ?? ''),
    )(set({ query: '_format=jsonld' })).seenBy(
      one('GET', '/node/5?_format=json', { headers: { accept: 'application/ld+json' } }),
    ),
  },
  'Nodes can also be read in the `jsonld` format.': {
    'jsonld-is-refused': onRequest((request) => isRead(request) && formatOf(request) === 'jsonld')(
      set({ query: '_format=xml' }),
    ),
  },
  'jsonld: a graph.': { 'jsonld-has-no-graph': graph(([first]) => first) },
  'jsonld: `@id` is the URI of the node.': {
    'jsonld-id-is-relative': eachThing((thing) => ({ ...thing, '@id': new URL(String(thing['@id'])).pathname })),
    'jsonld-id-is-of-another': eachThing((thing) => ({ ...thing, '@id': `${String(thing['@id'])}1` })),
  },
  'jsonld: a graph with `@id`, `@type`.': { 'jsonld-has-no-type': eachThing((thing) => omit(thing, '@type')) },
  'jsonld: `@type` has the URIs of the classes.': {
    'jsonld-type-is-a-word': eachThing((thing) =>
      '@type' in thing ? { ...thing, '@type': ['islandora_object'] } : thing,
    ),
  },
  'jsonld: dated values.': {
    'jsonld-dates-have-no-type': eachValue((given) =>
      String(given['@type']).includes('dateTime') ? omit(given, '@type') : given,
    ),
  },
  'jsonld: language-tagged values.': {
    'jsonld-texts-have-no-language': eachValue((given) => omit(given, '@language')),
  },
  'jsonld: a reference is an object with `@id`.': {
    'jsonld-references-are-texts': eachValue((given) => given['@id'] ?? given),
  },
  'Every format shows the same node: its title is in jsonld, too.': {
    'jsonld-loses-the-title': eachThing((thing) =>
      Object.fromEntries(Object.entries(thing).filter(([name]) => !/title|name$/i.test(name))),
    ),
  },
  'The content type of an error is that of the requested `_format`.': {
    'errors-in-jsonld-are-called-json': onReply(
      (request, reply) =>
        formatOf(request) === 'jsonld' && reply.status === 404 && valuesOf(reply, 'Content-Type').length > 0,
    )(called('text/html')).seenBy(get('/node/999999?_format=jsonld')),
  },
});

const path = '/_flysystem/fedora/2019-03/fleet-at-anchor.png';
const whole = get(path, 'editor');
const asking = (headers: Readonly<Record<string, string>>) => one('GET', path, { as: 'editor', headers });
const range = asking({ range: 'bytes=0-9' });
const isContent = isRequest('GET HEAD POST PATCH PUT DELETE', content);
const inContent = onReply(reads(content));
const inPart = onReply(reads(content, 206));
const bytes =
  (change: (bytes: Buffer) => Buffer): Change =>
  (reply) =>
    reply.body.length === 0 ? reply : body(change(Buffer.from(reply.body)))(reply);

const contentMutants = planted('file content', whole, {
  'GET of the file’s `url`: 200; the binary content.': {
    'a-byte-is-changed': inContent(
      bytes((all) => Buffer.concat([all.subarray(0, -1), Buffer.from([(all.at(-1) ?? 0) ^ 1])])),
    ),
  },
  'filesize: bytes; the content has as many.': { 'content-is-cut': inContent(bytes((all) => all.subarray(0, -1))) },
  'The content has the media type of the file.': {
    'content-has-another-media-type': inContent(called('application/octet-stream')),
  },
  'File endpoints return metadata only; the binary content is fetched from the file’s public URL.': {
    'content-is-the-record': inContent(body('{"fid":[{"value":1}]}', 'application/json')),
  },
  'File endpoints return metadata only.': {
    'record-of-a-file-is-the-content': onReply(reads(file))(body('bytes', 'image/png')).seenBy(file1),
  },
  'Range: 206 with the bytes that were asked for (RFC 9110 §14).': {
    'ranges-are-off-by-one': inPart(bytes((part) => Buffer.concat([part.subarray(1), part.subarray(0, 1)]))).seenBy(
      range,
    ),
  },
  '206 has a Content-Range header (RFC 9110 §15.3.7).': {
    'ranges-have-no-content-range': inPart(header('Content-Range')).seenBy(range),
  },
  'Content-Range tells the whole length (RFC 9110 §14.4).': {
    'ranges-tell-the-wrong-length': inPart(rewritten('Content-Range', /\d+$/, '10')).seenBy(range),
  },
  'The service announces Accept-Ranges: bytes, so a range is answered with 206.': {
    'ranges-are-ignored': onRequest(isContent)(sending({ range: undefined })).seenBy(range),
  },
  'A range beyond the end: 416.': {
    'ranges-beyond-the-end-answer-500': onReply(reads(content, 416))(status(500)).seenBy(
      asking({ range: 'bytes=99999998-99999999' }),
    ),
  },
  'An ETag names one content (RFC 9110 §8.8.3): other bytes have another one.': {
    'etag-is-always-the-same': onReply(sent('GET HEAD', content, 200, 206))(header('ETag', '"1"')),
  },
  'If-None-Match with the ETag of the content: 304 (RFC 9110 §13.1.2).': {
    'unchanged-content-is-sent-again': onRequest(isContent)(sending({ 'if-none-match': undefined })).seenBy(
      async (send) => {
        const [etag = ''] = valuesOf(await send('GET', path, { as: 'editor' }), 'ETag');
        return send('GET', path, { as: 'editor', headers: { 'if-none-match': etag } });
      },
    ),
  },
  'If-None-Match with another ETag: 200 with the content.': {
    'changed-content-is-called-unchanged': onReply(
      both(reads(content), ({ headers }) => headers['if-none-match'] !== undefined),
    )((reply) => ({ ...reply, status: 304, body: Buffer.alloc(0) })).seenBy(asking({ 'if-none-match': '"another"' })),
  },
  'HEAD has the headers of GET.': {
    'head-of-content-has-another-length': onReply(sent('HEAD', content, 200))((reply) => ({
      ...header('Content-Length', '1')(reply),
      body: Buffer.alloc(0),
    })).seenBy(one('HEAD', path, { as: 'editor' })),
  },
  'Content that does not exist: 404.': {
    'missing-content-answers-200': onReply(reads(content, 404))(status(200)).seenBy(
      get('/sites/default/files/nothing-here.bin'),
    ),
  },
  'DELETE of a file: its content is gone, too.': {
    'deleted-content-is-still-served': bug(() => {
      const kept = new Map<string, SeenReply>();
      return async (request, ask) => {
        const reply = await ask(request);
        if (!isContent(request) || request.method !== 'GET') return reply;
        if (reply.status === 200) kept.set(request.path, reply);
        return reply.status === 404 ? (kept.get(request.path) ?? reply) : reply;
      };
    }).seenBy(async (send) => {
      await whole(send);
      await send('DELETE', '/entity/file/1?_format=json', { as: 'admin' });
      return whole(send);
    }),
  },
});

export const readMutants = [...recordMutants, ...linkMutants, ...formatMutants, ...contentMutants];
