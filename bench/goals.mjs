/**
 * The goals of `npm run bench`. Each is a ratio to something that was measured in the same run. Times and sizes are judged by
 * themselves and kept as ratios to those of bare express, which another machine changes alike.
 */
export const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];

const express = 'GET node: bare express';

/** Name, question, what it is compared with, and the least ratio. Without a goal the ratio is only shown. */
export const ratios = [
  ['GET node × bare express', 'GET node', express, 0.8],
  ['GET node, watched × bare express', 'GET node, watched', express, 0.8],
  ['GET node × openapi-backend + express', 'GET node', 'GET node: openapi-backend + express', 3.5],
  ['GET node × Prism', 'GET node', 'GET node: Prism mock', 6],
  ['Basic × anonymous', 'GET node, Basic', 'GET node', 0.8],
  ['Bearer × anonymous', 'GET node, Bearer', 'GET node', 0.8],
  ['100,000 nodes, same id × 1 node', 'GET node of 100,000, same', 'GET node', 0.9],
  ['random ids × bare express', 'GET node of 100,000, random', express, 1],
  ['random ids as JSON-LD × bare express', 'GET jsonld of 100,000, random', 'jsonld: bare express', 0.9],
  ['lists with a filter × bare express', 'GET 10 media of 200 nodes, 7 visible, random', 'list: bare express', 0.8],
  ['remembering GET × bare express', 'GET record', 'record: bare express', 0.8],
  ['random records × bare express', 'GET record of 100,000, random', 'record: bare express', 0.8],
  ['pages of records × bare express', 'GET page of 100,000 records, random', 'page: bare express', 0.8],
  ['filtered records × bare express', 'GET filtered page of 100,000 records, random', 'page: bare express', 0.8],
  ['remembering POST × POST node, durable', 'POST record (durable)', 'POST node (durable)', 1],
  ['404 × bare express', 'GET 404', '404: bare express', 2.2],
  ['401 × bare express', 'GET 401', '401: bare express', 2.2],
  ['403 × bare express', 'GET 403', '403: bare express', 2.2],
  ['90/10 × pure reads', '90 % GET, 10 % PATCH of 1,000', 'GET node of 1,000, random', 0.8],
  ['POST × bare express, durable', 'POST node (durable)', 'POST: bare express', 0.8],
  ['PATCH × bare express, durable', 'PATCH node (durable)', 'PATCH: bare express', 0.8],
  ['PUT of 64 KiB × bare node:http, durable', 'PUT 64 KiB (durable)', 'PUT 64 KiB: bare node:http', 0.8],
];

/** The median of a figure of a question. */
export const figureOf =
  (results) =>
  (name, of = 'perSecond') =>
    median(results.get(name).map((result) => result[of]));

const ratioGoals = (results) => {
  const figure = figureOf(results);
  return ratios
    .filter(([, question, other]) => results.has(question) && results.has(other))
    .map(([name, question, other, goal]) => ({
      ...{ name, goal, sign: '≥', ratio: figure(question) / figure(other) },
      // A slow load generator distorts only the replies a second.
      byCpu: figure(other, 'cpuUs') / figure(question, 'cpuUs'),
    }));
};

/** `value` is shown and judged, `value / unit` is kept. */
const bounded = (name, value, goal, unit) => ({ name, value, goal, sign: '≤', ratio: value / unit });

const startGoals = (starts) => {
  const ms = (name, of = 'readyMs') => median(starts.get(name).map((result) => result[of]));
  const bare = ms('bare express');
  const starter = 'Atoll, starter fixture in memory';
  return [
    { name: 'start × bare express', goal: 1.3, sign: '≤', ratio: ms(starter) / bare },
    bounded('first answer after the start, ms', ms(starter, 'firstMs'), 8, bare),
    bounded('import startAtoll and first world, ms', ms('import startAtoll, first world'), 100, bare),
    bounded('start with 100,000 nodes on disk, ms', ms('Atoll, 100,000 nodes on disk'), 1000, bare),
  ];
};

const memoryGoals = ({ idle, loaded }) => [
  { name: 'RSS idle × bare express', goal: 2, sign: '≤', ratio: idle.atoll / idle.bare },
  { name: 'RSS loaded × bare express', goal: 1.6, sign: '≤', ratio: loaded.atoll / loaded.bare },
  bounded('RSS with 100,000 nodes, MB', idle.large, 220, idle.bare),
  bounded('RSS with 100,000 nodes after the questions, MB', loaded.large, undefined, idle.bare),
];

const fillGoals = ({ atoll, bare }) => [
  bounded('p99 of reads while filling, ms', atoll.reads.p99Ms, 20, bare.reads.p99Ms),
  bounded('longest write while filling, ms', atoll.writes.longestMs, 150, bare.writes.longestMs),
];

export const goalsOf = ({ results, starts, memory, fill }) =>
  [...ratioGoals(results), ...startGoals(starts), ...memoryGoals(memory), ...fillGoals(fill)].map((goal) => {
    const shown = goal.value ?? goal.ratio;
    const isMet = goal.goal === undefined || (goal.sign === '≥' ? shown >= goal.goal : shown <= goal.goal);
    return { ...goal, shown, isMet };
  });
