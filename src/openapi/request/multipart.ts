/** Reads a body of `multipart/form-data` (RFC 7578) while it arrives: texts within bounds, files as streams that somebody else keeps. */
import { Readable } from 'node:stream';
import { Busboy, type BusboyFileStream } from '@fastify/busboy';
import type { KeepFile, Part } from './form-file.ts';
import { Refusal } from '../refusal.ts';

export type MultipartLimits = {
  /** For one text, in bytes. */
  readonly maxTextBytes: number;
  readonly maxFileBytes: number;
  readonly maxParts: number;
};

export type MultipartOptions = {
  readonly contentType: string;
  readonly limits: MultipartLimits;
  readonly keep: KeepFile;
  /** Whether a part with a file name is a text all the same: browsers send JSON of a `Blob` so. */
  readonly isText: (name: string, type: string) => boolean;
};

/** The longest header of a part, in bytes. */
const maxHeaderBytes = 16 * 1024;

/** Rejects with a refusal: of kind `syntax` for a body that is not multipart, `length` beyond the limits. */
export const readMultipart = async (chunks: AsyncIterable<Uint8Array>, options: MultipartOptions): Promise<Part[]> => {
  const { limits, keep } = options;
  const parser = parserFor(options);
  return new Promise((resolve, reject) => {
    const source = Readable.from(chunks);
    const parts: (Part | Promise<Part>)[] = [];
    const arrivingFiles = new Set<BusboyFileStream>();
    const fail = (error: unknown): void => {
      source.unpipe(parser);
      source.destroy();
      parser.destroy();
      // Their reader waits for the rest.
      for (const stream of arrivingFiles) stream.destroy(error instanceof Error ? error : undefined);
      reject(error instanceof Refusal ? error : notMultipart(error));
    };
    const tooLarge = (what: string): void => fail(new Refusal('length', what));
    parser.on('field', (name, text, isNameCut, isCut, _encoding, type) => {
      if (isNameCut) fail(new Refusal('syntax', 'The name of a part is longer than 1024 bytes.'));
      else if (isCut) tooLarge(`The part "${name}" is larger than ${limits.maxTextBytes} bytes.`);
      else parts.push({ kind: 'text', name, text, type });
    });
    parser.on('file', (name, stream, fileName, _encoding, type) => {
      stream.on('limit', () => tooLarge(`The file "${name}" is larger than ${limits.maxFileBytes} bytes.`));
      // The body ends in the middle of a file: the parser says so, too.
      stream.on('error', fail);
      arrivingFiles.add(stream);
      stream.on('close', () => arrivingFiles.delete(stream));
      const arriving = fileOf(stream, { name, fileName, type }, keep);
      arriving.catch(fail);
      parts.push(arriving);
    });
    parser.on('partsLimit', () => tooLarge(`The body has more than ${limits.maxParts} parts.`));
    parser.on('error', fail);
    parser.on('finish', () => {
      Promise.all(parts.map((part) => Promise.resolve(part))).then(resolve, reject);
    });
    source.on('error', fail);
    source.pipe(parser);
  });
};

const notMultipart = (error: unknown): Refusal =>
  new Refusal('syntax', `The body is not multipart: ${messageOf(error)}.`);

/** The parser throws where the media type has no boundary. */
const parserFor = ({ contentType, limits, isText }: MultipartOptions): InstanceType<typeof Busboy> => {
  try {
    return new Busboy({
      headers: { 'content-type': contentType },
      isPartAFile: (name = '', type = '', fileName) => fileName !== undefined && !isText(name, type),
      limits: {
        ...{ fieldNameSize: 1024, fieldSize: limits.maxTextBytes, fileSize: limits.maxFileBytes },
        ...{ parts: limits.maxParts, headerPairs: 50, headerSize: maxHeaderBytes },
      },
    });
  } catch (error) {
    throw notMultipart(error);
  }
};

type Named = { readonly name: string; readonly fileName: string; readonly type: string };

const fileOf = async (stream: BusboyFileStream, { name, fileName, type }: Named, keep: KeepFile): Promise<Part> => {
  const { size, bytes, stream: open } = await keep(stream as AsyncIterable<Uint8Array>);
  return { kind: 'file', name, file: { name: fileName, type, size, bytes, stream: open } };
};

const messageOf = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).replace(/\.$/, '');
