/** Planted bugs in the choice of a format, and in JSON-LD. */
import {
  omit,
  file,
  formatOf,
  get,
  isRead,
  mutantsOf,
  node,
  one,
  onRefusal,
  onReply,
  onRequest,
  record,
  valuesOf,
  withBody,
  withHeader,
  type Alteration,
  type SeenReply,
  type SeenRequest,
} from './mutant.ts';

const isJsonld = (request: SeenRequest, reply: SeenReply): boolean =>
  isRead(request) && node.test(request.path) && reply.status === 200 && formatOf(request) === 'jsonld';

type Thing = Record<string, unknown>;
/** Changes the graph of a node in JSON-LD. */
const graph = (change: (things: readonly Thing[]) => unknown): (() => Alteration) =>
  onReply(isJsonld, (reply) => {
    if (reply.body.length === 0) return reply;
    const { '@graph': things } = JSON.parse(reply.body.toString()) as { '@graph': readonly Thing[] }; // the healthy server's JSON-LD
    return withBody(reply, JSON.stringify(change(things)));
  });
const eachThing = (change: (thing: Thing) => Thing) => graph((things) => ({ '@graph': things.map(change) }));
const eachValue = (change: (value: Thing) => unknown) =>
  eachThing((thing) =>
    Object.fromEntries(
      Object.entries(thing).map(([name, values]) => [
        name,
        Array.isArray(values)
          ? values.map((value: unknown) =>
              typeof value === 'object' && value !== null ? change(value as Thing) : value,
            )
          : values, // values of JSON-LD
      ]),
    ),
  );
const withoutMember =
  (member: string) =>
  (thing: Thing): Thing =>
    omit(thing, member);

const jsonld = get('/node/5?_format=jsonld');
const asJson = (request: SeenRequest): SeenRequest => ({ ...request, query: '_format=json' });

export const formatMutants = mutantsOf('formats', [
  [
    'missing-format-is-json',
    'The format of a representation is chosen with the query parameter `_format`: without it a file has none (406).',
    onRefusal(
      (request, { status }) =>
        isRead(request) && file.test(request.path) && status === 406 && formatOf(request) === null,
      asJson,
    ),
    get('/entity/file/2'),
  ],
  [
    'unknown-formats-are-json',
    'Values of `_format` are those configured for the resource; another one: 406.',
    onRefusal(
      (request, { status }) =>
        isRead(request) && record.test(request.path) && status === 406 && formatOf(request) !== null,
      asJson,
    ),
    get('/node/5?_format=foo'),
  ],
  [
    'jsonld-is-json',
    '`_format=jsonld`: a graph with `@id`, `@type`.',
    () => async (request, ask) => {
      const reply = await ask(request);
      if (!isJsonld(request, reply)) return reply;
      return withHeader(withBody(reply, (await ask(asJson(request))).body), 'Content-Type', 'application/ld+json');
    },
    jsonld,
  ],
  [
    'jsonld-is-called-json',
    '`application/ld+json` for jsonld.',
    onReply(isJsonld, (reply) => withHeader(reply, 'Content-Type', 'application/json')),
    jsonld,
  ],
  [
    'format-follows-accept',
    'The format of a representation is chosen with the query parameter `_format`, not with Accept.',
    onRequest(
      (request) => isRead(request) && node.test(request.path) && /ld\+json/.test(request.headers['accept'] ?? ''),
      (request) => ({ ...request, query: '_format=jsonld' }),
    ),
    one('GET', '/node/5?_format=json', { headers: { accept: 'application/ld+json' } }),
  ],
  [
    'jsonld-is-refused',
    'Nodes can also be read in the `jsonld` format.',
    onRequest(
      (request) => isRead(request) && formatOf(request) === 'jsonld',
      (request) => ({ ...request, query: '_format=xml' }),
    ),
    jsonld,
  ],
  ['jsonld-has-no-graph', 'jsonld: a graph.', graph(([first]) => first), jsonld],
  [
    'jsonld-id-is-relative',
    'jsonld: `@id` is the URI of the node.',
    eachThing((thing) => ({ ...thing, '@id': new URL(String(thing['@id'])).pathname })),
    jsonld,
  ],
  [
    'jsonld-id-is-of-another',
    'jsonld: `@id` is the URI of the node.',
    eachThing((thing) => ({ ...thing, '@id': `${String(thing['@id'])}1` })),
    jsonld,
  ],
  ['jsonld-has-no-type', 'jsonld: a graph with `@id`, `@type`.', eachThing(withoutMember('@type')), jsonld],
  [
    'jsonld-type-is-a-word',
    'jsonld: `@type` has the URIs of the classes.',
    eachThing((thing) => ('@type' in thing ? { ...thing, '@type': ['islandora_object'] } : thing)),
    jsonld,
  ],
  [
    'jsonld-dates-have-no-type',
    'jsonld: dated values.',
    eachValue((value) => (String(value['@type']).includes('dateTime') ? withoutMember('@type')(value) : value)),
    jsonld,
  ],
  ['jsonld-texts-have-no-language', 'jsonld: language-tagged values.', eachValue(withoutMember('@language')), jsonld],
  [
    'jsonld-references-are-texts',
    'jsonld: a reference is an object with `@id`.',
    eachValue((value) => value['@id'] ?? value),
    jsonld,
  ],
  [
    'jsonld-loses-the-title',
    'Every format shows the same node: its title is in jsonld, too.',
    eachThing((thing) => Object.fromEntries(Object.entries(thing).filter(([name]) => !/title|name$/i.test(name)))),
    jsonld,
  ],
  [
    'errors-in-jsonld-are-called-json',
    'The content type of an error is that of the requested `_format`.',
    onReply(
      (request, { status }) => formatOf(request) === 'jsonld' && status === 404,
      (reply) =>
        valuesOf(reply, 'Content-Type').length === 0 ? reply : withHeader(reply, 'Content-Type', 'text/html'),
    ),
    get('/node/999999?_format=jsonld'),
  ],
]);
