/** Holds the figures of docs/use/limits.md to those of the program and of the built-in site. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { maxPasswordLength } from '../../../src/repository/repository-engine.ts';
import { snapshotLimit, memoryOf } from '../../../src/server/server-worlds.ts';
import { keptTextBytes } from '../../../src/server/server-start.ts';
import { mostSourceBytes, mostCharacters } from '../../../src/repository/repository-content.ts';
import { documentBounds } from '../../../src/openapi/openapi.ts';
import { collectionBounds } from '../../../src/openapi/openapi-terms.ts';
import { constantNamed, numberNamed } from '../../support/named-constants.ts';
import { loadSite } from '../../support/site-sources.ts';
import { root } from '../../support/atoll.ts';

const page = await readFile(join(root, 'docs/use/limits.md'), 'utf8');
const site = await loadSite(join(root, 'data/site'));

const maxFieldValues = await numberNamed('maxFieldValues');
const maxRecordValues = await numberNamed('maxRecordValues');
const maxLinkLines = await numberNamed('maxLinkLines');
const defaultPageSize = await numberNamed('defaultPageSize');
const mostWords = await numberNamed('mostWords');
const memoryLimit = await numberNamed('memoryLimit');
const diskLimit = await numberNamed('diskLimit');
const worldLimit = await numberNamed('worldLimit');
const mostPixels = await numberNamed('mostPixels');
const mostScans = await numberNamed('mostScans');
const decoderBounds = (await constantNamed('decoderBounds')) as Readonly<
  Record<'processorMs' | 'passedMs' | 'memoryBytes', number>
>; // numbers

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
  ['snapshots of a world', `${snapshotLimit}`],
  ['remembered requests of a world', `1,000, and ${memoryOf(1) / 2 ** 10 / 1000} KiB each`],
  ['a remembered body', `${keptTextBytes / 1024} KiB of its text`],
])('says of %s what the program has: %s', (what, bound) => {
  expect(boundOf(what)).toBe(bound);
});
