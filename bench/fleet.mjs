/** Starts everything that `npm run bench` measures: Atoll with several repositories, the baselines, and other mock servers. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startContender } from './contenders.mjs';
import { firstCopy, makeFixture } from './fixture.mjs';
import { addLists, asAdmin, hideNodes, newNode, patchOf, viewers } from './content.mjs';
import { record } from './recorded.mjs';
import { rememberingReplies, startRemembering } from './remembering.mjs';

export const base = 'http://localhost:8000';
/** Makes arguments that start a built program. */
export const atollOf =
  (main) =>
  (...args) =>
  (port) => [main, 'serve', '--log-level', 'silent', '--port', String(port), ...args];
export const atoll = atollOf('dist/main.js');
export const nodePath = (id, format = 'json') => `/node/${id}?_format=${format}`;
const firstNode = nodePath(firstCopy);
/** The goals for reading assume that nothing is recorded. */
const unwatched = ['--traffic', '0'];

/** How many nodes `large` has, and how many of these have ten media, or are unpublished. */
const sizesOfBench = { all: 100_000, withMedia: 200, hidden: 100 };
export const firstHiddenOf = ({ all, hidden }) => firstCopy + all - hidden;

/** A directory with many nodes, which a server has filled and closed. */
const fillDirectory = async (root, folder, { sizes, program }) => {
  const data = join(folder, 'large');
  const fixture = await makeFixture(root, folder, sizes.all);
  const filling = program('--data', data, '--base-url', base, '--fixture', fixture);
  const server = await startContender('filling', filling, firstNode);
  await addLists(server.port, firstCopy, sizes.withMedia);
  await hideNodes(server.port, firstHiddenOf(sizes), sizes.hidden);
  await server.stop('SIGTERM');
  return data;
};

/** The servers of one program: with one node, the same recorded, with 1,000 on disk, and with many. */
export const startServers = async (root, folder, { sizes = sizesOfBench, program = atoll } = {}) => {
  const [one, thousand] = await Promise.all([1, 1000].map((count) => makeFixture(root, folder, count)));
  const data = await fillDirectory(root, folder, { sizes, program });
  const inMemory = (...more) => program('--memory', '--base-url', base, '--fixture', one, ...more);
  const onDisk = (at, ...more) => program('--data', at, '--base-url', base, ...more);
  const stored = onDisk(join(folder, 'stored'), '--fixture', thousand);
  return {
    ...{ thousand, data },
    servers: {
      small: await startContender('Atoll, unwatched', inMemory(...unwatched), firstNode),
      watched: await startContender('Atoll', inMemory(), firstNode),
      stored: await startContender('Atoll, 1,000 nodes on disk', stored, firstNode),
      large: await startContender('Atoll, many nodes on disk', onDisk(data, ...unwatched), firstNode),
      ...(await startRemembering(program, join(folder, 'remembering'), sizes.all)),
    },
  };
};

/** The replies of Atoll that the baselines send, by name. */
export const recordReplies = async (folder, servers, sizes = sizesOfBench) => {
  const { small, large } = servers;
  const { viewer } = viewers;
  const list = `/node/${firstCopy}/media`;
  const requests = {
    node: { port: small.port, path: firstNode },
    jsonld: { port: large.port, path: nodePath(firstCopy, 'jsonld') },
    list: { port: large.port, path: `${list}?_format=json`, headers: viewer, route: '/node/:id/media' },
    404: { port: large.port, path: nodePath(900_000) },
    401: { port: large.port, path: nodePath(firstHiddenOf(sizes)) },
    403: { port: large.port, path: nodePath(firstHiddenOf(sizes)), headers: viewer },
    POST: { port: small.port, path: '/node?_format=json', method: 'POST', headers: asAdmin, body: newNode },
    PATCH: { port: small.port, path: firstNode, method: 'PATCH', headers: asAdmin, body: patchOf(firstCopy) },
    ...rememberingReplies(servers),
  };
  const replies = {};
  for (const [name, request] of Object.entries(requests)) {
    const reply = { ...(await record(request)), route: request.route };
    const file = join(folder, `reply-${name}.json`);
    writeFileSync(file, JSON.stringify(reply));
    replies[name] = { ...reply, file };
  }
  return replies;
};

export const startBaselines = async (folder, replies) => {
  const document = documentIn(folder);
  const started = {};
  const express = async (name) => {
    const { file, route = '/node/1', status } = replies[name];
    const args = (port) => ['bench/bare-server.mjs', 'express', String(port), file];
    started[name] = await startContender(`bare express, ${name}`, args, route.replace(':id', '1'), status);
  };
  for (const name of ['node', 'jsonld', 'list', '404', '401', '403', 'record', 'page']) await express(name);
  const http = (port) => ['bench/bare-server.mjs', 'http', String(port), replies.node.file];
  started.http = await startContender('bare node:http', http, firstNode);
  const answers = join(folder, 'answers.json');
  writeFileSync(answers, JSON.stringify({ POST: replies.POST, PATCH: replies.PATCH }));
  const lines = join(folder, 'bare-lines');
  const write = (port) => ['bench/bare-write-server.mjs', String(port), answers, document, lines];
  started.write = await startContender('bare express, durable', write, '/');
  const uploads = join(folder, 'bare-uploads');
  mkdirSync(uploads);
  const upload = (port) => ['bench/bare-upload-server.mjs', uploads, '{}', String(port)];
  started.upload = await startContender('bare node:http, durable', upload, '/');
  return started;
};

/** The prepared document as a file, which the baselines and other mock servers read. */
const documentIn = (folder) => {
  const file = join(folder, 'openapi.json');
  writeFileSync(file, JSON.stringify(JSON.parse(readFileSync('dist/prepared.json', 'utf8')).document));
  return file;
};

/** Other mock servers of the same contract. They are left out of short runs. */
const startOthers = async (folder, replies, document) => {
  const database = join(folder, 'db.json');
  writeFileSync(database, JSON.stringify({ node: [{ id: firstCopy, ...JSON.parse(replies.node.body) }] }));
  const modules = 'bench/node_modules';
  const backend = (port) => ['bench/bare-server.mjs', 'openapi-backend', String(port), replies.node.file, document];
  const prism = (port) => [`${modules}/@stoplight/prism-cli/dist/index.js`, 'mock', '-p', String(port), document];
  const jsonServer = (port) => [`${modules}/json-server/lib/cli/bin.js`, '-q', '-p', String(port), database];
  return {
    backend: await startContender('openapi-backend + express', backend, firstNode),
    prism: await startContender('Prism mock', prism, firstNode),
    jsonServer: await startContender('json-server', jsonServer, `/node/${firstCopy}`),
  };
};

/** Starts all of it. `stop` ends all of it; `data` and `files` are for `bench/starts.mjs`. */
export const startFleet = async (root, folder, isShort) => {
  const { servers, thousand, data } = await startServers(root, folder);
  await new Promise((resolve) => setTimeout(resolve, 1000));
  const idle = { atoll: servers.watched.rssMb(), large: servers.large.rssMb() };
  const replies = await recordReplies(folder, servers);
  const bare = await startBaselines(folder, replies);
  await new Promise((resolve) => setTimeout(resolve, 500));
  const document = documentIn(folder);
  const others = isShort ? {} : await startOthers(folder, replies, document);
  const all = [servers, bare, others].flatMap((group) => Object.values(group));
  return {
    ...{ ...servers, bare, others, replies, thousand, data, document, sizes: sizesOfBench },
    idle: { ...idle, bare: bare.node.rssMb() },
    stop: async () => {
      for (const server of all) await server.stop();
    },
  };
};
