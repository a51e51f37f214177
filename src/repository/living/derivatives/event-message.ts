/** Makes the message of a fired action: an activity (Activity Streams 2.0), member for member as the real site sends it. */
import { addressPath } from '../../site/site.ts';
import { canonicalPath } from '../../model/entity.ts';
import { contentPath } from '../../site/content-url.ts';
import { derivativeRequest, type MessageContext } from './derivative-request.ts';
import type { FiredAction } from './fired-actions.ts';
import { sourceFieldOf, sourceFileOf } from './source-files.ts';
import { type Entity, firstValue, textOf } from '../../../openapi/openapi-records.ts';
import type { JsonObject } from '../../../basics/json.ts';

/** Who has written: not the owner of the record. */
export type Actor = { readonly uid: number; readonly uuid: string };

export type EventMessage = { readonly queue: string; readonly body: JsonObject };

/** An alias is never in a message. */
const link = (name: string, href: string, mediaType: string, rel: string): JsonObject => ({
  name,
  type: 'Link',
  href,
  mediaType,
  rel,
});

const downloadUrl = (file: Entity, { site, baseUrl }: MessageContext): string =>
  baseUrl + (contentPath(site, textOf(firstValue(file, 'uri'))) ?? '');

const mediaTypeOf = (file: Entity): string => textOf(firstValue(file, 'filemime'));

const linksOf = (entity: Entity, context: MessageContext): readonly JsonObject[] => {
  const { site, records, baseUrl } = context;
  if (entity.type === 'file')
    return [link('Canonical', downloadUrl(entity, context), mediaTypeOf(entity), 'canonical')];
  const rest = baseUrl + canonicalPath(entity.type, entity.id);
  const file = entity.type === 'media' ? sourceFileOf(entity, site.model, records) : undefined;
  return [
    link('Canonical', baseUrl + addressPath(site, entity.type, entity.id), 'text/html', 'canonical'),
    link('JSON', `${rest}?_format=json`, 'application/json', 'alternate'),
    link('JSONLD', `${rest}?_format=jsonld`, 'application/ld+json', 'alternate'),
    ...(file === undefined ? [] : [link('Describes', downloadUrl(file, context), mediaTypeOf(file), 'describes')]),
  ];
};

const withCapital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

const attachmentOf = (content: JsonObject | undefined): JsonObject =>
  content === undefined ? {} : { attachment: { type: 'Object', content, mediaType: 'application/json' } };

/** Undefined when the derivative has no source, so that a real site sends nothing. */
export const eventMessage = (
  { action, entity, isNewVersion }: FiredAction,
  actor: Actor,
  { target, ...context }: MessageContext & { readonly target: string | undefined },
): EventMessage | undefined => {
  const isDerivative = action.event === 'Generate Derivative';
  const request = isDerivative ? derivativeRequest(action, entity, context) : undefined;
  if (isDerivative && request === undefined) return undefined;
  const sourceField = entity.type === 'media' ? sourceFieldOf(entity, context.site.model) : undefined;
  const person = link('Canonical', `${context.baseUrl}/user/${actor.uid}`, 'text/html', 'canonical');
  const body: JsonObject = {
    '@context': 'https://www.w3.org/ns/activitystreams',
    actor: { type: 'Person', id: `urn:uuid:${actor.uuid}`, url: [person] },
    object: {
      id: `urn:uuid:${entity.uuid}`,
      url: linksOf(entity, context),
      ...(isDerivative ? {} : { isNewVersion }),
    },
    ...(target === undefined ? {} : { target }),
    type: isDerivative ? 'Activity' : action.event,
    summary: isDerivative ? action.event : `${action.event} a ${withCapital(entity.type)}`,
    ...attachmentOf(request ?? (sourceField === undefined ? undefined : { source_field: sourceField })),
  };
  return { queue: action.queue, body };
};

/** The bytes that go to a broker. PHP writes a slash as `\/`, and what is not ASCII as `\u` with four digits. */
export const messageText = (body: JsonObject): string =>
  JSON.stringify(body)
    .replaceAll('/', '\\/')
    .replace(/[\u007f-\uffff]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
