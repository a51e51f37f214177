/** Makes what a message says of the derivative that it asks for: where the source is, and where the result goes. */
import { labelOf } from '../../model/entity.ts';
import { contentPath } from '../../site/content-url.ts';
import type { Site } from '../../site/site.ts';
import { datePart } from '../aliases/dates.ts';
import type { ActionSettings } from './settings.ts';
import { mediaWithTerm, type ReadRecords, sourceFileOf, termAt } from './source-files.ts';
import { type Entity, firstValue, textOf } from '../../../openapi/openapi-records.ts';
import type { JsonObject } from '../../../basics/json.ts';

export type MessageContext = {
  readonly site: Pick<Site, 'model' | 'storages' | 'standaloneMedia'>;
  readonly records: ReadRecords;
  readonly baseUrl: string;
  /** Seconds since 1970. */
  readonly now: number;
};

const originalFile = 'http://pcdm.org/use#OriginalFile';

/** Name, extension and both of a file as its address has them: a blank is `%20`. */
const fileParts = (path: string): Readonly<Record<string, string>> => {
  const basename = path.slice(path.lastIndexOf('/') + 1);
  const dot = basename.lastIndexOf('.');
  if (dot < 0) return { basename, filename: basename };
  return { basename, filename: basename.slice(0, dot), extension: basename.slice(dot + 1) };
};

const originalOf = (node: Entity, { site, records }: MessageContext): Readonly<Record<string, string>> => {
  const term = termAt(originalFile, records);
  const media = term && mediaWithTerm(node, term, records);
  const file = media && sourceFileOf(media, site.model, records);
  const path = file && contentPath({ storages: site.storages }, textOf(firstValue(file, 'uri')));
  return path === undefined ? {} : fileParts(path);
};

/** A token that nobody knows stays as it is. */
const replaceTokens = (path: string, node: Entity, term: Entity, context: MessageContext): string =>
  path.replace(/\[([a-z_-]+):([^\]]+)\]/g, (token: string, kind: string, name: string) => {
    const time = new Date(context.now * 1000);
    if (kind === 'date' && name.startsWith('custom:')) {
      return name.slice('custom:'.length).replace(/[a-zA-Z]/g, (letter) => datePart(letter, time) ?? letter);
    }
    const [, part] = /^media-original-file:(\w+)$/.exec(kind === 'islandoratokens' ? name : '') ?? [];
    if (part !== undefined) return originalOf(node, context)[part] ?? token;
    const known: Readonly<Record<string, string>> = {
      'node:nid': String(node.id),
      'node:title': labelOf(node),
      'node:uuid': node.uuid,
      'term:tid': String(term.id),
      'term:name': labelOf(term),
    };
    return known[`${kind}:${name}`] ?? token;
  });

/** Undefined when there is no source, no term, or the source is the derivative itself: a real site only logs that. */
export const derivativeRequest = (
  action: ActionSettings,
  node: Entity,
  context: MessageContext,
): JsonObject | undefined => {
  const { site, records, baseUrl } = context;
  const sourceTerm = termAt(action.source_term_uri ?? '', records);
  const source = sourceTerm && mediaWithTerm(node, sourceTerm, records);
  const file = source && sourceFileOf(source, site.model, records);
  const term = termAt(action.derivative_term_uri ?? '', records);
  const path = file && contentPath({ storages: site.storages }, textOf(firstValue(file, 'uri')));
  if (node.type !== 'node' || term === undefined || path === undefined) return undefined;
  if (mediaWithTerm(node, term, records)?.id === source?.id) return undefined;
  const place = replaceTokens(action.path ?? '', node, term, context);
  return {
    mimetype: action.mimetype ?? '',
    args: action.args ?? null,
    source_uri: baseUrl + path,
    destination_uri: `${baseUrl}/node/${node.id}/media/${action.destination_media_type ?? ''}/${term.id}`,
    file_upload_uri: `${action.scheme ?? 'public'}://${place}`,
  };
};
