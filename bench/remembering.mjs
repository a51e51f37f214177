/** Documents whose mock remembers: the servers of `npm run bench`, and what is asked of them. */
import autocannon from 'autocannon';
import { startContender } from './contenders.mjs';

const document = ['--document', 'bench/documents/books.yaml', '--no-watch'];

export const bookPath = (id) => `/books/${id}`;
export const pagePath = (page) => `/books?page=${page}`;
const shelves = 1000;
/** As many lists are asked for in turn as the repository is asked for lists of media. */
const asked = 200;
const shelfOf = (number) => `S${number % shelves}`;
const shelfPath = (number) => `/books?shelf=${shelfOf(number)}`;

const summary =
  'Says when the water comes and goes at every quay of the coast, and what the pilots make of it. '.repeat(5);
const bookOf = (number) =>
  JSON.stringify({
    ...{ title: `Book ${number}`, shelf: shelfOf(number), year: 1900 + (number % 100), language: 'en' },
    ...{ authors: ['A. Pilot', 'The harbour master'], summary },
  });

let books = 0;
const post = {
  setupRequest: (request) => ({
    ...{ ...request, method: 'POST', path: '/books', body: bookOf((books += 1)) },
    headers: { 'content-type': 'application/json' },
  }),
};

const fill = async ({ port }, amount) => {
  const url = `http://127.0.0.1:${port}`;
  const result = await autocannon({ url, amount, connections: 32, timeout: 60, requests: [post] });
  if (result.non2xx + result.errors + result.timeouts > 0)
    throw new Error(`${result.non2xx} refusals, ${result.errors} errors while filling`);
};

/** With few records, with few on disk, and with `count` of them. */
export const startRemembering = async (program, data, count) => {
  const inMemory = program('--memory', '--traffic', '0', ...document);
  const servers = {
    remembering: await startContender('Atoll, remembering', inMemory, bookPath(1)),
    rememberingStored: await startContender(
      'Atoll, remembering on disk',
      program('--data', data, ...document),
      bookPath(1),
    ),
    manyRecords: await startContender('Atoll, many records', inMemory, bookPath(1)),
  };
  await fill(servers.manyRecords, count);
  return servers;
};

/** Replies that the baselines send. */
export const rememberingReplies = ({ remembering, manyRecords }) => ({
  record: { port: remembering.port, path: bookPath(1), route: '/books/:id' },
  page: { port: manyRecords.port, path: pagePath(7), route: '/books' },
});

const isPage = (body) => body.startsWith('[{"id":') && body.split('"shelf":').length === 21;
const anyOf = (path) => ({ requests: [{ setupRequest: (request) => ({ ...request, method: 'GET', path: path() }) }] });
const below = (count) => Math.floor(Math.random() * count);

export const rememberingQuestions = ({ remembering, rememberingStored, manyRecords, bare, sizes }) => ({
  'GET record': { server: remembering, path: bookPath(1), exact: true, status: 200 },
  'record: bare express': { server: bare.record, path: bookPath(1), exact: true, status: 200 },
  'GET record of 100,000, random': {
    ...{ server: manyRecords, status: 200, isRight: (body) => body.startsWith('{"id":') },
    ...anyOf(() => bookPath(1 + below(sizes.all))),
  },
  'GET page of 100,000 records, random': {
    ...{ server: manyRecords, status: 200, isRight: isPage },
    ...anyOf(() => pagePath(1 + below(asked))),
  },
  'GET filtered page of 100,000 records, random': {
    ...{ server: manyRecords, status: 200, isRight: isPage },
    ...anyOf(() => shelfPath(below(asked))),
  },
  'page: bare express': { server: bare.page, path: '/books', status: 200 },
  'POST record (durable)': {
    ...{ server: rememberingStored, connections: 32, status: 201, requests: [post] },
    isRight: (body) => body.includes('"title":"Book '),
  },
});
