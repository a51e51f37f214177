/** Planted bugs in the `Link` headers and in the linksets. */
import {
  asAccount,
  entityWithLinks,
  formatOf,
  get,
  isAnonymous,
  isRead,
  media,
  mutantsOf,
  node,
  onReply,
  reads,
  valuesOf,
  withBody,
  withHeader,
  type Alteration,
  type Match,
  type SeenReply,
  type SeenRequest,
} from './mutant.ts';

/** Changes each link; undefined leaves it out. */
const links = (match: Match, change: (link: string, request: SeenRequest) => string | undefined): (() => Alteration) =>
  onReply(match, (reply, request) =>
    withHeader(reply, 'Link', ...valuesOf(reply, 'Link').flatMap((link) => change(link, request) ?? [])),
  );

const without = (match: Match, wrong: RegExp): (() => Alteration) =>
  links(match, (link) => (wrong.test(link) ? undefined : link));
const replaced = (match: Match, from: RegExp, to: string): (() => Alteration) =>
  links(match, (link) => link.replace(from, to));

const nodeLinks = reads(node);
const mediaLinks = reads(media);
const all = reads(entityWithLinks);
const node5 = get('/node/5?_format=json', 'editor');
const media1 = get('/media/1?_format=json', 'editor');
const isFor =
  (match: Match, account: (request: SeenRequest) => boolean): Match =>
  (request, reply) =>
    match(request, reply) && account(request);

/** Links as another account sees them. */
const linksOfAdmin =
  (match: Match): (() => Alteration) =>
  () =>
  async (request, ask) => {
    const reply: SeenReply = await ask(request);
    if (!match(request, reply)) return reply;
    return withHeader(reply, 'Link', ...valuesOf(await ask(asAccount(request, 'admin')), 'Link'));
  };

export const linkMutants = mutantsOf('links', [
  ['nodes-have-no-links', 'GET and HEAD responses carry Link headers.', without(nodeLinks, /./), node5],
  ['media-have-no-links', 'GET and HEAD responses carry Link headers.', without(mediaLinks, /./), media1],
  ['alternate-is-missing', 'Other representation: rel `alternate`.', without(all, /rel="alternate"/), node5],
  [
    'alternate-names-itself',
    'Other representation: the same URI with another `_format`.',
    links(all, (link, request) =>
      link.includes('rel="alternate"') ? link.replace(/_format=\w+/, `_format=${formatOf(request) ?? 'json'}`) : link,
    ),
    node5,
  ],
  [
    'alternate-has-no-type',
    'Other representation: `type` is the MIME type of that representation.',
    replaced(all, /(rel="alternate"); type="[^"]*"/, '$1'),
    node5,
  ],
  [
    'alternate-has-the-wrong-type',
    'Other representation: `type` is `application/ld+json` for jsonld.',
    replaced(all, /(rel="alternate"; type=)"application\/ld\+json"/, '$1"application/json"'),
    node5,
  ],
  [
    'related-has-no-title',
    'Entity reference field: title: the field’s display label.',
    replaced(all, /(rel="related"); title=.*/, '$1'),
    node5,
  ],
  [
    'title-is-the-machine-name',
    'Entity reference field: title: the field’s display label.',
    replaced(all, /title="Member of"/, 'title="field_member_of"'),
    node5,
  ],
  ['tags-are-missing', 'Taxonomy term tag: rel `tag`.', without(all, /rel="tag"/), node5],
  [
    'tags-have-no-title',
    'Taxonomy term tag: title: the term’s display label.',
    replaced(all, /(rel="tag"); title=.*/, '$1'),
    node5,
  ],
  [
    'tags-are-always-local',
    'Taxonomy term tag: the term’s external URI if it has `field_external_uri`.',
    replaced(all, /<http:\/\/pcdm\.org\/use#OriginalFile>|<http:\/\/purl\.org\/coar[^>]*>/, '</taxonomy/term/16>'),
    node5,
  ],
  [
    'collection-is-missing',
    'Entity reference field: rel `related`, target: the referenced entity.',
    without(nodeLinks, /rel="related"; title="Member of"/),
    node5,
  ],
  [
    'media-of-a-node-are-missing',
    'Media of a node: rel `related`, target: the media URI.',
    without(nodeLinks, /\/media\/\d+>; rel="related"/),
    node5,
  ],
  [
    'media-of-a-node-are-called-media',
    'Media of a node: title: the display label of the media’s `field_media_use` term.',
    replaced(nodeLinks, /(\/media\/\d+>; rel="related"); title=.*/, '$1; title="Media"'),
    node5,
  ],
  [
    'node-of-a-media-is-missing',
    'Node of a media: rel `related`, target: the node URI.',
    without(mediaLinks, /\/node\/\d+>; rel="related"/),
    media1,
  ],
  ['describes-is-missing', 'Source file of a media: rel `describes`.', without(mediaLinks, /rel="describes"/), media1],
  [
    'describes-has-no-type',
    'Source file of a media: `describes`, with `type` = file MIME type.',
    replaced(mediaLinks, /(rel="describes"); type=.*/, '$1'),
    media1,
  ],
  [
    'describes-names-the-record-of-the-file',
    'Source file of a media: target: the file’s content URI.',
    replaced(mediaLinks, /<[^>]*>(; rel="describes")/, '</entity/file/1>$1'),
    media1,
  ],
  [
    'edit-media-is-missing',
    'Edit source file: rel `edit-media`, target `/media/{media_id}/source`.',
    without(mediaLinks, /rel="edit-media"/),
    media1,
  ],
  [
    'edit-media-names-the-form',
    'Edit source file: target `/media/{media_id}/source`.',
    replaced(mediaLinks, /\/source>(; rel="edit-media")/, '/edit>$1'),
    media1,
  ],
  ['canonical-is-missing', 'The platform supplies `canonical`.', without(all, /rel="canonical"/), node5],
  [
    'canonical-names-another',
    '`canonical` is the address of the entity itself.',
    replaced(all, /\/(\d+)>; rel="canonical"/, '/1$1>; rel="canonical"'),
    node5,
  ],
  ['edit-form-is-missing', 'The platform supplies `edit-form`.', without(all, /rel="edit-form"/), node5],
  [
    'version-history-is-missing',
    'The platform supplies `version-history`.',
    without(nodeLinks, /version-history/),
    node5,
  ],
  [
    'relations-have-no-base',
    'Relations are named `{relations_base}/delete-form` and so on.',
    replaced(all, /rel="https:\/\/drupal\.org\/link-relations\//, 'rel="'),
    node5,
  ],
  ['links-are-not-well-formed', 'Each Link header follows RFC 8288.', replaced(all, /<([^>]*)>/, '$1'), node5],
  [
    'titles-are-not-quoted',
    'Each Link header follows RFC 8288: a value with spaces is quoted.',
    replaced(all, /title="([^"]* [^"]*)"/, 'title=$1'),
    node5,
  ],
  [
    'jsonld-has-fewer-links',
    'Link headers are the same for every body format.',
    without((request, reply) => all(request, reply) && formatOf(request) === 'jsonld', /rel="related"/),
    get('/node/5?_format=jsonld', 'editor'),
  ],
  [
    'media-are-linked-for-anonymous',
    'Link headers for entities are omitted when the requester cannot view the linked entity.',
    linksOfAdmin(isFor(nodeLinks, isAnonymous)),
    get('/node/5?_format=json'),
  ],
  [
    'edit-media-is-shown-to-viewers',
    'Link headers are omitted when the requester may not use them: `edit-media` needs `update media`.',
    linksOfAdmin(isFor(mediaLinks, ({ headers }) => headers['authorization'] !== undefined)),
    get('/media/1?_format=json', 'viewer'),
  ],
  [
    'linkset-leaves-out-media',
    'The linkset of a node has all its links (RFC 9264).',
    onReply(reads(/^\/node\/\d+\/linkset$/), (reply) =>
      withBody(
        reply,
        reply.body
          .toString()
          .replace(/\{"href":"[^"]*\/media\/\d+"[^}]*\},?/g, '')
          .replaceAll(',]', ']'),
      ),
    ),
    get('/node/5/linkset', 'editor'),
  ],
  [
    'linkset-has-another-anchor',
    'The anchor of a linkset is the entity (RFC 9264 §4.2.2).',
    onReply(
      (request, reply) => isRead(request) && /\/linkset$/.test(request.path) && reply.status === 200,
      (reply) => withBody(reply, reply.body.toString().replace(/"anchor":"([^"]*)"/, '"anchor":"$1/linkset"')),
    ),
    get('/node/5/linkset', 'editor'),
  ],
]);
