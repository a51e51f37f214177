/**
 * Writes samples of stored forms with a program of the past: `node test/kept/write.mjs FORM PROGRAM OUT`. FORM is one of `forms` below,
 * PROGRAM a worktree of a commit in which `npm run build` has run, OUT a folder that is not there yet. `README.md` says which commit wrote
 * which sample. Nothing runs this by itself: a sample is never rewritten.
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { parse } from 'yaml';

const [form = '', program = '', out = ''] = process.argv.slice(2);
const here = import.meta.dirname;
const main = resolve(program, 'dist/main.js');
const folder = mkdtempSync(join(tmpdir(), 'atoll-kept-'));
const asked = parse(readFileSync(join(here, 'asked.yml'), 'utf8'));
const passwords = { admin: 'islandora', editor: 'editor', viewer: 'viewer' };

const atoll = (...args) =>
  execFileSync(process.execPath, [main, ...args], {
    encoding: 'utf8',
    cwd: folder,
    stdio: ['ignore', 'pipe', 'inherit'],
  });

const children = [];

/** Starts `atoll ARGS` and resolves with the address that it prints when it is ready. */
const started = async (...args) => {
  const child = spawn(process.execPath, [main, ...args, '--port', '0', '--json'], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.push(child);
  const [line] = await once(child.stdout, 'data');
  const stop = async () => {
    child.kill('SIGTERM');
    await once(child, 'exit');
  };
  return { url: JSON.parse(String(line)).url, stop };
};

const send = async (url, { request, as, json, text, headers = {}, status }) => {
  const [method, path] = request.split(' ');
  const answer = await fetch(url + path, {
    method,
    headers: {
      ...(as === undefined ? {} : { Authorization: `Basic ${btoa(`${as}:${passwords[as]}`)}` }),
      ...(json === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...headers,
    },
    body: json === undefined ? text : JSON.stringify(json),
  });
  const body = await answer.text();
  if (status !== undefined && answer.status !== status) throw new Error(`${request}: ${answer.status} ${body}`);
};

const sendAll = async (url, requests) => {
  for (const request of requests) await send(url, request);
};

/** The default site of the program with the lines of `site/` added. */
const madeSite = () => {
  const site = join(folder, 'site');
  if (existsSync(site)) return site;
  cpSync(join(program, 'data/site'), site, { recursive: true });
  for (const name of ['site.yml', 'living.yml'])
    appendFileSync(join(site, name), readFileSync(join(here, 'site', name)));
  return site;
};

/** `fixture-1` in the long form, with a translation, which no request makes. */
const madeFixture = () => {
  const fixture = join(folder, 'fixture');
  atoll('fixture', 'expand', join(here, 'fixture-1/fixture.yaml'), '--to', fixture);
  const file = join(fixture, 'node/2.json');
  const record = JSON.parse(readFileSync(file, 'utf8'));
  record.translations = { fr: { title: [{ value: 'Une vue du quai' }] } };
  writeFileSync(file, `${JSON.stringify(record, null, 2)}\n`);
  return fixture;
};

/** A key of its own each time, outside of the data directory: a private key has no place in Git. */
const signingKey = () => {
  const file = join(folder, 'key.pem');
  if (!existsSync(file)) execFileSync('openssl', ['genrsa', '-out', file, '2048'], { stdio: 'ignore' });
  return file;
};

const serve = (...more) =>
  started('serve', '--site', madeSite(), '--fixture', madeFixture(), '--jwt-key', signingKey(), '--quiet', ...more);

/** `reserve` and `lock` say nothing and are made again. */
const keepDirectory = (data, kept) => {
  cpSync(data, kept, { recursive: true, filter: (path) => !/\/(reserve|lock)$/.test(path) });
};

const forms = {
  'data-1': async () => {
    const data = join(folder, 'data');
    const server = await started('serve', '--data', data, '--fixture', 'empty', '--jwt-key', signingKey());
    await sendAll(server.url, asked['format-1']);
    await server.stop();
    keepDirectory(data, out);
  },
  'data-2': async () => {
    const data = join(folder, 'data');
    const server = await serve('--data', data);
    await sendAll(server.url, asked['format-2']);
    atoll('control-tokens', 'create', 'ci', '--right', 'worlds', '--prefix', 'ci-', '--url', server.url);
    atoll('export', join(folder, 'archive.tar'), '--url', server.url);
    await server.stop();
    atoll('export', '--data', data, '--to', join(folder, 'export'));
    mkdirSync(out);
    keepDirectory(data, join(out, 'data-2'));
    cpSync(join(folder, 'export'), join(out, 'export-1'), { recursive: true });
    cpSync(join(folder, 'archive.tar'), join(out, 'archive-1.tar'));
  },
  'data-3': async () => {
    const data = join(folder, 'data');
    const file = (name) => join(here, 'notes', name);
    const own = ['--document', file('notes.yaml'), '--handlers', file('handlers'), '--fixture', file('fixture.yaml')];
    const server = await started('serve', '--data', data, ...own, '--jwt-key', signingKey(), '--quiet');
    await sendAll(server.url, asked['format-3']);
    atoll('export', join(folder, 'archive.tar'), '--url', server.url);
    await server.stop();
    atoll('export', '--data', data, '--to', join(folder, 'export'));
    mkdirSync(out);
    keepDirectory(data, join(out, 'data-3'));
    cpSync(join(folder, 'export'), join(out, 'export-2'), { recursive: true });
    cpSync(join(folder, 'archive.tar'), join(out, 'archive-2.tar'));
  },
  // A proxy that records, before the server of `data-2`.
  'recording-1': async () => {
    const server = await serve('--memory');
    await sendAll(server.url, asked['format-2']);
    const proxy = await started(
      'proxy',
      '--target',
      server.url,
      '--site',
      madeSite(),
      '--record',
      join(folder, 'recording'),
    );
    await sendAll(proxy.url, asked['recording']);
    await proxy.stop();
    cpSync(join(folder, 'recording'), out, { recursive: true });
  },
  // The counts of the same requests.
  'coverage-1': async () => {
    const server = await serve('--memory');
    await sendAll(server.url, asked['format-2']);
    const file = join(folder, 'coverage.json');
    atoll('coverage', 'report', '--format', 'json', '--output', file, '--url', server.url);
    cpSync(file, out);
  },
  // `verify` is killed as soon as it has made some records; the archive holds what it left.
  'verify-journal-1': async () => {
    const server = await started('serve', '--memory', '--fixture', madeFixture(), '--quiet');
    const journal = join(folder, 'journal.jsonl');
    const args = ['verify', '--target', server.url, '--allow-writes', '--label', 'kept sample', '--journal', journal];
    const verify = spawn(process.execPath, [main, ...args, '--parallel', '1'], { cwd: folder, stdio: 'ignore' });
    children.push(verify);
    const made = () => (existsSync(journal) ? readFileSync(journal, 'utf8').split('"event":"made"').length - 1 : 0);
    while (made() < 4 && verify.exitCode === null) await new Promise((resolve) => setTimeout(resolve, 2));
    verify.kill('SIGKILL');
    await once(verify, 'exit');
    mkdirSync(out);
    cpSync(journal, join(out, 'journal.jsonl'));
    atoll('export', join(folder, 'left.tar'), '--url', server.url);
    writeFileSync(join(out, 'left.tar.gz'), gzipSync(readFileSync(join(folder, 'left.tar')), { level: 9 }));
  },
  // `KEPT_STORE` is the address of an empty database: postgres://USER@HOST:PORT/NAME. Needs `pg_dump`.
  'team-database': async () => {
    const store = process.env['KEPT_STORE'] ?? '';
    const data = join(folder, 'bytes');
    const server = await serve('--store', store, '--data', data);
    await sendAll(server.url, asked['format-2']);
    atoll('snapshot', 'save', 'before-trial', '--url', server.url);
    atoll('world', 'fork', 'trial', '--from', 'before-trial', '--url', server.url);
    await sendAll(`${server.url}/~trial`, asked['trial']);
    await sendAll(server.url, asked['after-snapshot']);
    atoll('control-tokens', 'create', 'ci', '--right', 'worlds', '--prefix', 'ci-', '--url', server.url);
    await server.stop();
    mkdirSync(out);
    cpSync(data, join(out, 'bytes'), { recursive: true });
    // Plain statements, which any PostgreSQL reads. The lines that begin with a backslash are for psql.
    const dump = execFileSync('pg_dump', ['--inserts', '--no-owner', '--no-privileges', store], { encoding: 'utf8' });
    writeFileSync(join(out, 'database.sql'), dump.replace(/^\\.*\n/gm, ''));
  },
};

try {
  if (!Object.hasOwn(forms, form)) throw new Error(`Name one of ${Object.keys(forms).join(', ')}.`);
  if (existsSync(out)) throw new Error(`${out} is there. A sample is never rewritten.`);
  await forms[form]();
} finally {
  for (const child of children) child.kill();
  rmSync(folder, { recursive: true });
}
