/** The target of `bench/proxy.mjs`: sends one recorded reply, and bytes of any length at `/bytes/<length>`. */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';

const [recorded] = process.argv.slice(2);
const { headers, body } = JSON.parse(readFileSync(recorded, 'utf8'));
const piece = Buffer.alloc(64 * 1024);

const sendBytes = (response, length) => {
  let rest = length;
  response.writeHead(200, { 'Content-Type': 'application/octet-stream', 'Content-Length': length });
  const more = () => {
    while (rest > 0) {
      const part = rest < piece.length ? piece.subarray(0, rest) : piece;
      rest -= part.length;
      if (!response.write(part)) return void response.once('drain', more);
    }
    response.end();
  };
  more();
};

const server = createServer((request, response) => {
  const [, length] = /^\/bytes\/(\d+)/.exec(request.url) ?? [];
  request.resume();
  if (length !== undefined) return sendBytes(response, Number(length));
  response.writeHead(200, headers);
  response.end(body);
});
server.listen(0, '127.0.0.1', () => console.log(JSON.stringify({ url: `http://127.0.0.1:${server.address().port}` })));
