/** Makes the replies that show a record: status, headers and body as the operation documents them. */
import { isBodiless, type MadeReply, type MakeAnswer, successOf } from '../answers/answer.ts';
import type { Media, Operation, Response } from '../document/operation.ts';
import { type HeaderValues, headerLine } from '../exchange.ts';
import { acceptedType, isJsonType, isXmlType } from '../media-type.ts';
import { isRecord } from '../../basics/json.ts';
import type { Schemas } from '../schemas/schemas.ts';
import type { OpenedRequest } from './collection-request.ts';
import type { CollectionRecord } from './collection-store.ts';
import { tagOf } from './conditions.ts';
import { idsIn } from './plan.ts';
import type { Shape } from './shaped-body.ts';

type ReplyOptions = { readonly schemas: Schemas; readonly answers: MakeAnswer; readonly shape: Shape };

type Chosen = {
  readonly status: number;
  readonly response: Response;
  readonly mediaType: string;
  readonly media: Media;
};

export type Replies = {
  /** The media type of the answer to a read. Undefined for one that records are not written in. */
  readonly jsonMedia: (asked: OpenedRequest) => Omit<Chosen, 'media'> | undefined;
  /** Undefined as above. */
  readonly read: (asked: OpenedRequest, record: CollectionRecord) => MadeReply | undefined;
  readonly unchanged: (tag: string) => MadeReply;
  /** A removal shows the record as it was. */
  readonly written: (asked: OpenedRequest, record: CollectionRecord, isNew: boolean) => MadeReply;
};

export const createReplies = ({ schemas, answers, shape }: ReplyOptions): Replies => {
  const chosen = ({ operation, request }: OpenedRequest, accepted = successOf(operation)): Chosen | undefined => {
    const { response, status } = accepted;
    const types = response?.media.map(({ type }) => type) ?? [];
    const type = acceptedType(types, request.headers['accept']) ?? acceptedType(types, undefined);
    const media = response?.media.find((each) => each.type === type?.documented);
    if (response === undefined || type === undefined || media === undefined) return undefined;
    return { status, response, mediaType: type.sent, media };
  };
  const writable = (asked: OpenedRequest): Chosen | undefined => {
    const found = chosen(asked);
    return found !== undefined && (isJsonType(found.mediaType) || isXmlType(found.mediaType)) ? found : undefined;
  };
  const bodyOf = (record: CollectionRecord, media: Media, asked: OpenedRequest): unknown =>
    shape.body(record.value, media, asked.plan) ?? answers.valueOf(media);
  return {
    jsonMedia: (asked) => {
      const found = writable(asked);
      return found && { status: found.status, response: found.response, mediaType: found.mediaType };
    },
    read: (asked, record) => {
      const found = writable(asked);
      if (found === undefined) return undefined;
      const { media, response, ...rest } = found;
      const headers = merged(answers.headersOf(response), { ETag: tagOf(record, found.mediaType) });
      return { ...rest, response, headers, value: bodyOf(record, media, asked) };
    },
    unchanged: (tag) => ({
      ...{ status: 304, headers: { ETag: tag }, mediaType: undefined, value: undefined, response: undefined },
    }),
    written: (asked, record, isNew) => {
      const { operation, role } = asked;
      const success = successFor(operation, isNew);
      const { response, status } = success;
      const found = isBodiless(status) ? undefined : chosen(asked, success);
      const own = {
        ...(isNew ? { Location: addressOf(asked, record, response, schemas) } : {}),
        ...(role === 'remove' ? {} : { ETag: tagOf(record) }),
      };
      const headers = merged(response === undefined ? {} : answers.headersOf(response), own);
      if (found === undefined) return { status, headers, mediaType: undefined, value: undefined, response };
      const isWritable = isJsonType(found.mediaType) || isXmlType(found.mediaType);
      const value = isWritable ? bodyOf(record, found.media, asked) : answers.valueOf(found.media);
      return { status, headers, mediaType: found.mediaType, value, response };
    },
  };
};

/** 201 for a new record where it is documented, and for another one where nothing else is. */
const successFor = (operation: Operation, isNew: boolean): ReturnType<typeof successOf> => {
  const created = operation.responses.get('201');
  if (isNew && created !== undefined) return { response: created, status: 201 };
  const rest = new Map([...operation.responses].filter(([key]) => key !== '201'));
  const isOther = [...rest.keys()].some((key) => key.startsWith('2'));
  return successOf(isOther ? { ...operation, responses: rest } : operation);
};

/** A path, or the whole address where the document wants a URI. */
const addressOf = (
  { request, host, plan, role }: OpenedRequest,
  record: CollectionRecord,
  response: Response | undefined,
  schemas: Schemas,
): string => {
  const schema = response?.headers.find(({ name }) => name.toLowerCase() === 'location')?.schema;
  const read = schemas.read(schema ?? true, 'response');
  const isWhole = isRecord(read) && (read['format'] === 'uri' || read['format'] === 'url');
  const id = idsIn(record.id, plan.parentParameters.length + 1).at(-1) ?? '';
  const path = role === 'create' ? `${request.path.replace(/\/$/, '')}/${encodeURIComponent(id)}` : request.path;
  return headerLine(`${isWhole ? host.baseUrl : pathOf(host.baseUrl)}${path}`);
};

/** Of `http://localhost:8000/~w7` it is `/~w7`. */
const pathOf = (baseUrl: string): string => baseUrl.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/]*/i, '');

/** Own headers take the place of examples, in whatever case these are written. */
const merged = (examples: HeaderValues, own: Readonly<Record<string, string>>): HeaderValues => {
  const names = new Set(Object.keys(own).map((name) => name.toLowerCase()));
  return {
    ...Object.fromEntries(Object.entries(examples).filter(([name]) => !names.has(name.toLowerCase()))),
    ...own,
  };
};
