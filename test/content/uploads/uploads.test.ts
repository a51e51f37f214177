/** The suite of uploads over a directory and over memory. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { startServer } from '../../support/server.ts';
import { describeUploads } from './uploads.suite.ts';

const smaller = (yaml: string): string => yaml.replace('upload_bytes: 1073741824', 'upload_bytes: 30000000');

describeUploads(
  'a directory',
  () => startServer({ onDisk: true, changeSite: smaller }),
  async ({ data }) => (await readdir(join(data, 'blobs/public/temporary'))).length === 0,
);

describeUploads('memory', () => startServer({ changeSite: smaller }));
