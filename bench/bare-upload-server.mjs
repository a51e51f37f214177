/** The baseline of `bench/upload.mjs`: hashes an upload with SHA-256 into a synced file. */
import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { open, rename } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';

const [directory, getBody, port = '0'] = process.argv.slice(2);
let uploads = 0;

const server = createServer(async (request, response) => {
  if (request.method === 'GET') {
    response.setHeader('Content-Type', 'application/json');
    response.end(getBody);
    return;
  }
  const name = join(directory, `upload-${(uploads += 1)}`);
  const hash = createHash('sha256');
  const file = createWriteStream(`${name}.part`, { flush: true });
  const hashing = new Transform({
    transform(chunk, _encoding, done) {
      hash.update(chunk);
      done(null, chunk);
    },
  });
  await pipeline(request, hashing, file);
  await rename(`${name}.part`, name);
  const folder = await open(directory);
  await folder.sync();
  await folder.close();
  response.setHeader('ETag', hash.digest('hex'));
  response.statusCode = 201;
  response.end();
});
server.listen(Number(port), '127.0.0.1', () =>
  process.stdout.write(`${JSON.stringify({ url: `http://127.0.0.1:${server.address().port}` })}\n`),
);
