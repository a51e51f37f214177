/**
 * Uploads that are aborted, that race and that fill the disk, against the program as a process, with counts. The labels
 * U03 to U35 are those of test/contract/cases/README.md. Ends with 1 when one of them fails.
 *
 *     node test/system/faults/uploads/run.mjs            # long: 100 aborts, a replacement of 10 s, 5 GiB, 10 × 500 MB
 *     node test/system/faults/uploads/run.mjs --short    # for .ci/run: 100 aborts, 3 s, 1 GiB
 */
import { spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { bundle } from '../../../../scripts/bundle.mjs';

const { values } = parseArgs({ options: { short: { type: 'boolean', default: false } } });
const mebibyte = 1024 * 1024;
const credentials = `Basic ${Buffer.from('admin:islandora').toString('base64')}`;
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const scratch = await mkdtemp('coverage/faults-');
const program = join('coverage', `faults-atoll-${process.pid}.mjs`);

/** Starts the program; `limit` bounds the size of its files in KiB, as a full disk would. */
const start = async (name, limit) => {
  const data = join(scratch, name);
  const command = [process.execPath, program, 'serve', '--port', '0', '--json', '--log-level', 'error', '--data', data];
  // A signal that is ignored stays ignored in the program: it sees the error EFBIG.
  const [file, ...args] =
    limit === undefined ? command : ['sh', '-c', `trap '' XFSZ; ulimit -f ${limit * 2}; exec "$@"`, 'sh', ...command];
  const child = spawn(file, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  child.stderr.pipe(process.stderr);
  const line = await new Promise((resolve, reject) => {
    child.stdout.once('data', resolve);
    child.once('exit', (code) => reject(new Error(`atoll ended with ${code}`)));
  });
  const port = Number(new URL(JSON.parse(line).url).port);
  const stop = () =>
    new Promise((resolve) => {
      child.removeAllListeners('exit');
      child.once('exit', resolve);
      child.kill('SIGTERM');
    });
  return { port, data, pid: child.pid, stop };
};

const send = (server, method, path, { headers = {}, body, pieces } = {}) =>
  new Promise((resolve, reject) => {
    const options = { port: server.port, host: '127.0.0.1', agent: new Agent(), method, path };
    const sent = request({ ...options, headers: { Authorization: credentials, ...headers } }, (response) => {
      const hash = createHash('sha256');
      const kept = [];
      let size = 0;
      response.on('data', (chunk) => {
        hash.update(chunk);
        size += chunk.length;
        if (size < 4 * mebibyte) kept.push(chunk);
      });
      response.on('error', reject);
      response.on('end', () =>
        resolve({
          status: response.statusCode,
          headers: response.headers,
          size,
          sha256: hash.digest('hex'),
          body: Buffer.concat(kept),
        }),
      );
    });
    sent.on('error', reject);
    if (pieces === undefined) return void sent.end(body);
    (async () => {
      for await (const piece of pieces) if (!sent.write(piece)) await new Promise((go) => sent.once('drain', go));
      sent.end();
    })().catch(reject);
  });

let nodes = 0;
const newNode = async (server) => {
  const body = JSON.stringify({
    type: [{ target_id: 'islandora_object' }],
    title: [{ value: `Faults ${(nodes += 1)}` }],
    field_model: [{ target_id: 24 }],
  });
  const made = await send(server, 'POST', '/node?_format=json', {
    headers: { 'Content-Type': 'application/json' },
    body,
  });
  return JSON.parse(made.body).nid[0].value;
};
const uploadPath = (node) => `/node/${node}/media/file/16`;
const uploadHeaders = (node, more = {}) => ({
  'Content-Type': 'text/plain',
  'Content-Location': `public://faults/${node}.txt`,
  ...more,
});
const upload = (server, node, sending, more) =>
  send(server, 'PUT', uploadPath(node), { ...sending, headers: uploadHeaders(node, more) });
const contentPath = (node) => `/sites/default/files/faults/${node}.txt`;
const content = (server, node, headers) => send(server, 'GET', contentPath(node), { headers });
const mediaCount = async (server, node) => {
  const { headers } = await send(server, 'GET', `/node/${node}?_format=json`);
  return [...String(headers.link ?? '').matchAll(/\/media\/\d+>; rel="related"/g)].length;
};
const rawHead = (node, length, authorization = credentials) =>
  [
    `PUT ${uploadPath(node)} HTTP/1.1`,
    'Host: localhost',
    ...(authorization === '' ? [] : [`Authorization: ${authorization}`]),
    ...Object.entries(uploadHeaders(node)).map(([name, value]) => `${name}: ${value}`),
    `Content-Length: ${length}`,
    '',
    '',
  ].join('\r\n');

const stored = async ({ data }) =>
  (await readdir(join(data, 'blobs'), { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
    .sort();
const descriptors = async ({ pid }) => (await readdir(`/proc/${pid}/fd`)).length;
const rssMiB = async ({ pid }) =>
  Number(/^VmRSS:\s+(\d+)/m.exec(await readFile(`/proc/${pid}/status`, 'utf8'))[1]) / 1024;
const bytesRead = async ({ pid }) => Number(/^rchar: (\d+)/m.exec(await readFile(`/proc/${pid}/io`, 'utf8'))[1]);
const percentile = (numbers, share) => [...numbers].sort((a, b) => a - b)[Math.ceil(numbers.length * share) - 1];

const assert = (isTrue, what) => {
  if (!isTrue) throw new Error(what);
};
const until = async (condition, what, ms = 5000) => {
  for (const deadline = Date.now() + ms; !(await condition()); await pause(20))
    assert(Date.now() < deadline, `${what}: not within ${ms} ms`);
};

/** Sends a large body whatever is answered, and resolves with the answer and how many MiB were sent when it began. */
const sendOn = (server, head) =>
  new Promise((resolve) => {
    let [answer, sent, sentBefore] = ['', 0, 0];
    const socket = connect(server.port, '127.0.0.1').on('error', () => {});
    socket.on('data', (piece) => {
      sentBefore ||= sent;
      answer += piece;
    });
    const piece = Buffer.alloc(mebibyte);
    const more = () => {
      while (!socket.destroyed && (sent += 1) < 1000) if (!socket.write(piece)) return void socket.once('drain', more);
    };
    socket.on('close', () => resolve({ answer, sentBefore }));
    socket.write(head);
    more();
  });

const cases = {
  'U03 aborted uploads leave nothing': async (server) => {
    const [fresh, filled] = [await newNode(server), await newNode(server)];
    await upload(server, filled, { body: 'old content' });
    const [before, open] = [await stored(server), await descriptors(server)];
    const half = randomBytes(1_000_000);
    const shares = [0, 0.5, 0.99];
    for (let count = 0; count < 100; count += 1) {
      const socket = connect(server.port, '127.0.0.1').on('error', () => {});
      socket.write(rawHead(count % 2 === 0 ? fresh : filled, half.length));
      socket.write(half.subarray(0, half.length * shares[count % 3]));
      await pause(5);
      socket.destroy();
    }
    await until(async () => (await stored(server)).join() === before.join(), 'the stored files are those of before');
    await until(async () => (await descriptors(server)) <= open, 'the descriptors are those of before');
    assert((await mediaCount(server, fresh)) === 0, 'an aborted upload made a media');
    assert((await content(server, filled)).body.toString() === 'old content', 'the old content is gone');
    return `100 aborts, ${before.length} stored files before and after, ${open} descriptors`;
  },

  'U04 the old content stays until the new one is complete': async (server) => {
    const node = await newNode(server);
    const [old, next] = [randomBytes(300_000), randomBytes(300_000)].map((bytes) => bytes.toString('hex'));
    await upload(server, node, { body: old });
    const ms = values.short ? 3000 : 10_000;
    const seen = { old: 0, new: 0 };
    let isDone = false;
    const polling = (async () => {
      while (!isDone || seen.new === 0) {
        // Whoever asked before the answer came may have been shown the old content.
        const wasDone = isDone;
        const { status, body } = await content(server, node);
        const text = body.toString();
        assert(status === 200 && (text === old || text === next), `a reader got ${status} with ${body.length} bytes`);
        seen[text === old ? 'old' : 'new'] += 1;
        assert(text === next || !wasDone, 'the old content after the answer');
        await pause(5);
      }
    })();
    const slowly = async function* () {
      for (let at = 0; at < next.length; at += next.length / 20) {
        yield Buffer.from(next.slice(at, at + next.length / 20));
        await pause(ms / 20);
      }
    };
    const replaced = await upload(server, node, { pieces: slowly() });
    isDone = true;
    await polling;
    assert(replaced.status === 204, `PUT: ${replaced.status}`);
    return `${seen.old} readers saw the old content, ${seen.new} the new one, none anything else`;
  },

  'U05 a replacement that fails last keeps the old content': async () => {
    const server = await start('full', 20 * 1024);
    try {
      const node = await newNode(server);
      await upload(server, node, { body: 'old content' });
      const before = await stored(server);
      const full = await upload(server, node, { body: Buffer.alloc(30 * mebibyte) });
      const socket = connect(server.port, '127.0.0.1').on('error', () => {});
      socket.end(`${rawHead(node, 100)}too short`);
      const broken = await upload(server, node, { body: 'x' }, { 'Content-Type': 'garbage' });
      await until(async () => (await stored(server)).join() === before.join(), 'nothing is left');
      assert(full.status === 507, `a full disk: ${full.status}`);
      assert(broken.status === 400, `a broken type: ${broken.status}`);
      assert((await content(server, node)).body.toString() === 'old content', 'the old content is gone');
      assert((await upload(server, node, { body: 'after' })).status === 204, 'no upload is taken afterwards');
      return '507 of a full disk, 400, an abort; the old content each time, and uploads go on';
    } finally {
      await server.stop();
    }
  },

  'U12 a refused upload is not read': async (server) => {
    const refused = [
      [401, 1, ''],
      [403, 1, `Basic ${Buffer.from('viewer:viewer').toString('base64')}`],
      [404, 999_999, credentials],
      [413, 1, credentials],
    ];
    const rows = [];
    for (const [status, node, authorization] of refused) {
      const before = await bytesRead(server);
      const head = rawHead(node, status === 413 ? 2_000_000_000 : 1_000_000_000, authorization);
      const { answer, sentBefore } = await sendOn(server, head);
      const read = (await bytesRead(server)) - before;
      assert(
        answer.startsWith(`HTTP/1.1 ${status}`) && /Connection: close/.test(answer),
        `${status}: ${answer.slice(0, 200)}`,
      );
      assert(read < 1_000_000, `${status}: ${read} bytes were read`);
      assert(sentBefore < 100, `${status}: answered after ${sentBefore} MiB`);
      rows.push(`${status} after ${sentBefore} MiB were sent and ${Math.round(read / 1024)} KiB read`);
    }
    return rows.join(', ');
  },

  'U15 a huge upload grows nothing': async (server) => {
    const node = await newNode(server);
    const piece = randomBytes(mebibyte);
    const run = async (count, size, nodeOf) => {
      const hash = createHash('sha256');
      for (let at = 0; at < size; at += 1) hash.update(piece);
      const expected = hash.digest('hex');
      const base = await rssMiB(server);
      let peak = base;
      const times = [];
      let isDone = false;
      const watching = (async () => {
        while (!isDone) {
          const began = performance.now();
          await send(server, 'GET', '/node/1?_format=json');
          times.push(performance.now() - began);
          peak = Math.max(peak, await rssMiB(server));
          await pause(5);
        }
      })();
      const pieces = function* () {
        for (let at = 0; at < size; at += 1) yield piece;
      };
      const answers = await Promise.all(
        Array.from({ length: count }, (_, at) =>
          upload(server, nodeOf(at), { pieces: pieces() }, { 'Content-Length': size * mebibyte }),
        ),
      );
      isDone = true;
      await watching;
      assert(
        answers.every(({ status }) => status < 300),
        answers.map(({ status }) => status).join(),
      );
      assert(peak - base < 100, `RSS grew by ${peak - base} MiB`);
      const p99 = percentile(times, 0.99);
      assert(p99 < 100, `p99 of a GET meanwhile: ${p99} ms`);
      for (let at = 0; at < count; at += 1) {
        const { headers, sha256 } = await content(server, nodeOf(at));
        assert(headers.etag === `"${expected}"` && sha256 === expected, 'the hash is wrong');
      }
      return `${count} × ${size} MiB: RSS +${Math.round(peak - base)} MiB, p99 of ${times.length} GETs ${p99.toFixed(1)} ms`;
    };
    if (values.short) return run(1, 1024, () => node);
    const others = [];
    for (let at = 0; at < 10; at += 1) others.push(await newNode(server));
    // 5 GiB is more than the site's limit of 1 GiB: five times, one after the other.
    const rows = [];
    for (let round = 0; round < 5; round += 1) rows.push(await run(1, 1024, () => node));
    return [...rows, await run(10, 500, (at) => others[at])].join('; ');
  },

  'U18 50 uploads for one place make one media': async (server) => {
    const node = await newNode(server);
    const bodies = Array.from({ length: 50 }, (_, at) => randomBytes(20_000 + at).toString('hex'));
    const answers = await Promise.all(bodies.map((body) => upload(server, node, { body })));
    const count = (status) => answers.filter((answer) => answer.status === status).length;
    assert(count(201) === 1 && count(204) === 49, answers.map(({ status }) => status).join());
    assert((await mediaCount(server, node)) === 1, 'there are several media');
    assert(bodies.includes((await content(server, node)).body.toString()), 'the content is none of the bodies');
    return '1 × 201, 49 × 204, 1 media, 1 of the bodies';
  },

  'U22 no location leads out of the store': async (server) => {
    const locations = [
      '../x',
      'a/../../x',
      '%2e%2e/x',
      '..%2fx',
      '/etc/passwd',
      '..\\x',
      './x',
      'a//b',
      'C:\\x',
      '\\\\host\\s',
      'a/',
      '',
    ];
    const listing = async () =>
      (await readdir(scratch, { recursive: true }))
        .filter((name) => !/journal|snapshot/.test(name))
        .sort()
        .join();
    const node = await newNode(server);
    const before = await listing();
    for (const location of locations) {
      const answer = await upload(
        server,
        node,
        { body: 'x' },
        { 'Content-Location': `public://${location}${location.endsWith('/') || location === '' ? '' : '.txt'}` },
      );
      assert(answer.status === 400, `${location}: ${answer.status}`);
    }
    assert((await listing()) === before, 'the tree has changed');
    return `${locations.length} locations, the tree is as before`;
  },

  'U33 every body is stored byte for byte': async (server) => {
    const types = [
      'application/json',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=b',
      'text/plain',
    ];
    let count = 0;
    for (const type of types) {
      for (const size of [1, 99_999, 100_001, 3_000_000]) {
        const node = await newNode(server);
        const body = randomBytes(size);
        await upload(server, node, { body }, { 'Content-Type': type });
        const back = await content(server, node);
        assert(
          back.body.equals(body) && back.headers['content-type'] === type,
          `${type}, ${size} bytes: ${back.headers['content-type']}, ${back.size}`,
        );
        count += 1;
      }
    }
    return `${count} bodies of ${types.length} types`;
  },

  'U35 ranges': async (server) => {
    const node = await newNode(server);
    const body = randomBytes(5_000_000);
    await upload(server, node, { body });
    const { headers } = await content(server, node);
    const rows = [
      ['bytes=0-0', 206, 0, 1],
      ['bytes=-1000', 206, 4_999_000, 5_000_000],
      ['bytes=4999999-', 206, 4_999_999, 5_000_000],
      ['bytes=10-19,100-109,200-209', 206, 10, 20],
      [`bytes=${Array.from({ length: 1000 }, () => '0-').join(',')}`, 206, 0, 5_000_000],
      ['bytes=5000000-', 416],
    ];
    for (const [range, status, from, to] of rows) {
      const answer = await content(server, node, { Range: range });
      assert(answer.status === status, `${range.slice(0, 40)}: ${answer.status}`);
      if (status !== 206) continue;
      const expected = createHash('sha256').update(body.subarray(from, to)).digest('hex');
      assert(answer.size === to - from && answer.sha256 === expected, `${range.slice(0, 40)}: ${answer.size} bytes`);
    }
    assert(
      (await content(server, node, { Range: 'bytes=0-0', 'If-Range': headers.etag })).status === 206,
      'If-Range, same',
    );
    assert((await content(server, node, { Range: 'bytes=0-0', 'If-Range': '"old"' })).status === 200, 'If-Range, old');
    return `${rows.length + 2} requests`;
  },
};

await bundle(program);
let failed = 0;
try {
  const server = await start('data');
  for (const [name, run] of Object.entries(cases)) {
    const began = performance.now();
    const verdict = await run(server).then(
      (counts) => `ok     ${name}: ${counts}`,
      (error) => {
        failed += 1;
        return `FAILED ${name}: ${error.message}`;
      },
    );
    process.stdout.write(`${verdict} (${((performance.now() - began) / 1000).toFixed(1)} s)\n`);
  }
  await server.stop();
} finally {
  await rm(scratch, { recursive: true, force: true });
  await rm(program, { force: true });
}
process.stdout.write(`${Object.keys(cases).length - failed} of ${Object.keys(cases).length} hold\n`);
process.exitCode = failed === 0 ? 0 : 1;
