/** Holds the figures of docs/use/limits.md to those of the program and of the built-in site. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { maxPasswordLength } from '../../../src/repository/repository-engine.ts';
import { teamWorldLimit } from '../../../src/team/registry.ts';
import { snapshotLimit, memoryOf } from '../../../src/server/server-worlds.ts';
import { keptTextBytes } from '../../../src/server/server-start.ts';
import { maxFieldValues } from '../../../src/repository/content/fields/field-rules.ts';
import { maxRecordValues } from '../../../src/repository/content/fields/field-violations.ts';
import { defaultPageSize } from '../../../src/repository/content/lists/list-page.ts';
import { mostSourceBytes, mostCharacters } from '../../../src/repository/repository-content.ts';
import { mostWords } from '../../../src/repository/living/services/texts.ts';
import { decoderBounds } from '../../../src/application/decoding/decoder-messages.ts';
import { mostScans } from '../../../src/application/decoding/pictures/check-jpeg.ts';
import { mostPixels } from '../../../src/application/decoding/pictures/pixels.ts';
import { diskLimit } from '../../../src/server/worlds/bytes/disk-world-bytes.ts';
import { memoryLimit } from '../../../src/server/worlds/bytes/memory-world-bytes.ts';
import { worldLimit } from '../../../src/server/worlds/worlds.ts';
import { maxLinkLines } from '../../../src/repository/links/typed-link.ts';
import { documentBounds } from '../../../src/openapi/openapi.ts';
import { collectionBounds } from '../../../src/openapi/openapi-terms.ts';
import { loadSite } from '../../../src/application/sources/disk-site.ts';
import { root } from '../../support/atoll.ts';

const page = await readFile(join(root, 'docs/use/limits.md'), 'utf8');
const site = await loadSite(join(root, 'data/site'));

/** The bound that the page gives for something. */
const boundOf = (what: string): string => {
  const row = page.split('\n').find((line) => line.startsWith(`| ${what} `));
  return row?.split('|')[2]?.trim() ?? 'not there';
};
const grouped = (number: number): string => number.toLocaleString('en');

it.each([
  ['a JSON body', `${site.maxJsonBytes / 2 ** 20} MiB`],
  ['its files, together', `${documentBounds.bytes / 2 ** 20} MiB`],
  ['its number of files', `${documentBounds.files}`],
  ['its operations', grouped(documentBounds.operations)],
  ['its levels', `${documentBounds.depth}`],
  ['its values, with those that aliases repeat', grouped(documentBounds.values)],
  ['collections of a document', `${collectionBounds.collections}`],
  ['collections of a world', `${collectionBounds.collections}`],
  ['records of all collections of a world', grouped(collectionBounds.records)],
  ['a record, as JSON with its id', `${collectionBounds.recordBytes / 2 ** 20} MiB`],
  ['levels of a record', `${collectionBounds.levels}`],
  ['its bytes', `${site.maxUploadBytes / 2 ** 30} GiB`],
  ['silence', `${site.uploads.idleSeconds} s`],
  ['its pace', `${site.uploads.minBytesPerSecond} bytes a second`],
  ['uploads at once', `${site.uploads.maxConcurrent}`],
  ['what stays free on the disk', `${site.uploads.freeBytes / 2 ** 20} MiB`],
  ['failed logins of a name', `${site.flood?.userLimit} in ${(site.flood?.userWindowSeconds ?? 0) / 3600} hours`],
  [
    'failed logins from an address',
    `${site.flood?.addressLimit} in ${(site.flood?.addressWindowSeconds ?? 0) / 3600} hour`,
  ],
  ['a token', `${site.tokenSeconds / 3600} hours`],
  ['a session', `${grouped(site.sessionSeconds)} s`],
  ['a password', `${maxPasswordLength} characters`],
  ['`Link` headers', `${maxLinkLines}, and 14 KiB in all`],
  ['values of a field', grouped(maxFieldValues)],
  ['values of all fields of a record', grouped(maxRecordValues)],
  ['a page of a list', `${defaultPageSize}, at most 100`],
  ['bytes of all worlds with `--memory`', `${memoryLimit / 2 ** 20} MiB`],
  ['bytes of all forked worlds with `--data`', `${diskLimit / 2 ** 30} GiB`],
  ['bytes of the file', `${mostSourceBytes / 2 ** 20} MiB`],
  ['pixels of a picture, by its header', `${mostPixels / 1e6} million`],
  ['scans of a JPEG', `${mostScans}`],
  ['characters of a text,', `${mostCharacters / 1e6} million, and ${grouped(mostWords)}`],
  [
    'the time of a processor for one file',
    `${decoderBounds.processorMs / 1000} s, and ${decoderBounds.passedMs / 1000} s in all`,
  ],
  ['the memory of the process', `${decoderBounds.memoryBytes / 2 ** 20} MiB`],
  ['worlds besides the main one', grouped(worldLimit)],
  ['the same in a database', grouped(teamWorldLimit)],
  ['snapshots of a world', `${snapshotLimit}`],
  ['remembered requests of a world', `1,000, and ${memoryOf(1) / 2 ** 10 / 1000} KiB each`],
  ['a remembered body', `${keptTextBytes / 1024} KiB of its text`],
])('says of %s what the program has: %s', (what, bound) => {
  expect(boundOf(what)).toBe(bound);
});
