/** The standard upload: bytes become a temporary file that a media may use later (R 2.7). The upload endpoint is in `upload.ts`. */
import { lookup } from 'mime-types';
import type { Principal } from '../../model/principal.ts';
import { denied, notFound, unprocessable } from '../../problem.ts';
import { createAnyVerdict } from '../verdicts.ts';
import { storeArrival } from './arriving-content.ts';
import { readDispositionName } from './disposition-name.ts';
import { entityTypes, type Entity } from '../../model/entity.ts';
import { extensionOf } from '../fields/field-types.ts';
import { fileAt } from '../index-keys.ts';
import { newFile } from './media-source.ts';
import type { FieldDefinition } from '../../model/bundle.ts';
import { requireHandle, type Repository } from '../repository.ts';
import { maxBytesOf } from './upload.ts';

/** The field that the file is meant for, as the path names it. */
export type UploadField = { readonly entityType: string; readonly bundle: string; readonly field: string };

/** A body on its way. `disposition` as Node gives it, one character a byte. */
export type NamedBytes = {
  readonly stream: AsyncIterable<Uint8Array>;
  readonly length: number | undefined;
  readonly disposition: string | undefined;
};

/** The right to store a file for a field. The body is read by `receive` only. */
export type FileUploadHandle = { receive(body: NamedBytes): Promise<Entity> };

/**
 * The field exists (404), holds files, and the principal may create what it belongs to (403). Throws in `receive`: 400 of
 * the header and of an empty body, 422 of the name, 413, 507.
 */
export const openFileUpload = (repository: Repository, principal: Principal, target: UploadField): FileUploadHandle => {
  const { model } = repository.parts.site;
  const type = entityTypes.find((known) => known === target.entityType);
  const field = type && model.bundle(type, target.bundle)?.fields.get(target.field);
  if (type === undefined || field === undefined) throw notFound(`Field "${target.field.slice(0, 200)}" does not exist`);
  if (field.target?.type !== 'file') throw denied(`"${field.name}" is not a file field`);
  requireHandle(createAnyVerdict(principal, type, [target.bundle]));
  return { receive: (body) => receive(repository, principal, { bundle: target.bundle, field }, body) };
};

const receive = async (
  repository: Repository,
  principal: Principal,
  { bundle, field }: { readonly bundle: string; readonly field: FieldDefinition },
  body: NamedBytes,
): Promise<Entity> => {
  const { site, clock } = repository.parts;
  const name = readDispositionName(body.disposition);
  judgeName(name, field);
  const scheme = site.defaultScheme;
  const path = `${new Date(clock.now()).toISOString().slice(0, 'YYYY-MM'.length)}/${name}`;
  const location = { scheme, path, uri: `${scheme}://${path}` };
  const contentType = lookup(name) || 'application/octet-stream';
  const { file } = await storeArrival(repository, principal, {
    stream: body.stream,
    length: body.length,
    maxBytes: maxBytesOf(repository, bundle),
    uri: location.uri,
    iconFile: undefined,
    reads: [{ index: fileAt(location.uri) }],
    decide: (_view, blob, ground) => {
      const made = newFile(location, { blob, contentType }, site.model, ground);
      return { file: { ...made, fields: { ...made.fields, status: [{ value: false }] } }, old: undefined };
    },
  });
  return file;
};

/** Leaves room for the number that makes a name unique. */
const longestName = 240;

/** Unlike entities, files are judged without a newline at the end of the list (recording: "fu bad ext"). */
const judgeName = (name: string, { extensions }: FieldDefinition): void => {
  const faults = [
    ...(extensions === undefined || extensions.includes(extensionOf(name))
      ? []
      : [`Only files with the following extensions are allowed: ${extensions.join(' ')}.`]),
    ...(Buffer.byteLength(name) > longestName
      ? [`The file's name exceeds the ${longestName} characters limit. Rename the file and try again.`]
      : []),
  ];
  if (faults.length > 0) {
    throw unprocessable(['Unprocessable Entity: file validation failed.', ...faults].join('\n'));
  }
};
