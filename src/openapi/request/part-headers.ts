/** Checks the headers that a document describes for the parts of a form (OpenAPI 3.1 §4.8.15). */
import { Dicer } from '@fastify/busboy';
import { encodeStep } from '../../basics/json-pointer.ts';
import type { Media } from '../document/operation.ts';
import { parameterOf } from '../document/parameter.ts';
import { readMediaType } from '../media-type.ts';
import { readerOf } from './parameters.ts';
import type { Schemas } from '../schemas/schemas.ts';
import type { Violation } from '../schemas/violations.ts';

export type PartHeaders = {
  readonly name: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
};

/**
 * The chunks as they are, while the headers of the parts are noted. The parser of forms keeps them to itself, so the one of
 * boundaries that it is built on reads them a second time.
 */
export async function* notingHeaders(
  chunks: AsyncIterable<Uint8Array>,
  contentType: string,
  noted: PartHeaders[],
): AsyncGenerator<Uint8Array> {
  const boundary = readMediaType(contentType)?.parameters.get('boundary');
  if (boundary === undefined) {
    yield* chunks;
    return;
  }
  const parser = new Dicer({ boundary, maxHeaderPairs: 50 });
  // What is wrong with the body is refused by the parser of forms.
  parser.on('error', () => undefined);
  parser.on('part', (part) => {
    part.on('error', () => undefined);
    part.on('header', (header) => noted.push(partHeaders(header as Readonly<Record<string, readonly string[]>>)));
    part.resume();
  });
  for await (const chunk of chunks) {
    await new Promise<void>((resolve) => parser.write(chunk, () => resolve()));
    yield chunk;
  }
}

const partHeaders = (header: Readonly<Record<string, readonly string[]>>): PartHeaders => {
  const headers = Object.fromEntries(Object.entries(header).map(([name, values]) => [name, values.join(', ')]));
  // The parameters of a Content-Disposition are written as those of a media type are (RFC 6266 §4.1).
  const disposition = readMediaType((headers['content-disposition'] ?? '').replace(/^\s*form-data/i, 'form/data'));
  return { name: Buffer.from(disposition?.parameters.get('name') ?? '', 'latin1').toString('utf8'), headers };
};

export const hasPartHeaders = ({ encoding }: Media): boolean =>
  Object.values(encoding).some(({ headers }) => Object.keys(headers ?? {}).length > 0);

export const headerViolations = (noted: readonly PartHeaders[], { encoding }: Media, schemas: Schemas): Violation[] => {
  const described = new Map(
    Object.entries(encoding).map(([part, { headers }]) => {
      const parameters = Object.entries(headers ?? {}).flatMap(
        ([name, header]) => parameterOf({ ...header, name, in: 'header' }) ?? [],
      );
      return [part, readerOf(parameters, schemas)] as const;
    }),
  );
  return noted.flatMap(({ name, headers }) => {
    const violations = described.get(name)?.({ path: {}, query: '', headers }).violations ?? [];
    return violations.map(({ pointer, message }) => ({
      pointer: `/requestBody/${encodeStep(name)}`,
      message: `has the header ${pointer.split('/')[2] ?? ''}, which ${message}`,
    }));
  });
};
