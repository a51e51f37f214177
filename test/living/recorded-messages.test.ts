/** Every message that a real site was recorded to send (429 of them), made again from the records that it is about. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import * as v from 'valibot';
import { indexKeys, type Site } from '../../src/repository/repository.ts';
import { eventMessage } from '../../src/repository/living/derivatives/event-message.ts';
import { derivativesSection } from '../../src/repository/living/derivatives/settings.ts';
import type { ReadRecords } from '../../src/repository/living/derivatives/source-files.ts';
import { loadSite } from '../support/site-sources.ts';
import { root } from '../support/atoll.ts';
import { type Entity, type Fields, keyOf } from '../../src/openapi/openapi-records.ts';
import type { Json, JsonObject } from '../../src/basics/json.ts';

type Link = { readonly href: string; readonly mediaType: string };
type Message = {
  readonly file: string;
  readonly exchange: number;
  readonly queue: string;
  readonly body: JsonObject & {
    readonly actor: { readonly id: string; readonly url: readonly [Link] };
    readonly object: { readonly id: string; readonly url: readonly Link[]; readonly isNewVersion?: boolean };
    readonly summary: string;
    readonly attachment?: { readonly content: Readonly<Record<string, string>> };
  };
};

const messages = JSON.parse(
  readFileSync(join(root, 'test/contract/recordings/living/messages.json'), 'utf8'),
) as readonly Message[]; // our own file
const starterSite = await loadSite(join(root, 'data/sites/starter-site'));
const site: Site = {
  ...starterSite,
  standaloneMedia: true,
  // The recorded site had private files, too.
  storages: [...starterSite.storages, { scheme: 'private', prefix: '/system/files', access: 'guarded' }],
};
const settings = v.parse(derivativesSection, site.living.derivatives);
const baseUrl = 'http://localhost:8000';

const uuidIn = (id: string): string => id.slice('urn:uuid:'.length);
const numberIn = (href: string): number => Number(/(\d+)$/.exec(href)?.[1]);
const uriOf = (href: string): string =>
  decodeURIComponent(href.slice(baseUrl.length))
    .replace('/_flysystem/fedora/', 'fedora://')
    .replace('/sites/default/files/', 'public://')
    .replace('/system/files/', 'private://');

const record = (type: string, id: number, bundle: string, fields: Fields, uuid = `${type}-${id}`): Entity => ({
  ...{ type, id, bundle, fields, uuid },
});
const file = (id: number, href: string, mime: string, uuid?: string): Entity =>
  record('file', id, 'file', { uri: [{ value: uriOf(href) }], filemime: [{ value: mime }] }, uuid);

const recordsOf = (entities: readonly Entity[]): ReadRecords => {
  const known = new Map(entities.map((entity) => [keyOf(entity), entity]));
  return {
    get: (key) => known.get(key),
    lookup: (index) => entities.filter((entity) => indexKeys(entity).includes(index)),
  };
};

const bundleWithSource = (field: string | undefined): string =>
  site.model.bundles('media').find(({ source }) => source?.field === field)?.id ?? '';

/** The record that a message is about, and those that it needs. */
const subjectOf = ({ body }: Message): { readonly entity: Entity; readonly others: readonly Entity[] } => {
  const [first, , , describes] = body.object.url;
  const href = first?.href ?? '';
  const uuid = uuidIn(body.object.id);
  const content = body.attachment?.content ?? {};
  if (body.summary.endsWith('a File')) return { entity: file(1, href, first?.mediaType ?? '', uuid), others: [] };
  if (body.summary.endsWith('a Media')) {
    const field = content['source_field'] ?? '';
    const source = { [field]: [{ target_id: 1 }] };
    return {
      entity: record('media', numberIn(href), bundleWithSource(field), source, uuid),
      others: describes === undefined ? [] : [file(1, describes.href, describes.mediaType)],
    };
  }
  if (body.summary.endsWith('a Taxonomy_term')) {
    return { entity: record('taxonomy_term', numberIn(href), 'subject', {}, uuid), others: [] };
  }
  const node = record('node', numberIn(href), 'islandora_object', {}, uuid);
  return { entity: node, others: body.summary === 'Generate Derivative' ? sourceOf(node.id, content) : [] };
};

/** The original of a node and the two terms, with the number that the message has for the derivative's. */
const sourceOf = (node: number, content: Readonly<Record<string, string>>): readonly Entity[] => {
  const term = (id: number, uri: Json, name: string) =>
    record('taxonomy_term', id, 'islandora_media_use', { name: [{ value: name }], field_external_uri: [{ uri }] });
  const [, name = ''] = /-([A-Za-z ]+)\.\w+$/.exec(content['file_upload_uri'] ?? '') ?? [];
  const known = site.terms.find(({ fields }) => fields['name']?.[0]?.['value'] === name);
  const uri = known?.fields['field_external_uri']?.[0]?.['uri'] ?? '';
  const fields = {
    field_media_of: [{ target_id: node }],
    field_media_use: [{ target_id: 1003 }],
    field_media_file: [{ target_id: 1 }],
  };
  return [
    term(1003, 'http://pcdm.org/use#OriginalFile', 'Original File'),
    term(numberIn(content['destination_uri'] ?? ''), uri, name),
    record('media', 1, 'file', fields),
    file(1, content['source_uri'] ?? '', 'image/png'),
  ];
};

const actionOf = ({ queue, body }: Message) =>
  Object.values(settings.actions).find(
    (action) =>
      action.queue === queue &&
      (body.attachment?.content['mimetype'] === undefined ||
        (action.mimetype === body.attachment.content['mimetype'] &&
          (action.args ?? null) === (body.attachment.content['args'] ?? null))),
  );

const made = (message: Message) => {
  const { actor, object } = message.body;
  const { entity, others } = subjectOf(message);
  const action = actionOf(message);
  // A write at `/fr/…` names the addresses of that language.
  const [language = ''] = /\/\w\w(?=\/user\/)/.exec(actor.url[0].href) ?? [];
  const [, month] = /:\/\/(\d{4}-\d\d)\//.exec(message.body.attachment?.content['file_upload_uri'] ?? '') ?? [];
  return (
    action &&
    eventMessage(
      { action, entity, isNewVersion: object.isNewVersion ?? false },
      { uid: numberIn(actor.url[0].href), uuid: uuidIn(actor.id) },
      {
        ...{ site, baseUrl: baseUrl + language, records: recordsOf([entity, ...others]) },
        now: Date.parse(`${month ?? '2026-11'}-23T00:00:00Z`) / 1000,
        target: '<root of the fedora scheme>',
      },
    )
  );
};

describe('the recorded messages', () => {
  test('are 429, and of each queue some', () => {
    expect(messages).toHaveLength(429);
    expect(new Set(messages.map(({ queue }) => queue)).size).toBe(10);
  });

  test('are made again to the letter, their members in the same order', () => {
    const other = messages.flatMap((message) => {
      const again = made(message);
      return JSON.stringify(again) === JSON.stringify({ queue: message.queue, body: message.body })
        ? []
        : [{ message, again }];
    });
    expect(other.slice(0, 3)).toEqual([]);
    expect(other).toHaveLength(0);
  });
});
