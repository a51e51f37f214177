/** Stores the bytes of a standard upload as a temporary file, which a media can use later. */
import { lookup } from 'mime-types';
import type { Principal } from '../../model/principal.ts';
import { denied, notFound, unprocessable } from '../../problem.ts';
import { createAnyVerdict, throwIfDenied } from '../verdicts.ts';
import { storeUpload, type ArrivingBytes } from './store-upload.ts';
import { readDispositionName, safeName } from './disposition-name.ts';
import { entityTypes, firstValue, textOf, type Entity } from '../../model/entity.ts';
import { extensionOf } from '../fields/reference-types.ts';
import { fileAt } from '../index-keys.ts';
import { newFile } from './media-source.ts';
import { adviseOfName } from './upload-advice.ts';
import type { FieldDefinition } from '../../model/bundle.ts';
import { mountOf, type Site } from '../../site/site.ts';
import type { Repository } from '../repository.ts';
import { maxBytesOf } from './media-upload.ts';

/** The field that the file is meant for, as the path names it. */
type UploadField = { readonly entityType: string; readonly bundle: string; readonly field: string };

/** A body. `disposition` has one character per byte, as Node gives it. */
type NamedBytes = ArrivingBytes & { readonly disposition: string | undefined };

/** The right to store a file for a field. Only `receive` reads the body. */
type FileUploadHandle = { receive(body: NamedBytes): Promise<Entity> };

/**
 * Throws 404 when the field does not exist, 403 when it does not hold files or the principal may not create its entity.
 * `receive` throws 400 for the header, 422 for the name, 413 and 507.
 */
export const openFileUpload = (repository: Repository, principal: Principal, target: UploadField): FileUploadHandle => {
  const { model } = repository.parts.site;
  const type = entityTypes.find((known) => known === target.entityType);
  const field = type && model.bundle(type, target.bundle)?.fields.get(target.field);
  if (type === undefined || field === undefined) throw notFound(`Field "${target.field.slice(0, 200)}" does not exist`);
  if (field.target?.type !== 'file') throw denied(`"${field.name}" is not a file field`);
  throwIfDenied(createAnyVerdict(principal, type, [target.bundle]));
  return { receive: (body) => receive(repository, principal, { bundle: target.bundle, field }, body) };
};

const receive = async (
  repository: Repository,
  principal: Principal,
  { bundle, field }: { readonly bundle: string; readonly field: FieldDefinition },
  body: NamedBytes,
): Promise<Entity> => {
  const { site, clock } = repository.parts;
  const sent = readDispositionName(body.disposition);
  const name = safeName(sent, field.extensions);
  validateName(name, field);
  const month = new Date(clock.now()).toISOString().slice(0, 'YYYY-MM'.length);
  const uri = `${schemeFor(field, site)}://${month}/${name}`;
  const contentType = lookup(name) || 'application/octet-stream';
  const { file } = await storeUpload(repository, principal, {
    ...body,
    mayBeEmpty: true,
    maxBytes: maxBytesOf(repository, bundle),
    uri,
    reads: [{ index: fileAt(uri) }],
    decide: (_view, blob, context) => {
      const record = newFile(uri, { blob, contentType }, site.model, context);
      adviseOfName('content-disposition', sent, textOf(firstValue(record, 'filename')), context.advise);
      return { file: { ...record, fields: { ...record.fields, status: [{ value: false }] } }, old: undefined };
    },
  });
  return file;
};

const schemeFor = ({ scheme = '' }: FieldDefinition, site: Site): string =>
  (mountOf(site, scheme)?.standardUpload ?? true) && scheme !== '' ? scheme : site.defaultScheme;

/** Leaves room for the number that makes a name unique. */
const longestName = 240;

/**
 * The list of violations has no newline at its end, unlike that of entities. Recorded: "fu bad ext" in
 * test/contract/recordings/observed-terms-login-cookie-fileupload.json.
 */
const validateName = (name: string, { extensions }: FieldDefinition): void => {
  const violations = [
    ...(extensions === undefined || extensions.includes(extensionOf(name))
      ? []
      : [`Only files with the following extensions are allowed: ${extensions.join(' ')}.`]),
    ...(Buffer.byteLength(name) > longestName
      ? [`The file's name exceeds the ${longestName} characters limit. Rename the file and try again.`]
      : []),
  ];
  if (violations.length > 0) {
    throw unprocessable(['Unprocessable Entity: file validation failed.', ...violations].join('\n'));
  }
};
