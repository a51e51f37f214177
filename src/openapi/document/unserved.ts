/** Says what of a document the engine does not do, so that nothing is passed over in silence. The document is served all the same. */
import { isRecord, listOf } from '../../basics/json.ts';
import { readPointer } from '../../basics/json-pointer.ts';
import type { DocumentFlaw } from './document-flaw.ts';
import { isJsonType, isTextType, isXmlType } from '../media-type.ts';
import { methods, securitySchemesOf } from './operation.ts';
import type { References } from '../schemas/references.ts';
import { mostServerPaths, pathsOfServer } from './servers.ts';
import { type ObjectKind, unknownMembers } from './unknown-members.ts';
import { createSchemaVisit, isKnownDialect, type Say, sayOfMap } from './unserved-schemas.ts';
import { partOf, type Part } from './nodes.ts';

/** A part without a reference, and the steps to it from the root of the document. */
type LocatedPart = { readonly node: Part; readonly keys: readonly string[] };

type Looking = {
  readonly say: Say;
  /** What a value stands for, with its own place. */
  readonly part: (value: unknown, keys: readonly string[]) => LocatedPart;
  /** True the first time for each part: what is referred to often is looked at once. */
  readonly isNew: (node: Part) => boolean;
  readonly schema: (value: unknown, keys: readonly string[]) => void;
};

/** References must lead somewhere. */
export const unservedFlaws = (document: Part, references: References): DocumentFlaw[] => {
  const flaws: DocumentFlaw[] = [];
  const say: Say = (keys, rule, message, remedy = '') =>
    void flaws.push({ keys, rule, message, remedy, isServed: true });
  const seen = new WeakSet<object>();
  const isNew = (node: Part): boolean => {
    if (seen.has(node)) return false;
    seen.add(node);
    return true;
  };
  const part = (value: unknown, keys: readonly string[]): LocatedPart => {
    let place = keys;
    let target = value;
    while (isRecord(target) && typeof target['$ref'] === 'string') {
      place = readPointer(target['$ref']);
      target = references.at(target['$ref']);
    }
    return { node: partOf(target), keys: place };
  };
  const looking: Looking = { say, part, isNew, schema: createSchemaVisit(document, references, say) };
  sayOfDocument(document, looking);
  sayOfSecurity(document, references, say);
  for (const [path, written] of Object.entries(partOf(document['paths']))) {
    if (!path.startsWith('/')) continue;
    const item = part(written, ['paths', path]);
    sayOfItem(path, { node: partOf(references.overlaid(written)), keys: item.keys }, looking);
  }
  return flaws;
};

const sayOfDocument = (document: Part, { say }: Looking): void => {
  const { $self, webhooks, jsonSchemaDialect: dialect, servers } = document;
  if ($self !== undefined)
    say(
      ['$self'],
      'openapi-3.2',
      'OpenAPI 3.2 is read as 3.1: $self is not the base of references; the address of the file is.',
    );
  if (isRecord(webhooks) && Object.keys(webhooks).length > 0) say(['webhooks'], 'webhooks', 'Webhooks are not sent.');
  if (typeof dialect === 'string' && !isKnownDialect(dialect))
    say(['jsonSchemaDialect'], 'schema-dialect', `Schemas are read as JSON Schema 2020-12, not as ${dialect}.`);
  sayOfServers(servers, ['servers'], say);
};

const sayOfServers = (servers: unknown, keys: readonly string[], say: Say): void => {
  for (const [index, server] of listOf(servers).entries())
    if (!pathsOfServer(server).isWhole)
      say(
        [...keys, String(index), 'variables'],
        'servers',
        `The variables of the server make more than ${mostServerPaths} paths, so each has its default alone.`,
        'Serve it elsewhere with --document PREFIX=FILE.',
      );
};

const schemeTypes: ReadonlySet<string> = new Set(['apiKey', 'http', 'oauth2', 'openIdConnect', 'mutualTLS']);

const sayOfSecurity = (document: Part, references: References, say: Say): void => {
  const schemes = securitySchemesOf(document, references);
  sayOfMap(partOf(document['components']), 'securitySchemes', ['components'], say);
  for (const { name, type, scheme, in: place, parameter } of schemes.values()) {
    const keys = ['components', 'securitySchemes', name];
    if (type === 'mutualTLS') say(keys, 'mutual-tls', `Certificates of clients are not asked for (${name}).`);
    else if (!schemeTypes.has(type))
      say(
        keys,
        'security-scheme',
        `The security scheme "${name}" has the type "${type}", which OpenAPI does not have.`,
        'Correct its type.',
      );
    else if (type === 'http' && scheme === undefined)
      say(
        keys,
        'security-scheme',
        `The security scheme "${name}" has no scheme, so no request can meet it.`,
        'Add scheme: bearer, or another one.',
      );
    else if (type === 'apiKey' && (parameter === undefined || !['header', 'query', 'cookie'].includes(place ?? '')))
      say(keys, 'security-scheme', `The security scheme "${name}" does not say where its key is.`, 'Add in and name.');
  }
  const check = (security: unknown, keys: readonly string[]): void => {
    for (const name of new Set(listOf(security).flatMap((each) => Object.keys(partOf(each)))))
      if (!schemes.has(name))
        say(
          [...keys, 'security'],
          'security-scheme',
          `The security scheme "${name}" is not in the document, so it is not asked for.`,
          'Add it to components/securitySchemes.',
        );
  };
  check(document['security'], []);
  for (const [path, written] of Object.entries(partOf(document['paths'])))
    for (const method of methods) {
      const operation = partOf(references.overlaid(written))[method.toLowerCase()];
      check(partOf(operation)['security'], ['paths', path, method.toLowerCase()]);
    }
};

/** Says which members OpenAPI does not have. */
const sayOfMembers = (kind: ObjectKind, { node, keys }: LocatedPart, say: Say): void => {
  for (const { name, message, remedy } of unknownMembers(kind, node))
    say([...keys, name], 'unknown-member', message, remedy);
};

const sayOfItem = (path: string, { node, keys }: LocatedPart, looking: Looking): void => {
  const { say } = looking;
  // A method in capitals is said to be none already.
  const others = Object.entries(node).filter(([name]) => !methods.some((method) => method === name.toUpperCase()));
  if (looking.isNew(node)) sayOfMembers('path item', { node: Object.fromEntries(others), keys }, say);
  for (const name of ['query', 'additionalOperations'])
    if (node[name] !== undefined)
      say([...keys, name], 'openapi-3.2', `OpenAPI 3.2 is read as 3.1: ${name} of ${path} is not served.`);
  sayOfServers(node['servers'], [...keys, 'servers'], say);
  for (const [index, written] of listOf(node['parameters']).entries())
    sayOfParameter(looking.part(written, [...keys, 'parameters', String(index)]), looking);
  for (const method of methods) {
    const name = method.toLowerCase();
    if (isRecord(node[name])) sayOfOperation({ node: node[name], keys: [...keys, name] }, looking);
  }
};

const sayOfOperation = ({ node, keys }: LocatedPart, looking: Looking): void => {
  const { say, part } = looking;
  if (looking.isNew(node)) sayOfMembers('operation', { node, keys }, say);
  sayOfServers(node['servers'], [...keys, 'servers'], say);
  sayOfMap(node, 'callbacks', keys, say);
  for (const [index, written] of listOf(node['parameters']).entries())
    sayOfParameter(part(written, [...keys, 'parameters', String(index)]), looking);
  if (node['requestBody'] !== undefined) {
    const body = part(node['requestBody'], [...keys, 'requestBody']);
    if (looking.isNew(body.node)) sayOfMembers('request body', body, say);
    for (const media of mediaIn(body, looking)) sayOfRequestMedia(media, looking);
  }
  for (const [status, written] of Object.entries(partOf(node['responses']))) {
    if (status.startsWith('x-')) continue;
    const response = part(written, [...keys, 'responses', status]);
    if (!looking.isNew(response.node)) continue;
    sayOfMembers('response', response, say);
    for (const media of mediaIn(response, looking)) sayOfResponseMedia(media, looking);
    sayOfMap(response.node, 'headers', response.keys, say);
    for (const [name, header] of Object.entries(partOf(response.node['headers']))) {
      const described = part(header, [...response.keys, 'headers', name]);
      if (looking.isNew(described.node)) sayOfMembers('header', described, say);
      looking.schema(described.node['schema'], [...described.keys, 'schema']);
    }
    if (Object.keys(partOf(response.node['links'])).length > 0)
      say([...response.keys, 'links'], 'links', 'Links are not followed: their values are not filled in.');
  }
};

type MediaPart = LocatedPart & { readonly type: string };

const mediaIn = ({ node, keys }: LocatedPart, { part, isNew, schema, say }: Looking): MediaPart[] => {
  sayOfMap(node, 'content', keys, say);
  return Object.entries(partOf(node['content'])).flatMap(([type, written]) => {
    const media = part(written, [...keys, 'content', type]);
    schema(media.node['schema'], [...media.keys, 'schema']);
    return isNew(media.node) ? [{ ...media, type }] : [];
  });
};

const sayOfMedia = ({ node, keys, type }: MediaPart, { say, schema }: Looking): void => {
  sayOfMembers('media type', { node, keys }, say);
  for (const name of ['examples', 'encoding']) sayOfMap(node, name, keys, say);
  for (const name of ['itemSchema', 'prefixEncoding', 'itemEncoding'])
    if (node[name] !== undefined)
      say([...keys, name], 'openapi-3.2', `OpenAPI 3.2 is read as 3.1: ${name} of ${type} is not read.`);
  schema(node['itemSchema'], [...keys, 'itemSchema']);
};

const sayOfRequestMedia = (media: MediaPart, looking: Looking): void => {
  const { node, keys, type } = media;
  const { say, part } = looking;
  sayOfMedia(media, looking);
  const isForm = /^(multipart\/form-data|application\/x-www-form-urlencoded)\b/i.test(type);
  const { type: wanted, properties, items } = part(node['schema'], []).node;
  const isStructured = ['object', 'array'].includes(String(wanted)) || isRecord(properties) || items !== undefined;
  if (isXmlType(type)) {
    if (node['schema'] !== undefined)
      say(keys, 'xml-body', `A body of ${type} is taken as a text: its schema is not checked.`);
  } else if (!isForm && !isJsonType(type) && !isTextType(type) && !type.includes('*') && isStructured)
    say(keys, 'body', `A body of ${type} is taken as bytes: its schema is not checked.`);
  for (const [name, encoding] of Object.entries(partOf(node['encoding']))) {
    const here = [...keys, 'encoding', name];
    if (!isForm) say(here, 'encoding', `The encoding of "${name}" is not read: ${type} is not a form.`);
    for (const word of ['encoding', 'prefixEncoding', 'itemEncoding'])
      if (partOf(encoding)[word] !== undefined)
        say(
          [...here, word],
          'openapi-3.2',
          `OpenAPI 3.2 is read as 3.1: ${word} in the encoding of "${name}" is not read.`,
        );
  }
};

const sayOfResponseMedia = (media: MediaPart, looking: Looking): void => {
  const { keys, type } = media;
  sayOfMedia(media, looking);
  if (/^multipart\//i.test(type)) looking.say(keys, 'body', `Answers of ${type} are not written in parts.`);
};

const stylesOf: Readonly<Record<string, readonly string[]>> = {
  path: ['simple', 'label', 'matrix'],
  query: ['form', 'spaceDelimited', 'pipeDelimited', 'deepObject'],
  header: ['simple'],
  cookie: ['form'],
};

const sayOfParameter = ({ node, keys }: LocatedPart, { say, isNew, schema, part }: Looking): void => {
  if (!isNew(node)) return;
  sayOfMembers('parameter', { node, keys }, say);
  const { name, in: place, content, schema: written } = node;
  const style = typeof node['style'] === 'string' ? node['style'] : undefined;
  const shownName = String(name).slice(0, 100);
  const styles = stylesOf[String(place)];
  if (place === 'querystring')
    say(keys, 'openapi-3.2', `OpenAPI 3.2 is read as 3.1: the parameter "${shownName}" in querystring is not read.`);
  else if (typeof name !== 'string')
    say(keys, 'parameter', 'The parameter has no name, so it is not read.', 'Give it one.');
  else if (styles === undefined)
    say(
      keys,
      'parameter',
      `The parameter "${shownName}" is in "${String(place)}", which OpenAPI 3 does not have, so it is not read.`,
      'Write in: path, query, header or cookie.',
    );
  else if (place === 'cookie' && style === 'cookie')
    say(
      [...keys, 'style'],
      'openapi-3.2',
      `OpenAPI 3.2 is read as 3.1: the style cookie of "${shownName}" is read as form.`,
    );
  else if (style !== undefined && !styles.includes(style))
    say(
      [...keys, 'style'],
      'style',
      `The ${String(place)} parameter "${shownName}" has the style ${style}, which it cannot have; it is read as ${styles[0] ?? ''}.`,
      'Choose another style.',
    );
  schema(written, [...keys, 'schema']);
  for (const map of ['content', 'examples']) sayOfMap(node, map, keys, say);
  for (const [type, media] of Object.entries(partOf(content))) {
    const described = part(media, [...keys, 'content', type]);
    if (isNew(described.node)) sayOfMembers('media type', described, say);
    schema(described.node['schema'], [...described.keys, 'schema']);
    if (!isJsonType(type) && !isTextType(type))
      say([...keys, 'content', type], 'parameter', `The parameter "${shownName}" is read as a text, not as ${type}.`);
  }
};
