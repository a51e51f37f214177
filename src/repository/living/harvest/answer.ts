/** Answers a request of OAI-PMH 2.0 as the module of a real site does, which adds its errors up. */
import { xmlDocument, xmlElement, type XmlNode } from '../../../basics/formats/xml.ts';
import { changedOf } from '../../content/lists/record-filter.ts';
import { dublinCoreElement } from './dublin-core.ts';
import { harvestedBy, namedSets, setsOf, type Harvested, type HarvestViewer } from './harvested.ts';
import type { HarvestSettings } from './harvest-settings.ts';
import { readToken, tokenOf, type ListRequest } from './resumption.ts';
import { element } from './oai-element.ts';
import { entityKey, type Entity } from '../../../openapi/openapi-records.ts';

/** What the query says. An empty text is none. */
export type Arguments = Readonly<Partial<Record<string, string>>>;

export type HarvestContext = {
  readonly settings: HarvestSettings;
  readonly viewer: HarvestViewer;
  /** The scheme and host of the request. */
  readonly origin: string;
  readonly basePath: string;
  /** In seconds since 1970. */
  readonly now: number;
};

/** What a verb answers: its element or errors, and the attributes of `<request>`. */
type Answer = {
  readonly content: readonly XmlNode[];
  readonly attributes: Readonly<Record<string, string>>;
};

type Verb = (given: Arguments, context: HarvestContext) => Answer;

const schemaOf = (name: string): string => `${name} ${name}OAI-PMH.xsd`;
const oai = 'http://www.openarchives.org/OAI/2.0/';
const xsi = 'http://www.w3.org/2001/XMLSchema-instance';

export const answerHarvest = (given: Arguments, context: HarvestContext): string => {
  const verb = given['verb'] ?? '';
  const answer = Object.hasOwn(verbs, verb) ? verbs[verb] : undefined;
  const { content, attributes } =
    answer === undefined ? { content: [badVerb], attributes: {} } : answer(given, context);
  return xmlDocument(
    element(
      'OAI-PMH',
      [element('responseDate', dateOf(context.now)), element('request', addressOf(context), attributes), ...content],
      { xmlns: oai, 'xmlns:xsi': xsi, 'xsi:schemaLocation': schemaOf(oai) },
    ),
  );
};

const addressOf = ({ origin, basePath, settings: { path } }: HarvestContext): string => origin + basePath + path;

const dateOf = (seconds: number): string => new Date(seconds * 1000).toISOString().replace(/\.\d+Z$/, 'Z');

const error = (code: string, message: string): XmlNode => element('error', message, { code });

export const badVerb = error(
  'badVerb',
  'Value of the verb argument is not a legal OAI-PMH verb, the verb argument is missing, or the verb argument is repeated.',
);

const missing = (name: string): XmlNode => error('badArgument', `Missing required argument ${name}.`);

const identify: Verb = (_given, context) => {
  const { settings, viewer, origin } = context;
  const created = harvestedBy(settings, viewer).map((each) => each.created);
  const host = new URL(origin).host;
  const identifier = `${oai.replace(/\/$/, '')}/oai-identifier`;
  const content = element('Identify', [
    element('repositoryName', settings.name),
    element('baseURL', addressOf(context)),
    element('protocolVersion', '2.0'),
    element('adminEmail', settings.email),
    element('earliestDatestamp', dateOf(created.reduce((a, b) => Math.min(a, b), created[0] ?? 0))),
    element('deletedRecord', 'no'),
    element('granularity', 'YYYY-MM-DDThh:mm:ssZ'),
    element('description', [
      element(
        'oai-identifier',
        [
          element('scheme', 'oai'),
          element('repositoryIdentifier', host),
          element('delimiter', ':'),
          element('sampleIdentifier', `oai:${host}:node-1`),
        ],
        { xmlns: identifier, 'xsi:schemaLocation': `${identifier} ${identifier}.xsd` },
      ),
    ]),
  ]);
  return { content: [content], attributes: { verb: 'Identify' } };
};

/** The schema and namespace of each format. */
const formats = {
  mods: ['http://www.loc.gov/standards/mods/v3/mods-3-7.xsd', 'http://www.loc.gov/mods/v3'],
  oai_dc: [`${oai}oai_dc.xsd`, `${oai}oai_dc/`],
} as const;

const listMetadataFormats: Verb = (_given, { settings }) => ({
  content: [
    element(
      'ListMetadataFormats',
      settings.formats.map((name) =>
        element('metadataFormat', [
          element('metadataPrefix', name),
          element('schema', formats[name][0]),
          element('metadataNamespace', formats[name][1]),
        ]),
      ),
    ),
  ],
  attributes: { verb: 'ListMetadataFormats' },
});

const noSets = error('noSetHierarchy', 'The repository does not support sets.');

const listSets: Verb = (_given, { settings, viewer }) => {
  const attributes = { verb: 'ListSets' };
  if (!settings.has_sets) return { content: [noSets], attributes };
  const sets = namedSets(harvestedBy(settings, viewer), settings, viewer);
  const written = sets.map(({ spec, name }) => element('set', [element('setSpec', spec), element('setName', name)]));
  return { content: [element('ListSets', written)], attributes };
};

/** The errors of a prefix. */
const faultsOfPrefix = (prefix: string | undefined, { settings }: HarvestContext): readonly XmlNode[] => {
  if (prefix === undefined) return [missing('metadataPrefix')];
  if (settings.formats.some((name) => name === prefix)) return [];
  const message =
    'The metadata format identified by the value given for the metadataPrefix argument is not supported by the item or by the repository.';
  return [error('cannotDisseminateFormat', message)];
};

const getRecord: Verb = ({ identifier, metadataPrefix: prefix }, context) => {
  const found = identifier === undefined ? undefined : recordAt(identifier, context);
  const faults = [
    ...(identifier === undefined ? [missing('identifier')] : []),
    ...(found === undefined ? [unknownIdentifier] : []),
    ...faultsOfPrefix(prefix, context),
  ];
  if (found === undefined || prefix === undefined || faults.length > 0) return { content: faults, attributes: {} };
  return {
    content: [element('GetRecord', [record(found, prefix, context)])],
    attributes: { verb: 'GetRecord', metadataPrefix: prefix },
  };
};

const unknownIdentifier = error(
  'idDoesNotExist',
  'The value of the identifier argument is unknown or illegal in this repository.',
);

type HarvestedRecord = Pick<Harvested, 'sets'> & { readonly entity: Entity };

/** Its sets by their names. The host of an identifier has no port, unlike that in `Identify`. */
const recordAt = (identifier: string, { settings, viewer, origin }: HarvestContext): HarvestedRecord | undefined => {
  const [scheme, host, local, ...rest] = identifier.split(':');
  const id = /^node-([1-9][0-9]{0,14})$/.exec(local ?? '')?.[1];
  if (scheme !== 'oai' || host !== new URL(origin).hostname || id === undefined || rest.length > 0) return undefined;
  const entity = viewer.records.get(entityKey('node', Number(id)));
  const sets = entity === undefined ? [] : setsOf(entity, settings, viewer);
  return entity === undefined || sets.length === 0 ? undefined : { entity, sets: [...sets].sort() };
};

const record = (harvested: HarvestedRecord, prefix: string, context: HarvestContext): XmlNode =>
  element('record', [header(harvested, context), element('metadata', [metadataOf(harvested.entity, prefix, context)])]);

const header = ({ entity, sets }: HarvestedRecord, { settings, origin }: HarvestContext): XmlNode =>
  element('header', [
    element('identifier', `oai:${new URL(origin).hostname}:node-${entity.id}`),
    element('datestamp', dateOf(changedOf(entity) ?? 0)),
    ...(settings.has_sets ? sets.map((set) => element('setSpec', set)) : []),
  ]);

/** open: MODS comes of a view of the search index. A site without that index answers with an empty record, as here. */
const metadataOf = (entity: Entity, prefix: string, { viewer }: HarvestContext): XmlNode => {
  if (prefix === 'oai_dc') return dublinCoreElement(entity, viewer);
  const attributes = {
    'xmlns:mods': formats.mods[1],
    'xmlns:xsi': xsi,
    'xsi:schemaLocation': `${formats.mods[1]} ${formats.mods[0]}`,
  };
  return element('mods', [xmlElement('metadata-xml', [''])], attributes);
};

/** The list from the token, which goes before all other arguments, or from these. */
const listOf = (verb: string, given: Arguments, { now }: HarvestContext): ListRequest | undefined => {
  const { resumptionToken: token, metadataPrefix: prefix, set, from, until } = given;
  if (token !== undefined) return readToken(token, verb, now);
  return prefix === undefined ? undefined : { verb, prefix, set, from, until, cursor: 0 };
};

type RecordWriter = (harvested: HarvestedRecord, prefix: string, context: HarvestContext) => XmlNode;

const nothingFound = error('noRecordsMatch', 'No records found.');

const lister =
  (verb: string, write: RecordWriter): Verb =>
  (given, context) => {
    const { resumptionToken: token, set } = given;
    const { settings } = context;
    const list = listOf(verb, given, context);
    const isBadToken = token !== undefined && list === undefined;
    const faults = [
      ...(isBadToken ? [badToken] : token === undefined && set !== undefined && !settings.has_sets ? [noSets] : []),
      ...faultsOfPrefix(list?.prefix ?? given['metadataPrefix'], context),
    ];
    if (list === undefined || faults.length > 0) return { content: [...faults, nothingFound], attributes: { verb } };
    return page(list, write, context);
  };

const badToken = error('badResumptionToken', 'The value of the resumptionToken argument is invalid or expired.');

const page = (list: ListRequest, write: RecordWriter, context: HarvestContext): Answer => {
  const { settings, viewer, now } = context;
  const { verb, prefix, cursor, from, until } = list;
  const all = harvestedBy(settings, viewer).filter(chosenBy(list));
  const size = settings.page_size === 0 ? all.length : settings.page_size;
  const shown = all.slice(cursor, cursor + size);
  const attributes = {
    ...{ verb, metadataPrefix: prefix },
    ...(from === undefined ? {} : { from }),
    ...(until === undefined ? {} : { until }),
  };
  if (shown.length === 0) return { content: [nothingFound], attributes };
  const written = shown.flatMap(({ id, sets }) => {
    const entity = viewer.records.get(entityKey('node', id));
    // In a list of one set a record has only that set.
    const own = list.set === undefined ? sets : [list.set];
    return entity === undefined ? [] : [write({ entity, sets: own }, prefix, context)];
  });
  // The real site puts the empty token of a last part before the records.
  if (all.length <= cursor + size)
    return { content: [element(verb, [element('resumptionToken', ''), ...written])], attributes };
  const expires = now + settings.token_lifetime;
  const token = element('resumptionToken', tokenOf({ ...list, cursor: cursor + size }, expires), {
    ...{ completeListSize: String(all.length), cursor: String(cursor), expirationDate: dateOf(expires) },
  });
  return { content: [element(verb, [...written, token])], attributes };
};

const chosenBy = ({ set, from, until }: ListRequest): ((harvested: Harvested) => boolean) => {
  const first = from === undefined ? -Infinity : secondsOf(from);
  const last = until === undefined ? Infinity : secondsOf(until);
  return ({ changed, sets }) => changed >= first && changed <= last && (set === undefined || sets.includes(set));
};

/** A day means its beginning, also as an end. What is not a date is later and earlier than everything. */
const secondsOf = (text: string): number =>
  /^\d{4}-\d\d-\d\d(T\d\d:\d\d:\d\dZ)?$/.test(text) ? Date.parse(text) / 1000 : Number.NaN;

const verbs: Readonly<Record<string, Verb>> = {
  Identify: identify,
  ListMetadataFormats: listMetadataFormats,
  ListSets: listSets,
  GetRecord: getRecord,
  ListIdentifiers: lister('ListIdentifiers', (harvested, _prefix, context) => header(harvested, context)),
  ListRecords: lister('ListRecords', record),
};
