/** Stores the bytes of a standard upload as a temporary file, which a media can use later. `Content-Disposition` names the file. */
import { lookup } from 'mime-types';
import type { FieldDefinition } from '../../model/bundle.ts';
import { entityTypes } from '../../model/entity.ts';
import type { Principal } from '../../model/principal.ts';
import { mountOf, type Site } from '../../site/site.ts';
import { extensionOf } from '../../fields/values.ts';
import { fileAt } from '../../model/index-keys.ts';
import type { Repository } from '../repository.ts';
import { createAnyVerdict, throwIfDenied } from '../verdicts.ts';
import { adviseOfName, decodeHeader } from './content-location.ts';
import { newFile } from './media-source.ts';
import { maxBytesOf } from './media-upload.ts';
import { type ArrivingBytes, storeUpload } from './store-upload.ts';
import { type Entity, firstValue, textOf } from '../../../openapi/openapi-records.ts';
import { denied, malformed, notFound, unprocessable } from '../../../openapi/openapi-terms.ts';

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

const example = 'A file name in the format "filename=FILENAME" must be provided.';

/**
 * The name in `filename="…"`, up to the last quotation mark, without a path before it. A `filename*` after it is ignored, because Islandora Workbench
 * sends both. `header` has one character per byte, as Node gives it. Throws 400 with the real site's texts.
 */
const readDispositionName = (header: string | undefined): string => {
  if (header === undefined) throw malformed(`"Content-Disposition" header is required. ${example}`);
  const [, star, quoted] = /\bfilename(\*?)="(.+)"/.exec(header) ?? [];
  if (quoted === undefined) throw missingName();
  if (star === '*') {
    throw malformed('The extended "filename*" format is currently not supported in the "Content-Disposition" header.');
  }
  const name = decodeHeader(quoted)?.split(/[\\/]/).at(-1) ?? '';
  if (name === '' || name === '.' || name === '..') throw missingName();
  return name;
};

const missingName = (): Error => malformed(`No filename found in "Content-Disposition" header. ${example}`);

const insecureExtensions: ReadonlySet<string> = new Set([
  ...['phar', 'php', 'pl', 'py', 'cgi', 'asp', 'js', 'htaccess', 'phtml'],
]);

/** What a web server could take for an extension. */
const looksLikeExtension = /^[a-z]{2,5}\d?$/i;

/**
 * The name under which the real site stores a file: `a.php.png` becomes `a.php_.png`. A part in the middle that could be an
 * extension, but none of `allowed`, gets an underscore; all parts get one when an insecure extension is among them. A name
 * whose own extension is not allowed stays as it is, because it is refused.
 */
const safeName = (name: string, allowed: readonly string[] = []): string => {
  const parts = name.replace(/^\.+|\.+$/g, '').split('.');
  const extension = parts.length > 1 ? (parts.at(-1) ?? '') : '';
  const isFree = allowed.length === 0;
  if (!isFree && !allowed.includes(extension.toLowerCase())) return name;
  const isInsecure = insecureExtensions.has(extension.toLowerCase());
  if (isInsecure && !isFree && !allowed.includes('txt')) return name;
  const middle = isInsecure ? parts.slice(1) : parts.slice(1, -1);
  const markAll = middle.some((part) => insecureExtensions.has(part.toLowerCase()));
  const marked = middle.map((part) => {
    const isForeign = !isFree && !allowed.includes(part.toLowerCase()) && looksLikeExtension.test(part);
    return markAll || isForeign ? `${part}_` : part;
  });
  const end = isInsecure ? ['txt'] : extension === '' ? [] : [extension];
  return [parts[0] ?? '', ...marked, ...end].join('.');
};
